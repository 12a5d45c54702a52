import type { Queue } from '../../domain/fixity/events.ts'
import { itemOf } from '../../domain/fixity/item.ts'
import { stateOf } from '../../domain/fixity/item-states.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { countItem } from './count-rows.ts'
import { endRequests } from './request-rows.ts'
import type { FixityTables, ItemRow } from './tables.ts'

/**
 * Leaves out columns that follow from the others: the state, when a worker may claim it, and the sparse column of its
 * attempts.
 */
type Change = Partial<Omit<ItemRow, 'available' | 'state' | 'retry'>>

/** Changes an item's row by an event of its own stream. */
export const changeItem = (
  tables: FixityTables,
  event: RecordedEvent,
  change: (row: ItemRow) => Change,
): ItemRow => {
  const before = itemRow(tables, event)
  const changed = change(before)
  if ('due' in changed) endRequests(tables, before.store, [before.path])
  return putItem(tables, event, before, changed, Number(event.revision))
}

export const putItem = (
  tables: FixityTables,
  event: RecordedEvent,
  before: ItemRow,
  change: Change,
  revision: number = before.revision,
): ItemRow => {
  // One copy: a row has many columns.
  const row: { -readonly [Column in keyof ItemRow]: ItemRow[Column] } = { ...before, revision }
  Object.assign(row, change)
  row.state = stateOf(row)
  // A claimed item is not available before its claim ends, whatever is due meanwhile.
  row.available = row.heldUntil ?? row.due
  row.retry = row.attempts > 0 ? row.attempts : null
  tables['fixity-items'].put(row)
  countItem(tables, event, before, row)
  return row
}

/** The same for an event that ends the claim on the item, if there is one. */
export const changeFreedItem = (
  tables: FixityTables,
  event: RecordedEvent,
  change: (row: ItemRow) => Change = () => ({}),
): ItemRow =>
  changeItem(tables, event, (row) => {
    if (row.heldUntil !== null) tables['fixity-claims'].delete(row.store, row.path)
    return { heldUntil: null, ...change(row) }
  })

/** A check from its first attempt. */
export const freshRun = (due: string, queue: Queue) => ({ parked: 0, attempts: 0, ownRun: 0, due, queue })

const itemRow = (tables: FixityTables, event: RecordedEvent): ItemRow => {
  const { store, path } = itemOf(idOf(event.stream))
  // A stream's first event has no row: to read it would cost a query for each item.
  const known = event.revision === 0n ? undefined : tables['fixity-items'].get(store, path)
  return known ?? unknownItem(store, path)
}

/** The row of an item without a record: an index or an observer may be the first to know it. */
const unknownItem = (store: string, path: string): ItemRow => ({
  store,
  path,
  folder: path.slice(0, Math.max(0, path.lastIndexOf('/'))),
  state: 'unrecorded',
  outcome: null,
  baseline: 0,
  unread: 0,
  suspect: 0,
  failedOn: null,
  settlement: null,
  open: 0,
  unusable: 0,
  link: 0,
  removed: 0,
  parked: 0,
  size: null,
  checksums: [],
  indexed: null,
  indexedBy: null,
  recordedFrom: null,
  recordedAt: null,
  lastChecked: null,
  lastVerified: null,
  lastAgreed: null,
  due: null,
  lateAfter: null,
  queue: 'low',
  available: null,
  heldUntil: null,
  attempts: 0,
  retry: null,
  row: null,
  because: null,
  revision: 0,
  ownRun: 0,
  seenAsFile: 0,
})
