import { itemOf } from '../../domain/fixity/item.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { RowOf, TablesOf } from '../runtime/projection.ts'
import { bitLog, claims, items, resolutions, stores } from './views.ts'

export const views = [items, claims, bitLog, resolutions, stores] as const
export type FixityTables = TablesOf<typeof views>
export type ItemRow = RowOf<typeof items>

/** What an event changes in its item's row. */
export const changeItem = (
  tables: FixityTables,
  event: RecordedEvent,
  change: (row: ItemRow) => Partial<ItemRow>,
): ItemRow => {
  const before = itemRow(tables, event)
  const after = { ...before, ...change(before) }
  tables['fixity-items'].put(after)
  return after
}

/** The same, of an event that ends the claim on the item, if there is one. */
export const changeFreedItem = (
  tables: FixityTables,
  event: RecordedEvent,
  change: (row: ItemRow) => Partial<ItemRow>,
): ItemRow =>
  changeItem(tables, event, (row) => {
    if (row.heldUntil !== null) tables['fixity-claims'].delete(row.store, row.path)
    return { heldUntil: null, ...change(row) }
  })

/** The columns that say when, and in which queue, a worker may claim the item. */
export const waiting = (dueAt: string | null, queue: string) =>
  ({ due: dueAt, available: dueAt, queue }) as const

/** The same, where a claim may go on while something new is due: nobody else may have the item before it ends. */
export const waitingBehindClaim = ({ heldUntil }: ItemRow, dueAt: string, queue: string) => ({
  ...waiting(dueAt, queue),
  available: heldUntil !== null && heldUntil > dueAt ? heldUntil : dueAt,
})

const itemRow = (tables: FixityTables, event: RecordedEvent): ItemRow => {
  const { store, path } = itemOf(idOf(event.stream))
  // A stream's first event finds no row: looking for one would cost a read an item.
  const known = event.revision === 0n ? undefined : tables['fixity-items'].get(store, path)
  return known ?? unknownItem(store, path)
}

/** An item of which only an outside index or observer has spoken so far: nothing is expected of it yet. */
const unknownItem = (store: string, path: string): ItemRow => ({
  store,
  path,
  folder: path.slice(0, Math.max(0, path.lastIndexOf('/'))),
  state: 'unchecked',
  removed: 0,
  parked: 0,
  size: null,
  checksums: [],
  indexed: null,
  recordedFrom: null,
  recordedAt: null,
  lastChecked: null,
  lastVerified: null,
  due: null,
  lateAfter: null,
  queue: 'low',
  available: null,
  heldUntil: null,
  attempts: 0,
  row: null,
  because: null,
})
