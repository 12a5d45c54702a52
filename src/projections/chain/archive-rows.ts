import type { IndexingFileEvent } from '../../domain/chain/inputs.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { Handlers } from '../runtime/projection.ts'
import { changeVersion } from './standing.ts'
import type { ArchiveRow, ChainTables, VersionRow } from './tables.ts'

/** Archive files of objects, by the events of indexing. A file that no dossier lists is none. */
export const archiveHandlers: Handlers<IndexingFileEvent, ChainTables> = {
  FileIndexed: ({ lines }, event, tables) =>
    change(tables, event, ({ indexedAt, indexedBy, finding }) => ({
      ...{ state: 'indexed', finding: null, since: null, captures: lines, indexedAt: event.recordedAt },
      indexedBy: indexedAt === null || finding !== null ? Number(event.position) : indexedBy,
    })),
  IndexingFailed: ({ reason }, event, tables) => change(tables, event, unwell('failed', reason, event)),
  FileParked: ({ reason }, event, tables) => change(tables, event, unwell('parked', reason, event)),
  ContentChanged: (_, event, tables) => change(tables, event, again),
  FileReset: (_, event, tables) => change(tables, event, again),
  FileSalvageRequested: (_, event, tables) => change(tables, event, again),
  FileWithdrawn: (_, event, tables) =>
    change(tables, event, () => ({ state: 'withdrawn', finding: null, since: null })),
}

/** A file that could not be indexed stays so until it is. */
const again = (): Partial<ArchiveRow> => ({ state: 'waiting' })

const unwell =
  (state: 'failed' | 'parked', reason: string, { position, recordedAt }: RecordedEvent) =>
  ({ finding, since, failedBy }: ArchiveRow): Partial<ArchiveRow> => ({
    ...{ state, finding: reason },
    ...(finding === null ? { since: recordedAt, failedBy: Number(position) } : { since, failedBy }),
  })

/** A withdrawn file stays so until a person wants it indexed anew. */
const change = (
  tables: ChainTables,
  event: RecordedEvent,
  changed: (row: ArchiveRow) => Partial<ArchiveRow>,
): void => {
  const id = idOf(event.stream)
  const slash = id.indexOf('/')
  const before = tables['chain-archives'].get(id.slice(0, slash), id.slice(slash + 1))
  if (!before || (before.state === 'withdrawn' && event.type !== 'FileReset')) return
  const after = { ...before, ...changed(before) }
  tables['chain-archives'].put(after)
  const version = tables['chain-versions'].get(after.object, after.version)
  if (!version) return
  const [less, more] = [countsOf(before), countsOf(after)]
  const added = (count: keyof Counts) => version[count] + more[count] - less[count]
  changeVersion(
    tables,
    version,
    {
      ...version,
      archives: added('archives'),
      indexed: added('indexed'),
      unindexed: added('unindexed'),
      captures: added('captures'),
    },
    event.recordedAt,
  )
}

type Counts = Pick<VersionRow, 'archives' | 'indexed' | 'unindexed' | 'captures'>

const countsOf = ({ state, finding, captures }: ArchiveRow): Counts =>
  state === 'withdrawn'
    ? { archives: 0, indexed: 0, unindexed: 0, captures: 0 }
    : {
        archives: 1,
        indexed: state === 'indexed' ? 1 : 0,
        unindexed: finding === null ? 0 : 1,
        captures: captures ?? 0,
      }
