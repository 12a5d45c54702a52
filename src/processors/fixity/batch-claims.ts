import { v7 as uuid } from 'uuid'
import type { BatchTask } from '../../domain/fixity/check-task.ts'
import { budgetOf } from '../../domain/fixity/due/budgets.ts'
import type { DueRow } from '../../domain/fixity/due/requested.ts'
import { withinBudget } from '../../domain/fixity/store/budget.ts'
import { batches, items } from '../../domain/fixity/views.ts'
import { is, narrowRows, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { claim, claimed, claimTerms, type Offered } from '../runtime/claim.ts'
import { partOfSlot, type TakeLimits } from './batch-sizes.ts'
import { batchTask, type ClaimDependencies, unlessAway } from './claims.ts'

const never = new AbortController().signal

/**
 * Claims the checks of items of one store in one event. If two batches have the same item, the first in the log has it,
 * as the views show once they have folded the claim. Lost if others had claimed them all. Throws `UnavailableError`.
 */
export const claimBatch = async (
  due: readonly DueRow[],
  limits: TakeLimits,
  deps: ClaimDependencies,
): Promise<Offered<BatchTask>> => {
  const { store } = due[0]!
  const batch = uuid()
  const where = batchTask(batch)
  const wanted = due.map(({ path, revision }) => ({ path, revision }))
  const granted = await claim(deps, where, { type: 'ClaimBatch', store, items: wanted, ...claimTerms(deps) })
  if (typeof granted === 'string') return granted
  const { reportFailure } = deps
  const held = (files: BatchTask['files']) =>
    claimed(deps, where, granted, { task: { batch, store, files }, reportFailure })
  const { release } = held([])

  try {
    await deps.viewsReach(granted.position, never)
  } catch (error) {
    await release('the views do not show the claim')
    throw error
  }
  const before = heldBefore(deps, store, granted.position)
  const isAsItWas = unmoved(deps, store, due)
  const free = due.filter((row) => !before.has(row.path) && isAsItWas(row))
  // Others may have claimed at the same moment: the first in the log has the rest of the day's budget.
  const mine = withinBudget(
    budgetOf(deps.viewStore, store, { now: deps.clock.now(), before: granted.position }),
    free,
  )
  if (mine.length === 0) {
    await release(
      free.length > 0 ? 'the byte budget of the day is used up' : 'others claimed all of it before',
    )
    return 'lost'
  }

  const files = mine.map(({ path, size, checksums, indexed }) => ({
    path,
    size: size ?? 0,
    checksums: [...checksums, ...(indexed?.checksums ?? [])],
  }))
  return {
    ...unlessAway(held(files), store, deps),
    concurrency: Math.ceil(mine.reduce((sum, row) => sum + partOfSlot(row, limits), 0) / limits.ofSlot),
    tasks: files.length,
  }
}

/**
 * True for items that are unchanged after the claim: no event in the item's own stream, no check in another batch since
 * they were chosen. The check of any other item is done, or is to be decided on its own stream.
 */
const unmoved = (
  { viewStore }: ClaimDependencies,
  store: string,
  due: readonly DueRow[],
): ((row: DueRow) => boolean) => {
  const now = narrowRows(viewStore, items, ['path', 'revision', 'lastChecked'], {
    where: [is('store', store), { column: 'path', is: 'in', value: due.map(({ path }) => path) }],
  })
  const known = new Map(now.map((row) => [row.path, row]))
  return ({ path, revision, lastChecked }) => {
    const row = known.get(path)
    return row?.revision === revision && row.lastChecked === lastChecked
  }
}

/** Items held by others: what this worker held was known to it when it chose. */
const heldBefore = (
  { viewStore, worker }: ClaimDependencies,
  store: string,
  position: bigint,
): ReadonlySet<string> =>
  new Set(
    rowsIfFolded(viewStore, batches, {
      where: [
        is('store', store),
        { column: 'position', is: '<', value: Number(position) },
        { column: 'holder', is: '!=', value: worker },
      ],
    }).flatMap(({ paths }) => paths),
  )
