import { batchDecider } from '../../domain/fixity/batch/decide.ts'
import { batchStream } from '../../domain/fixity/batch/events.ts'
import type { CheckTask, FixityTask } from '../../domain/fixity/check-task.ts'
import { decider } from '../../domain/fixity/decide.ts'
import { hasBudget } from '../../domain/fixity/due/budgets.ts'
import type { RecordedRow } from '../../domain/fixity/intact.ts'
import { type Item, itemStream } from '../../domain/fixity/item.ts'
import type { ClaimUpkeep } from '../../domain/kernel/task.ts'
import type { Claimed, Correlated } from '../../ports/task-queue.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { claim, claimed, claimTerms, type Holder, type Offered } from '../runtime/claim.ts'
import type { ViewsReach } from '../runtime/views-reach.ts'

export interface ClaimDependencies extends Holder {
  readonly viewStore: ViewStore
  readonly viewsReach: ViewsReach
  /** True if a failure of an item of the store is to be reported: not while the store itself is unavailable. */
  readonly isReportable: (store: string) => Promise<boolean>
  /** Reports on the topic that an attempt failed. */
  readonly reportFailure: (task: FixityTask, reason: string, of: Correlated) => Promise<void>
}

/** The stream of an item, for claims. */
export const checkTask = (item: Item) => ({
  decider,
  stream: itemStream(item),
  keep: (command: ClaimUpkeep) => ({ ...command, item }),
})

/** The stream of a batch of items, for claims. */
export const batchTask = (batch: string) => ({
  decider: batchDecider,
  stream: batchStream(batch),
  keep: (command: ClaimUpkeep) => command,
})

const never = new AbortController().signal

/** Claims one item, as its own stream decides. Lost, too, if the claim parked the item. Throws `UnavailableError`. */
export const claimCheck = async (row: RecordedRow, deps: ClaimDependencies): Promise<Offered<CheckTask>> => {
  const { store, path, checksums, indexed } = row
  const item = { store, path }
  const where = checkTask(item)
  const granted = await claim(deps, where, { type: 'Claim', item, ...claimTerms(deps) })
  if (typeof granted === 'string') return granted
  const { fence } = granted.lease
  const task = { item, fence, checksums: [...checksums, ...(indexed?.checksums ?? [])] }
  const { reportFailure } = deps
  const mine = claimed(deps, where, granted, { task, reportFailure })
  // Later claims are held against the bytes of this one.
  if (hasBudget(deps.viewStore, store)) {
    try {
      await deps.viewsReach(granted.position, never)
    } catch (error) {
      await mine.release('the views do not show the claim')
      throw error
    }
  }
  return unlessAway(mine, store, deps)
}

/** While the store is unavailable, no failure of an item is reported, and no attempt is used up. */
export const unlessAway = <Task>(
  claim: Claimed<Task>,
  store: string,
  { isReportable }: Pick<ClaimDependencies, 'isReportable'>,
): Claimed<Task> => ({
  ...claim,
  fail: async (reason) => ((await isReportable(store)) ? claim.fail(reason) : claim.release(reason)),
})
