import type { FixityEvent } from '../../domain/fixity/events.ts'
import type { IndexEntry } from '../../domain/fixity/views.ts'
import type { Handlers } from '../runtime/projection.ts'
import { changeItem } from './item-rows.ts'
import type { FixityTables, ItemRow } from './tables.ts'

/** Handlers for the content index's entry of an item: of an outside index, or of our own. */
export const indexHandlers: Handlers<FixityEvent, FixityTables> = {
  IndexRecorded: (data, event, tables) =>
    changeItem(tables, event, () => ({ indexed: indexEntry(data), indexedBy: 'outside' })),
  IndexRemoved: (_, event, tables) =>
    changeItem(tables, event, () => ({ indexed: null, indexedBy: 'outside' })),
  IndexCorrected: (data, event, tables) =>
    changeItem(tables, event, ({ indexedBy }) => ({
      indexed: indexEntry(data),
      indexedBy: indexedBy ?? 'own',
    })),
  IndexEntryRemoved: (_, event, tables) => changeItem(tables, event, () => ({ indexed: null })),
}

/** The entry of our own index, a copy of the audit log's. The entry of an outside index stays. */
export const ownIndex = ({ indexedBy, indexed }: ItemRow, entry: IndexEntry | null) =>
  indexedBy === 'outside' ? { indexed } : { indexed: entry, indexedBy: entry && ('own' as const) }

/** Without the fields that only the event has. */
export const indexEntry = ({
  checksums,
  size,
}: Pick<IndexEntry, 'checksums'> & { readonly size?: number | undefined }): IndexEntry =>
  size === undefined ? { checksums } : { checksums, size }
