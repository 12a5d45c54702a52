import type { Clock } from '../../ports/clock.ts'
import type { Claimed, MachineWaiting, TaskQueue } from '../../ports/task-queue.ts'
import type { Offered } from './claim.ts'

export interface ClaimQueueOptions<Row, Task> extends Pick<TaskQueue<Task>, 'name' | 'nextDue'> {
  readonly clock: Pick<Clock, 'monotonic'>
  /** The first rows of the view that may be claimed now, in order. */
  readonly waiting: (limit: number) => Promise<readonly Row[]>
  /**
   * Name of the row as it stands: it changes with the row. Views lag a moment: a row that this process has tried is not
   * tried again before it has changed, or the view had time enough. Absent: it is tried each time.
   */
  readonly nameOf?: (row: Row) => string
  /** False if nothing may be claimed from here, whatever waits. Called if something waits. */
  readonly mayClaim?: (() => Promise<boolean>) | undefined
  /** Work that waits for this machine, by `workOf`. */
  readonly waits?: MachineWaiting | undefined
  readonly workOf: (row: Row) => string
  /** Returns the function that claims one of these rows. */
  readonly claimer: (rows: readonly Row[]) => Promise<(row: Row) => Promise<Offered<Task>>>
}

/** Milliseconds that a view may lag before a tried row is tried again. */
const lagMillis = 5000

/** Claims the first rows that wait in a view, in their order. */
export const claimQueue = <Row, Task>(queue: ClaimQueueOptions<Row, Task>): TaskQueue<Task> => {
  const { name, nextDue, clock, nameOf, waits } = queue
  /** Names of rows, and when each was tried. */
  const tried = new Map<string, number>()
  const isTried = (row: Row): boolean => nameOf !== undefined && tried.has(nameOf(row))

  return {
    name,
    nextDue,
    take: async (limit) => {
      const now = clock.monotonic()
      const rows = await queue.waiting(limit + tried.size + (waits?.count() ?? 0))
      const names = new Set(nameOf && rows.map(nameOf))
      for (const [row, since] of tried) if (!names.has(row) || now - since >= lagMillis) tried.delete(row)
      const untried = rows.filter((row) => !isTried(row))
      const next = await notWaiting(untried, limit, waits, queue.workOf)
      if (next.length === 0 || (await queue.mayClaim?.()) === false) return []
      return claimAll(next, await queue.claimer(next), (row) => nameOf && tried.set(nameOf(row), now))
    },
  }
}

/** Throws the failure of a claim only if no other was granted: granted claims must be worked on. */
export const claimAll = async <Row, Task>(
  rows: readonly Row[],
  claim: (row: Row) => Promise<Offered<Task>>,
  onTried: (row: Row) => unknown = () => {},
): Promise<readonly Claimed<Task>[]> => {
  const offers = await Promise.allSettled(rows.map(claim))
  const claims: Claimed<Task>[] = []
  offers.forEach((offer, i) => {
    if (offer.status === 'rejected' || offer.value === 'refused') return
    onTried(rows[i]!)
    if (offer.value !== 'lost') claims.push(offer.value)
  })
  const failure = offers.find((offer) => offer.status === 'rejected')
  if (claims.length === 0 && failure) throw failure.reason
  return claims
}

/**
 * Returns the first `limit` rows that do not wait for the machine: a claim of one that does would come to nothing, in
 * two events.
 */
export const notWaiting = async <Row>(
  rows: readonly Row[],
  limit: number,
  waits: MachineWaiting | undefined,
  workOf: (row: Row) => string,
): Promise<readonly Row[]> => {
  if (!waits || waits.count() === 0) return rows.slice(0, limit)
  const found: Row[] = []
  for (const row of rows) {
    if (found.length === limit) break
    if (!(await waits.lasts(workOf(row)))) found.push(row)
  }
  return found
}
