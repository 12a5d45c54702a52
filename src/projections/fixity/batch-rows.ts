import type { BatchEvent, IntactGroup, IntactItem } from '../../domain/fixity/batch/events.ts'
import { isAtRest } from '../../domain/fixity/intact.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { Handlers } from '../runtime/projection.ts'
import { digests, endOfRun } from './decision-rows.ts'
import { putItem } from './item-rows.ts'
import { noteRead } from './read-rows.ts'
import { endRequests } from './request-rows.ts'
import type { FixityTables } from './tables.ts'

/** Handlers for batches of checks: their holders, and the items that they found as recorded. */
export const batchHandlers: Handlers<BatchEvent, FixityTables> = {
  BatchClaimed: ({ store, items, holder, fence, deadline }, event, tables) =>
    tables['fixity-batches'].put({
      batch: idOf(event.stream),
      store,
      holder,
      fence,
      since: event.recordedAt,
      deadline,
      items: items.length,
      paths: items.map(({ path }) => path),
      position: Number(event.position),
    }),
  BatchExtended: ({ deadline }, event, tables) => {
    const row = tables['fixity-batches'].get(idOf(event.stream))
    if (row) tables['fixity-batches'].put({ ...row, deadline })
  },
  BatchReleased: (_, event, tables) => endBatch(event, tables),
  // Its items are held until their failed attempts are written.
  BatchExpired: ({ isSettledApart, at }, event, tables) => {
    const row = tables['fixity-batches'].get(idOf(event.stream))
    if (!isSettledApart) endBatch(event, tables)
    else if (row) tables['fixity-batches'].put({ ...row, deadline: at })
  },
  BatchSettled: (_, event, tables) => endBatch(event, tables),
  BatchChecked: ({ store, intact }, event, tables) => {
    endBatch(event, tables)
    const read = intact.flatMap(({ items }) => items)
    const bytes = read.reduce((sum, { size }) => sum + size, 0)
    if (read.length > 0) noteRead(tables, event, store, { checks: read.length, bytes })
    const noted: string[] = []
    for (const { items, ...found } of intact)
      for (const item of items) if (noteIntact(tables, event, store, found, item)) noted.push(item.path)
    endRequests(tables, store, noted)
  },
}

const endBatch = (event: RecordedEvent, tables: FixityTables): void =>
  tables['fixity-batches'].delete(idOf(event.stream))

/** False if an event in the item's own stream came since its claim: the finding is of an older record. */
const noteIntact = (
  tables: FixityTables,
  event: RecordedEvent,
  store: string,
  { pattern, row, because }: Omit<IntactGroup, 'items'>,
  { path, revision, checksums, observedAt, dueAt }: IntactItem,
): boolean => {
  const before = tables['fixity-items'].get(store, path)
  if (!before || before.revision !== revision || !isAtRest(before)) return false
  putItem(tables, event, before, {
    ...endOfRun,
    row,
    because,
    outcome: 'success',
    unread: 0,
    baseline: before.checksums.some(({ algorithm, basis }) => !basis && checksums[algorithm]) ? 0 : 1,
    seenAsFile: 1,
    lastChecked: observedAt,
    lastVerified: observedAt,
    lastAgreed: observedAt,
    due: dueAt,
    lateAfter: dueAt,
  })
  // In the order of the view's columns: a row in another is copied.
  tables['fixity-bit-log'].put({
    store,
    path,
    at: observedAt,
    result: 'SUCCESS',
    unread: 0,
    because,
    row,
    pattern,
    recorded: digests(before.checksums) || 'no checksum',
    found: digests(Object.entries(checksums).map(([algorithm, value]) => ({ algorithm, value }))),
    position: Number(event.position),
  })
  return true
}

/** Number of rows written for an event. */
export const weightOf = ({ data }: RecordedEvent): number => {
  const { intact, paths } = data as Partial<{
    intact: readonly { readonly items?: readonly unknown[] }[]
    paths: readonly unknown[]
  }>
  const found = Array.isArray(intact) ? intact.reduce((sum, { items }) => sum + (items?.length ?? 0), 0) : 0
  return Math.max(1, found, Array.isArray(paths) ? paths.length : 0)
}
