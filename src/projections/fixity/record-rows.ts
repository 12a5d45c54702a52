import { asFirstReading } from '../../domain/fixity/checksum.ts'
import type { FixityEvent } from '../../domain/fixity/events.ts'
import { unusable } from '../../domain/fixity/witness.ts'
import type { Handlers } from '../runtime/projection.ts'
import { indexEntry, ownIndex } from './index-rows.ts'
import { changeItem, freshRun } from './item-rows.ts'
import type { FixityTables } from './tables.ts'

/** Handlers for the audit log's record of an item. */
export const recordHandlers: Handlers<FixityEvent, FixityTables> = {
  ContentRecorded: (data, event, tables) => {
    changeItem(tables, event, (row) => ({
      outcome: null,
      failedOn: null,
      baseline: 0,
      unread: 0,
      suspect: 0,
      unusable: unusable(data).length,
      link: 0,
      seenAsFile: 0,
      removed: 0,
      size: data.size ?? null,
      checksums: data.checksums,
      ...ownIndex(row, indexEntry(data)),
      recordedFrom: data.recordedFrom,
      recordedAt: data.at,
      row: null,
      because: null,
      lateAfter: data.dueAt,
      ...freshRun(data.dueAt, 'low'),
    }))
  },
  ContentRemoved: (data, event, tables) =>
    changeItem(tables, event, (row) => ({
      removed: 1,
      suspect: 0,
      // Content found without a record is not known to be there any more.
      outcome: row.recordedAt === null ? null : row.outcome,
      ...ownIndex(row, null),
      lateAfter: null,
      ...freshRun(data.dueAt, 'low'),
    })),
  AuditSupplemented: ({ checksums }, event, tables) =>
    changeItem(tables, event, ({ recordedAt, removed, checksums: known }) =>
      // Only a record can be supplemented, not an observer's word in its place.
      recordedAt === null || removed === 1 ? {} : { checksums: [...known, ...asFirstReading(checksums)] },
    ),
}
