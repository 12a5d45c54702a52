import { type Part, parts } from '../../../domain/fixity/item-states.ts'
import { counts, days } from '../../../domain/fixity/views.ts'
import { type ConditionOn, is, rows, tally } from '../../../domain/kernel/read-views.ts'
import { DAY } from '../../../domain/kernel/time.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { Counts } from './answers.ts'

/* Counts of a store's items in the views, now and for each day: no item's row is read. */

/** Counts as in the report; late items as of the last full hour. */
export const countsOf = (views: Pick<Views, 'query'>, store: string, now: string): Counts => {
  const counted = (...where: readonly ConditionOn<typeof counts>[]) =>
    rows(views, counts, { where: [is('store', store), ...where] })
  const items = counterOf(counted(is('of', 'state')).map(({ value, count }) => [value, count]))
  const hour = now.slice(0, '2026-01-31T12'.length)
  for (const { value, count } of counted(is('of', 'late'), { column: 'value', is: '<', value: hour }))
    makeLate(items, value.slice(hour.length + 1), count)
  return countsIn(items)
}

/**
 * The day since which every item in the store was checked, or recorded, unread ones included; undefined if none is to be
 * checked.
 */
export const checkedSince = (views: Pick<Views, 'query'>, store: string): string | undefined =>
  [earliest(views, store, 'looked'), earliest(views, store, 'unread')]
    .filter((day) => day !== undefined)
    .sort()[0]

const earliest = (views: Pick<Views, 'query'>, store: string, of: 'looked' | 'unread'): string | undefined =>
  rows(views, counts, {
    where: [is('of', of), is('store', store)],
    orderBy: [{ column: 'value' }],
    limit: 1,
  })[0]?.value

/**
 * The day since which every item's check has finished, unread items left out; undefined if one never has, if an item is
 * parked or suspect (nobody knows then), or if none is to be checked, or all are unread.
 */
export const fullCycleSince = (
  views: Pick<Views, 'query'>,
  store: string,
  now: string,
): string | undefined => {
  const { unchecked, parked, suspect } = countsOf(views, store, now)
  return unchecked + parked + suspect > 0 ? undefined : earliest(views, store, 'looked')
}

export interface DayCounts extends Counts {
  /** Day of UTC: `2026-01-31`. */
  readonly day: string
}

/** How many items were in each state when each day ended; the last is today, as it is now. `first` is a day of UTC. */
export const daysOf = (
  views: Pick<Views, 'query' | 'tally'>,
  store: string,
  first: string,
  now: string,
): readonly DayCounts[] => {
  const today = now.slice(0, day)
  const before = { column: 'day', is: '<', value: first } as const
  const within = { column: 'day', is: '>=', value: first } as const
  const of = (kind: 'state' | 'late') => [is('store', store), is('of', kind)]
  const state = counterOf(parts.map((part) => [part, lastBefore(views, store, part, first)]))
  const late = counterOf(
    tally(views, days, { by: ['state'], sum: ['items'], where: [...of('late'), before] }).map(
      (row) => [row.state, row.items] as const,
    ),
  )
  const stillLate = rows(views, counts, { where: [is('store', store), is('of', 'late')] })
  const changes = Map.groupBy(rows(views, days, { where: [is('store', store), within] }), (row) => row.day)
  return daysFrom(first, today).map((day) => {
    for (const { of, state: name, items } of changes.get(day) ?? []) {
      if (of === 'state') state.set(name, items)
      else late.set(name, (late.get(name) ?? 0) + items)
    }
    if (day === today) return { day, ...countsOf(views, store, now) }
    const items = new Map(state)
    for (const [name, count] of late) makeLate(items, name, count)
    for (const { value, count } of stillLate)
      if (value.slice(0, day.length) <= day) makeLate(items, value.slice(hourAndSpace), count)
    return { day, ...countsIn(items) }
  })
}

/** Characters of an instant. */
const day = '2026-01-31'.length
const hourAndSpace = '2026-01-31T12 '.length

/** Counts items of a state as late instead. */
const makeLate = (items: Map<string, number>, state: string, count: number): void => {
  items.set(state, (items.get(state) ?? 0) - count)
  items.set('late', (items.get('late') ?? 0) + count)
}

const lastBefore = (views: Pick<Views, 'query'>, store: string, part: Part, first: string): number =>
  rows(views, days, {
    where: [
      is('store', store),
      is('of', 'state'),
      is('state', part),
      { column: 'day', is: '<', value: first },
    ],
    orderBy: [{ column: 'day', descending: true }],
    limit: 1,
  })[0]?.items ?? 0

const counterOf = (counted: readonly (readonly [string, number])[]): Map<string, number> => new Map(counted)

const countsIn = (items: ReadonlyMap<string, number>): Counts => {
  const of = (part: Part) => items.get(part) ?? 0
  const counted = Object.fromEntries(parts.map((part) => [part, of(part)])) as { [P in Part]: number }
  return { expected: parts.reduce((sum, part) => sum + of(part), 0), ...counted }
}

const daysFrom = (first: string, last: string): readonly string[] => {
  const start = Date.parse(first)
  const length = Math.max(0, (Date.parse(last) - start) / DAY) + 1
  return Array.from({ length }, (_, i) => new Date(start + i * DAY).toISOString().slice(0, day))
}
