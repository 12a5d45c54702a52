import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { v7 as uuid } from 'uuid'
import { orThrow } from '../../async/unavailable.ts'
import { type BatchCommand, type BatchRejection, batchDecider } from '../../domain/fixity/batch/decide.ts'
import { type BatchEvent, batchStream } from '../../domain/fixity/batch/events.ts'
import type { BatchTask } from '../../domain/fixity/check-task.ts'
import type { RecordedRow } from '../../domain/fixity/intact.ts'
import { batches } from '../../domain/fixity/views.ts'
import type { Lease } from '../../domain/kernel/lease.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { addMillis } from '../../domain/kernel/time.ts'
import type { Claimed } from '../../ports/task-queue.ts'
import type { Executed } from '../runtime/execute.ts'
import type { ClaimDependencies } from './claims.ts'

/** Small files that a hand takes at once. */
export const itemsOfHand = 100
/** Bytes that keep a hand busy for as long as a claim is worth. */
const bytesOfHand = 32 * 1024 * 1024

/** Bounds of a batch: its events and its report must stay well below what a log and a broker take. */
const maxItems = 500
const maxText = 300_000
/** Of several files together: what is read again after a kill. */
const maxBytes = 512 * 1024 * 1024

/** In parts of which `itemsOfHand` make a hand: a large file has one of its own. */
export const partOfHand = ({ size }: RecordedRow): number =>
  Math.min(itemsOfHand, Math.max(1, Math.ceil(((size ?? 0) / bytesOfHand) * itemsOfHand)))

/** Of one store each. Where no more is due, few items are parted, too: several threads read at once. */
export const inBatches = (
  due: readonly RecordedRow[],
  isMoreDue: boolean,
): readonly (readonly RecordedRow[])[] =>
  [...Map.groupBy(due, ({ store }) => store).values()].flatMap((all) => {
    const most = isMoreDue ? maxItems : Math.min(maxItems, Math.max(10, Math.ceil(all.length / 4)))
    const batches: RecordedRow[][] = []
    let [bytes, text] = [0, 0]
    for (const row of all) {
      const batch = batches.at(-1)
      const [size, length] = [row.size ?? 0, textOf(row)]
      const isFull = !batch || batch.length >= most || bytes + size > maxBytes || text + length > maxText
      if (isFull) batches.push([row])
      else batch.push(row)
      ;[bytes, text] = isFull ? [size, length] : [bytes + size, text + length]
    }
    return batches
  })

/** Characters that it takes in an event or a report, about. */
const textOf = ({ path, checksums }: RecordedRow): number => 400 + path.length + checksums.length * 150

type ExecutedOnBatch = Executed<BatchEvent, BatchRejection, Lease>

const never = new AbortController().signal

/**
 * Claims the checks of items of one store in one event. Of two batches with the same item the first in the log has it, as the views show
 * once they have folded the claim. Undefined where others had claimed them all. Throws `UnavailableError`.
 */
export const claimBatch = async (
  due: readonly RecordedRow[],
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
  const release = (reason: string) => run({ type: 'ReleaseBatch', ...by(), reason }, () => undefined)

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

  try {
    await deps.viewsReach(position, never)
  } catch (error) {
    await release('the views do not show the claim')
    throw error
  }
  const before = heldBefore(deps, store, position)
  const files = due
    .filter(({ path }) => !before.has(path))
    .map(({ path, size, checksums, indexed }) => ({
      path,
      size: size ?? 0,
      checksums: [...checksums, ...(indexed?.checksums ?? [])],
    }))
  if (files.length === 0) {
    await release('others claimed all of it before')
    return undefined
  }

  const task = { batch, store, files }
  return {
    task,
    hands: Math.ceil(due.reduce((sum, row) => sum + partOfHand(row), 0) / itemsOfHand),
    tasks: files.length,
    correlationId,
    deadline,
    extend: () => {
      const deadline = later()
      const command = { type: 'ExtendBatch', ...by(), fence, deadline } as const
      return run(command, ({ kind }) => (kind === 'rejected' ? undefined : deadline))
    },
    release,
    // Nothing is said of items while their store is away, and no attempt is used up.
    fail: async (reason) =>
      (await deps.isToBeTold(store)) ? deps.reportFailure(task, reason, { correlationId }) : release(reason),
  }
}

/** By others: what this worker held was known to it when it chose. */
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
