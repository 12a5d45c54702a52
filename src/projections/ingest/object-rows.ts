import type { ObjectEvent } from '../../domain/ingest/object/events.ts'
import { isHolder, type ObjectHolder } from '../../domain/ingest/object/state.ts'
import type { ObjectFile } from '../../domain/ingest/payload.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
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
  VersionStored: (data, event, tables) => {
    const { job, fence, version, inventoryDigest, files, bytes, listed, object: facts, at } = data
    const object = idOf(event.stream)
    const { batch, profile, collection, owner, mode } = facts
    dropListing(tables, object, { job, fence })
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
      storedAt: at,
    })
    const row = objectRow(tables, event, job, at)
    // Told late: a later one is the latest.
    if (version < row.version) return
    const description = facts.description ?? row.description
    tables['ingest-objects'].put({
      ...row,
      job,
      version,
      inventoryDigest,
      files,
      bytes,
      batch,
      profile,
      collection,
      owner,
      // Earlier local ids go on meaning the object.
      localIds: [...new Set([...row.localIds, ...facts.localIds])],
      description,
      title: description?.what ?? row.title,
      storedAt: at,
    })
  },
}

/** The object's row; one without a version where there is none. */
const objectRow = (tables: IngestTables, event: RecordedEvent, job: number, at: string): ObjectRow => {
  const object = idOf(event.stream)
  return tables['ingest-objects'].get(object) ?? unstored(object, job, at)
}

const unstored = (object: string, job: number, at: string): ObjectRow => ({
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
 * Ends the listing of a version. Its files stay where it is of who stored the version; one that was given up may list what
 * no version holds.
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
