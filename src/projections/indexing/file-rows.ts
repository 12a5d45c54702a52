import type { IndexingEvent } from '../../domain/indexing/events.ts'
import { fileOf } from '../../domain/indexing/file.ts'
import { fileStateOf, isUnpublished } from '../../domain/indexing/file-states.ts'
import { evolve, type FileState, initial } from '../../domain/indexing/state.ts'
import type { files, views } from '../../domain/indexing/views.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { TablesOf } from '../runtime/projection.ts'
import { factsOf, noFailure } from './event-facts.ts'

export type IndexingTables = TablesOf<typeof views>
type FileRow = RowOf<typeof files>

/**
 * Folds an event into its file's row: the decider's state, other facts of the event, and columns that follow from both.
 */
export const noteFile = (tables: IndexingTables, event: RecordedEvent, what: IndexingEvent): void => {
  const file = fileOf(idOf(event.stream))
  // A stream's first event has no row: to read it would cost a query for each file.
  const before = event.revision === 0n ? undefined : tables['indexing-files'].get(file.repository, file.name)
  const folded = evolve(before?.folded ?? initial, what)
  const discoveredAt = before?.discoveredAt ?? event.recordedAt
  const row = {
    ...(before ?? noFacts),
    ...factsOf(what),
    ...placeIn(event, what),
    // The file's only failure was taken back.
    ...(what.type === 'ClaimReleased' && before?.failures === 1 && folded.failures === 0 && noFailure),
  }
  const after: FileRow = {
    ...row,
    ...file,
    discoveredAt,
    folded,
    ...columnsOf(folded, row.loss, discoveredAt, row.unpublishedSince ?? event.recordedAt),
  }
  tables['indexing-files'].put(after)
  if (before) count(tables, before, -1)
  count(tables, after, 1)
}

/** Adds a file to the counts of its kind, or removes it. */
const count = (tables: IndexingTables, row: FileRow, by: 1 | -1): void => {
  const { repository, state, kind } = row
  const counted = tables['indexing-counts'].get(repository, state, kind)
  tables['indexing-counts'].put({
    ...{ repository, state, kind },
    files: (counted?.files ?? 0) + by,
    lines: (counted?.lines ?? 0) + by * (row.lines ?? 0),
    bytes: (counted?.bytes ?? 0) + by * (row.size ?? 0),
    salvaged: (counted?.salvaged ?? 0) + by * row.salvaged,
    lostBytes: (counted?.lostBytes ?? 0) + by * (row.lostBytes ?? 0),
  })
}

const placeIn = ({ position }: RecordedEvent, { type }: IndexingEvent) =>
  type === 'FileIndexed' || type === 'FileWithdrawn' ? { position: Number(position) } : {}

const columnsOf = (folded: FileState, lost: FileRow['loss'], discoveredAt: string, since: string) => {
  const { kind, place, failures, lease, lastFence, copies, embargoUntil } = folded
  const state = fileStateOf(folded)
  const due = dueOf(folded)
  // A file that is to be read again may be whole now.
  const loss = state === 'indexed' ? lost : null
  return {
    kind,
    state,
    location: place?.location ?? null,
    size: place?.size ?? null,
    modifiedAt: place?.modifiedAt ?? null,
    date: place?.modifiedAt ?? discoveredAt,
    unpublishedSince: isUnpublished(state) ? since : null,
    failures,
    salvaged: loss ? 1 : 0,
    loss,
    lostBytes: loss?.bytes ?? null,
    conflict: copies.some(({ verdict }) => verdict === 'different') ? 1 : 0,
    due,
    queued: due !== null && !lease ? 1 : 0,
    holder: lease?.holder ?? null,
    heldUntil: lease?.deadline ?? null,
    fence: lastFence,
    embargoUntil: embargoUntil ?? null,
  }
}

/** The earlier due time of indexing and comparing. */
const dueOf = ({ kind, place, dueAt, copies }: FileState): string | null =>
  kind === 'unknown' || !place
    ? null
    : ([dueAt, ...copies.map((copy) => copy.dueAt)].filter((due) => due !== null).sort()[0] ?? null)

const noFacts = {
  unpublishedSince: null,
  code: null,
  because: null,
  offset: null,
  indexedAt: null,
  position: null,
  lines: null,
  digest: null,
  requestKeys: 0,
  loss: null,
  warnings: [],
} as const satisfies Partial<FileRow>
