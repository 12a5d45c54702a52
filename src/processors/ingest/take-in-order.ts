import type { Holds } from '../../domain/ingest/hold/decide.ts'
import type { IngestRejection } from '../../domain/ingest/rejection.ts'
import type { Clock } from '../../ports/clock.ts'
import type { MachineWaiting } from '../../ports/task-queue.ts'
import { notWaiting } from '../runtime/not-waiting.ts'
import type { ClaimedUntil } from './keep-claim.ts'

/** Outcome of a claim. `refused`: the same row may be tried again, unchanged. */
export type Offered<Task> = ClaimedUntil<Task> | 'lost' | 'refused'

/** True if the reason against the claim is not in the row. */
export const isTriedAgain = ({ code }: IngestRejection): boolean =>
  code === 'paused' || code === 'not-yet' || code === 'jobs-open'

interface Queue<Row, Task> {
  readonly clock: Pick<Clock, 'monotonic'>
  /** The first rows that may be claimed, in order. */
  readonly waiting: (limit: number) => readonly Row[]
  /** Name of the row as it stands: it changes with the row. */
  readonly nameOf: (row: Row) => string
  /** False if nothing may be claimed from here, whatever waits. Called if something waits. */
  readonly mayClaim?: (() => Promise<boolean>) | undefined
  /** Work that waits for this machine, by `workOf`. */
  readonly waits?: MachineWaiting | undefined
  readonly workOf: (row: Row) => string
  readonly holds: (rows: readonly Row[]) => Promise<ReadonlyMap<string, Holds>>
  readonly claim: (row: Row, holds: ReadonlyMap<string, Holds>) => Promise<Offered<Task>>
}

/** Milliseconds that a view may lag before a tried row is tried again. */
const lagMillis = 5000

/**
 * Claims the first waiting rows, in their order. Views lag a moment: a row that this process has tried is not tried
 * again before it has changed, or the view had time enough.
 */
export const takeInOrder = <Row, Task>(
  queue: Queue<Row, Task>,
): ((limit: number) => Promise<readonly ClaimedUntil<Task>[]>) => {
  /** Names of rows, and when each was tried. */
  let tried: ReadonlyMap<string, number> = new Map()

  return async (limit) => {
    const now = queue.clock.monotonic()
    const seen = queue
      .waiting(limit + tried.size + (queue.waits?.count() ?? 0))
      .map((row) => ({ row, name: queue.nameOf(row) }))
    const known = new Map(
      seen.flatMap(({ name }) => {
        const since = tried.get(name)
        return since !== undefined && now - since < lagMillis ? [[name, since] as const] : []
      }),
    )
    tried = known
    const untried = seen.filter(({ name }) => !known.has(name))
    const next = await notWaiting(untried, limit, queue.waits, ({ row }) => queue.workOf(row))
    if (next.length === 0 || (await queue.mayClaim?.()) === false) return []
    const holds = await queue.holds(next.map(({ row }) => row))
    const offers = await Promise.allSettled(next.map(({ row }) => queue.claim(row, holds)))
    const claims: ClaimedUntil<Task>[] = []
    offers.forEach((offer, i) => {
      if (offer.status === 'rejected' || offer.value === 'refused') return
      known.set(next[i]!.name, now)
      if (offer.value !== 'lost') claims.push(offer.value)
    })
    // Granted claims must be worked on, whatever became of the others.
    const failure = offers.find((offer) => offer.status === 'rejected')
    if (claims.length === 0 && failure) throw failure.reason
    return claims
  }
}
