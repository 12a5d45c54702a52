import type { Holds } from '../../domain/ingest/hold/decide.ts'
import type { IngestRejection } from '../../domain/ingest/rejection.ts'
import type { ClaimedUntil } from './keep-claim.ts'

/** What came of a claim; `refused`: the same row may be tried again, as it is. */
export type Offered<Task> = ClaimedUntil<Task> | 'lost' | 'refused'

/** What stands against the claim is not in the row. */
export const isTriedAgain = ({ code }: IngestRejection): boolean =>
  code === 'paused' || code === 'not-yet' || code === 'jobs-open'

interface Queue<Row, Task> {
  /** The first that may be claimed, in order. */
  readonly waiting: (limit: number) => readonly Row[]
  /** Names the row as it stands: another one once anything has happened to it. */
  readonly nameOf: (row: Row) => string
  readonly holds: (rows: readonly Row[]) => Promise<ReadonlyMap<string, Holds>>
  readonly claim: (row: Row, holds: ReadonlyMap<string, Holds>) => Promise<Offered<Task>>
}

/**
 * Claims the first that wait, in their order. Views come a moment later: what this process has tried is not tried again
 * before its row has changed.
 */
export const takeInOrder = <Row, Task>(
  queue: Queue<Row, Task>,
): ((limit: number) => Promise<readonly ClaimedUntil<Task>[]>) => {
  let tried: ReadonlySet<string> = new Set()

  return async (limit) => {
    const seen = queue.waiting(limit + tried.size)
    tried = new Set(seen.map(queue.nameOf).filter((name) => tried.has(name)))
    const next = seen.filter((row) => !tried.has(queue.nameOf(row))).slice(0, limit)
    if (next.length === 0) return []
    const holds = await queue.holds(next)
    const offers = await Promise.allSettled(next.map((row) => queue.claim(row, holds)))
    const claims: ClaimedUntil<Task>[] = []
    const names = new Set(tried)
    offers.forEach((offer, i) => {
      if (offer.status === 'rejected' || offer.value === 'refused') return
      names.add(queue.nameOf(next[i]!))
      if (offer.value !== 'lost') claims.push(offer.value)
    })
    tried = names
    // Granted claims must be worked on, whatever became of the others.
    const failure = offers.find((offer) => offer.status === 'rejected')
    if (claims.length === 0 && failure) throw failure.reason
    return claims
  }
}
