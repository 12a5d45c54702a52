interface Waiting {
  /** Until when it was claimed or put off; empty: it may be claimed at once. */
  readonly available: string | null
}

interface Due {
  readonly column: 'available'
  readonly is: '<=' | '>'
  readonly value: string
}

/** Rows of one queue that are `due`; `ordered`: by `available`, then by the order of the queue. */
type Ask<Row> = (due: readonly Due[], limit: number, ordered: boolean) => readonly Row[]

/** Those whose claim ran out, or that were put off, are few: the others are the first of an index. */
const maxReturned = 500

/** The first that may be claimed now, in the order of the queue. */
export const firstWaiting = <Row extends Waiting>(
  ask: Ask<Row>,
  compare: (one: Row, other: Row) => number,
  now: string,
  limit: number,
): readonly Row[] => {
  const byNow: Due = { column: 'available', is: '<=', value: now }
  const first = ask([byNow], limit, true)
  if (first.length < limit) return first.toSorted(compare)
  const returned = ask([{ column: 'available', is: '>', value: '' }, byNow], maxReturned, false)
  const atOnce = first.filter(({ available }) => available === '')
  return [...atOnce, ...returned].toSorted(compare).slice(0, limit)
}
