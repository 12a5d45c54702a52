import { is } from '../../domain/kernel/read-views.ts'
import { addMillis } from '../../domain/kernel/time.ts'
import type { Condition } from '../../domain/kernel/view.ts'
import { maxSkewMillis } from '../../domain/kernel/waiting.ts'

interface Waiting {
  /** Time until which it is claimed or put off; empty: it may be claimed at once. */
  readonly available: string | null
}

type Due = Condition<'available' | 'holder' | 'lastModified'>

/** Rows of one queue that are `due`; `ordered`: by `available`, then by the order of the queue. */
type Ask<Row> = (due: readonly Due[], limit: number, ordered: boolean) => readonly Row[]

/** Most rows whose claim ran out, or that were put off: they are few. The others are the first of an index. */
const maxReturned = 500

/** The first rows that may be claimed now, in the order of the queue. */
export const firstWaiting = <Row extends Waiting>(
  ask: Ask<Row>,
  compare: (one: Row, other: Row) => number,
  now: string,
  limit: number,
): readonly Row[] => {
  const byNow: Due = { column: 'available', is: '<=', value: now }
  const first = ask([byNow], limit, true)
  if (first.length < limit)
    return [...first, ...ask(aheadOf(now), limit - first.length, false)].toSorted(compare)
  const returned = ask([{ column: 'available', is: '>', value: '' }, byNow], maxReturned, false)
  const atOnce = first.filter(({ available }) => available === '')
  return [...atOnce, ...returned].toSorted(compare).slice(0, limit)
}

/** Rows put off by a clock that ran ahead: nobody has to wait for them (`isWaiting`). */
const aheadOf = (now: string): readonly Due[] => [
  { column: 'available', is: '>', value: now },
  is('holder', null),
  { column: 'lastModified', is: '>', value: addMillis(now, maxSkewMillis) },
]
