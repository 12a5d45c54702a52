import type { ObjectEvent, ObjectFacts } from '../../domain/ingest/object/events.ts'
import { isHolder, type ObjectHolder } from '../../domain/ingest/object/state.ts'
import { isSame, withoutUnknown } from '../../domain/ingest/object/storage.ts'
import type { ObjectFile } from '../../domain/ingest/payload.ts'
import type { storageDifferences } from '../../domain/ingest/views.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { Handlers } from '../runtime/projection.ts'
import { changeJob } from './job-rows.ts'
import type { IngestTables, ObjectRow } from './tables.ts'

/** Identifiers, and the versions and files that they stand for. */
export const objectHandlers: Handlers<ObjectEvent, IngestTables> = {
  ArkReserved: ({ job, at }, event, tables) => {
    const object = idOf(event.stream)
    tables['ingest-objects'].put(unstored(object, job, at))
    changeJob(tables, job, event, () => ({ ark: object }))
  },
  ObjectClaimed: ({ job, at }, event, tables) =>
    tables['ingest-objects'].put({ ...objectRow(tables, event, job, at), job }),

  FilesListed: (data, event, tables) => {
    const { job, fence, version, from, files } = data
    const object = idOf(event.stream)
    if (from === 0) dropListing(tables, object)
    putFiles(tables, object, version, files)
    const paths = files.map(({ path }) => path)
    tables['ingest-listings'].put({ object, from, version, job, fence, paths })
  },
  VersionStored: ({ job, fence, at, object, ...version }, event, tables) => {
    dropListing(tables, idOf(event.stream), { job, fence })
    putVersion(tables, event, { ...version, job, object, storedAt: at })
  },

  StorageDiffered: ({ differences, at }, event, tables) =>
    putDifferences(tables, idOf(event.stream), (before) =>
      differences.map((one) => ({ ...one, since: before.find((old) => isSame(old, one))?.since ?? at })),
    ),
  StorageAgreed: (_, event, tables) => putDifferences(tables, idOf(event.stream), () => []),

  FilesAdopted: ({ version, files }, event, tables) => putFiles(tables, idOf(event.stream), version, files),
  VersionAdopted: ({ reason: _, at, object, ...version }, event, tables) => {
    putVersion(tables, event, { ...version, job: null, object, storedAt: at })
    putDifferences(tables, idOf(event.stream), withoutUnknown)
  },
  VersionsSetAside: (_, event, tables) => putDifferences(tables, idOf(event.stream), withoutUnknown),
}

interface NewVersion {
  readonly version: number
  readonly inventoryDigest: string
  readonly files: number
  readonly bytes: number
  readonly listed: readonly ObjectFile[]
  readonly job: number | null
  readonly object: ObjectFacts | undefined
  readonly storedAt: string
}

const putVersion = (
  tables: IngestTables,
  event: RecordedEvent,
  { version, job, inventoryDigest, files, bytes, listed, object: facts, storedAt }: NewVersion,
): void => {
  const object = idOf(event.stream)
  const { batch = null, mode = null } = facts ?? {}
  const embargoUntil = lastDayOf(facts)
  putFiles(tables, object, version, listed)
  tables['ingest-versions'].put({
    object,
    version,
    job,
    batch,
    mode,
    inventoryDigest,
    files,
    bytes,
    embargoUntil,
    storedAt,
  })
  const row = objectRow(tables, event, job, storedAt)
  // Reported late: a later version is the latest.
  if (version < row.version) return
  const stored = { ...row, job, version, inventoryDigest, files, bytes, embargoUntil, storedAt }
  tables['ingest-objects'].put(facts ? { ...stored, ...versionColumns(facts, row) } : stored)
}

const lastDayOf = (facts: ObjectFacts | undefined): string | null =>
  facts?.embargoUntil === undefined || facts.embargoUntil === 'none' ? null : facts.embargoUntil

/** Columns that a version determines for its object. */
const versionColumns = (
  { batch, profile, collection, owner, localIds, description = undefined }: ObjectFacts,
  before: ObjectRow,
) => ({
  batch,
  profile,
  collection,
  owner,
  // Earlier local ids still mean the object.
  localIds: [...new Set([...before.localIds, ...localIds])],
  description: description ?? before.description,
  title: (description ?? before.description)?.what ?? before.title,
})

type DatedDifference = RowOf<typeof storageDifferences>['differences'][number]

const putDifferences = (
  tables: IngestTables,
  object: string,
  change: (before: readonly DatedDifference[]) => readonly DatedDifference[],
): void => {
  const table = tables['ingest-storage-differences']
  const differences = change(table.get(object)?.differences ?? [])
  const since = differences.map((one) => one.since).sort()[0]
  if (since === undefined) table.delete(object)
  else table.put({ object, differences, since })
}

/** The object's row; a row without a version if there is none. */
const objectRow = (tables: IngestTables, event: RecordedEvent, job: number | null, at: string): ObjectRow => {
  const object = idOf(event.stream)
  return tables['ingest-objects'].get(object) ?? unstored(object, job, at)
}

const unstored = (object: string, job: number | null, at: string): ObjectRow => ({
  object,
  job,
  version: 0,
  inventoryDigest: null,
  files: 0,
  bytes: 0,
  batch: null,
  profile: null,
  collection: null,
  owner: null,
  localIds: [],
  description: null,
  title: null,
  embargoUntil: null,
  reservedAt: at,
  storedAt: null,
})

const putFiles = (
  tables: IngestTables,
  object: string,
  version: number,
  files: readonly ObjectFile[],
): void => {
  for (const { path, size, sha256, declared = null, format = null } of files) {
    const mimeType = format?.mimeType ?? declared?.mimeType ?? null
    tables['ingest-files'].put({ object, version, path, size, sha256, mimeType, declared, format })
  }
}

/**
 * Ends the listing of a version. Keeps its files if the listing is of the job that stored the version; a listing that
 * was given up may name files that no version holds.
 */
const dropListing = (tables: IngestTables, object: string, storedBy?: ObjectHolder): void => {
  for (let from = 0; ; ) {
    const page = tables['ingest-listings'].get(object, from)
    if (!page) return
    if (!isHolder(storedBy, page))
      for (const path of page.paths) tables['ingest-files'].delete(object, page.version, path)
    tables['ingest-listings'].delete(object, from)
    from += page.paths.length
  }
}
