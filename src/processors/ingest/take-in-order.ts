import type { Holds } from '../../domain/ingest/hold/decide.ts'
import type { IngestRejection } from '../../domain/ingest/rejection.ts'
import type { Clock } from '../../ports/clock.ts'
import type { MachineWaiting } from '../../ports/task-queue.ts'
import { notWaiting } from '../runtime/not-waiting.ts'
import type { ClaimedUntil } from './keep-claim.ts'

/** What came of a claim; `refused`: the same row may be tried again, as it is. */
export type Offered<Task> = ClaimedUntil<Task> | 'lost' | 'refused'

/** What stands against the claim is not in the row. */
export const isTriedAgain = ({ code }: IngestRejection): boolean =>
  code === 'paused' || code === 'not-yet' || code === 'jobs-open'

interface Queue<Row, Task> {
  readonly clock: Pick<Clock, 'monotonic'>
  /** The first that may be claimed, in order. */
  readonly waiting: (limit: number) => readonly Row[]
  /** Names the row as it stands: another one once anything has happened to it. */
  readonly nameOf: (row: Row) => string
  /** Whatever waits: false where nothing may be claimed from here. Asked when something waits. */
  readonly mayClaim?: (() => Promise<boolean>) | undefined
  /** What waits for this machine, by `workOf`. */
  readonly waits?: MachineWaiting | undefined
  readonly workOf: (row: Row) => string
  readonly holds: (rows: readonly Row[]) => Promise<ReadonlyMap<string, Holds>>
  readonly claim: (row: Row, holds: ReadonlyMap<string, Holds>) => Promise<Offered<Task>>
}

/** How long a view may lag before what was tried is tried again. */
const lagMillis = 5000

/**
 * Claims the first that wait, in their order. Views come a moment later: what this process has tried is not tried again
 * before its row has changed, or the view had time enough.
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
