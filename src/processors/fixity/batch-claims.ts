import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { v7 as uuid } from 'uuid'
import { orThrow } from '../../async/unavailable.ts'
import { type BatchCommand, type BatchRejection, batchDecider } from '../../domain/fixity/batch/decide.ts'
import { type BatchEvent, batchStream } from '../../domain/fixity/batch/events.ts'
import type { BatchTask } from '../../domain/fixity/check-task.ts'
import { batches, items } from '../../domain/fixity/views.ts'
import type { Lease } from '../../domain/kernel/lease.ts'
import { is, narrowRows, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { addMillis } from '../../domain/kernel/time.ts'
import type { Claimed } from '../../ports/task-queue.ts'
import type { Executed } from '../runtime/execute.ts'
import { partOfHand, type TakeLimits } from './batch-sizes.ts'
import type { ClaimDependencies } from './claims.ts'
import type { DueRow } from './requested.ts'

type ExecutedOnBatch = Executed<BatchEvent, BatchRejection, Lease>

const never = new AbortController().signal

/**
 * Claims the checks of items of one store in one event. If two batches have the same item, the first in the log has it,
 * as the views show once they have folded the claim. Undefined if others had claimed them all. Throws
 * `UnavailableError`.
 */
export const claimBatch = async (
  due: readonly DueRow[],
  limits: TakeLimits,
  deps: ClaimDependencies,
): Promise<Claimed<BatchTask> | undefined> => {
  const { execute, clock, worker, timeoutMillis } = deps
  const { store } = due[0]!
  const batch = uuid()
  const by = () => ({ actor: worker, at: clock.now() })
  const later = () => addMillis(clock.now(), timeoutMillis)

  const run = <A>(command: BatchCommand, answer: (executed: ExecutedOnBatch) => A): Promise<A> =>
    pipe(
      () => execute(batchDecider, { stream: batchStream(batch), command, causationId: uuid() }),
      TE.map(answer),
      (task) => orThrow(task, command.type),
    )

  const wanted = due.map(({ path, revision }) => ({ path, revision }))
  const claimed = await run(
    {
      type: 'ClaimBatch',
      ...by(),
      store,
      items: wanted,
      holder: worker,
      deadline: later(),
      millis: timeoutMillis,
    },
    (executed) => executed,
  )
  if (claimed.kind !== 'done' || !claimed.result) return undefined
  const { position, correlationId } = claimed
  const { fence, deadline } = claimed.result
  const release = (reason: string) => run({ type: 'ReleaseClaim', ...by(), fence, reason }, () => undefined)

  try {
    await deps.viewsReach(position, never)
  } catch (error) {
    await release('the views do not show the claim')
    throw error
  }
  const before = heldBefore(deps, store, position)
  const isAsItWas = unmoved(deps, store, due)
  const mine = due.filter((row) => !before.has(row.path) && isAsItWas(row))
  if (mine.length === 0) {
    await release('others claimed all of it before')
    return undefined
  }

  const files = mine.map(({ path, size, checksums, indexed }) => ({
    path,
    size: size ?? 0,
    checksums: [...checksums, ...(indexed?.checksums ?? [])],
  }))
  const task = { batch, store, files }
  return {
    task,
    hands: Math.ceil(mine.reduce((sum, row) => sum + partOfHand(row, limits), 0) / limits.ofHand),
    tasks: files.length,
    correlationId,
    deadline,
    extend: () => {
      const deadline = later()
      const command = { type: 'ExtendClaim', ...by(), fence, deadline } as const
      return run(command, ({ kind }) => (kind === 'rejected' ? undefined : deadline))
    },
    release,
    // While the store is unavailable, no failure of an item is reported, and no attempt is used up.
    fail: async (reason) =>
      (await deps.isToBeTold(store)) ? deps.reportFailure(task, reason, { correlationId }) : release(reason),
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
