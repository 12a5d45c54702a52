import { is } from '../../domain/kernel/read-views.ts'
import { addMillis } from '../../domain/kernel/time.ts'
import type { Condition } from '../../domain/kernel/view.ts'
import { maxSkewMillis } from '../../domain/kernel/waiting.ts'

export interface StepRow {
  /** Names the collection, whose holds concern it. */
  readonly collection: string
  /** Time until which it is claimed or put off; empty: it may be claimed at once. */
  readonly available: string | null
}

type Due = Condition<'available' | 'holder' | 'lastModified' | 'site'>

/** The rows of one queue, in a view. */
export interface StepView<Row> {
  /** `ordered`: by `available`, then by the order of the queue. */
  readonly read: (due: readonly Due[], limit: number, ordered: boolean) => readonly Row[]
  /** The order of the queue. */
  readonly compare: (one: Row, other: Row) => number
  /** True if any process can do this work; else only one that has its site. */
  readonly isAnywhere?: boolean
}

/** Most rows whose claim ran out, or that were put off: they are few. The others are the first of an index. */
const maxReturned = 500

/** The first rows that may be claimed now by a process with these sites, in the order of the queue. */
export const firstWaiting = <Row extends StepRow>(
  { read, compare, isAnywhere }: StepView<Row>,
  here: readonly string[] = [],
  now: string,
  limit: number,
): readonly Row[] => {
  const byNow: Due = { column: 'available', is: '<=', value: now }
  const atSites: Due = { column: 'site', is: 'in', value: ['', ...here] }
  const ask = (due: readonly Due[], most: number, ordered: boolean) =>
    read(isAnywhere ? due : [atSites, ...due], most, ordered)
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
