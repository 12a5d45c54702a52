import { dated, expectedStates, type State } from '../../domain/fixity/item-states.ts'
import type { counts, days } from '../../domain/fixity/views.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { FixityTables, ItemRow } from './tables.ts'

type Kind = RowOf<typeof counts>['of']

/** Values that an item counts as; undefined if it is not expected to be there. */
const countedAs: Readonly<Record<Kind, (row: ItemRow) => string | undefined>> = {
  state: (row) => (isExpected(row) ? row.state : undefined),
  late: (row) =>
    isExpected(row) && isDated.has(row.state) && row.lateAfter !== null
      ? `${row.lateAfter.slice(0, hour)} ${row.state}`
      : undefined,
  // Lost items are not checked any more.
  looked: (row) => (row.state === 'lost' || row.state === 'unread' ? undefined : lastDayOf(row)),
  unread: (row) => (row.state === 'unread' ? lastDayOf(row) : undefined),
}

const lastDayOf = (row: ItemRow): string | undefined =>
  isExpected(row) ? (row.lastChecked ?? row.recordedAt)?.slice(0, day) : undefined

/** Characters of an instant. */
const day = '2026-01-31'.length
const hour = '2026-01-31T12'.length

const expected: ReadonlySet<State> = new Set(expectedStates)
const isDated: ReadonlySet<State> = new Set(dated)
const isExpected = ({ state, removed }: ItemRow): boolean => removed === 0 && expected.has(state)

const kinds = Object.keys(countedAs) as Kind[]

/** Moves an item between counts if its value has changed. */
export const countItem = (
  tables: FixityTables,
  { recordedAt }: Pick<RecordedEvent, 'recordedAt'>,
  before: ItemRow,
  after: ItemRow,
): void => {
  const { store } = after
  const today = recordedAt.slice(0, day)
  for (const of of kinds) {
    const was = countedAs[of](before)
    const is = countedAs[of](after)
    if (was === is) continue
    if (was !== undefined) {
      const items = add(tables, of, store, was, -1)
      if (of === 'state') noteDay(tables, { store, of, state: was, day: today, items })
      if (of === 'late') noteLate(tables, store, was, today)
    }
    if (is !== undefined) {
      const items = add(tables, of, store, is, 1)
      if (of === 'state') noteDay(tables, { store, of, state: is, day: today, items })
    }
  }
}

const add = (tables: FixityTables, of: Kind, store: string, value: string, by: 1 | -1): number => {
  const table = tables['fixity-counts']
  const count = (table.get(of, store, value)?.count ?? 0) + by
  if (count === 0) table.delete(of, store, value)
  else table.put({ of, store, value, count })
  return count
}

const noteDay = (tables: FixityTables, row: RowOf<typeof days>): void => tables['fixity-days'].put(row)

/** Keeps an item that was late at the end of a day, once it is no longer late: until then `fixity-counts` has it. */
const noteLate = (tables: FixityTables, store: string, was: string, today: string): void => {
  const became = was.slice(0, day)
  if (became >= today) return
  const state = was.slice(hour + 1)
  const table = tables['fixity-days']
  for (const [on, by] of [
    [became, 1],
    [today, -1],
  ] as const) {
    const items = (table.get(store, 'late', state, on)?.items ?? 0) + by
    table.put({ store, of: 'late', state, day: on, items })
  }
}
