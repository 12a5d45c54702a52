import { type Format, type Identifier, type PremisObject, term } from '@fonds/premis'
import { normaliseArk } from '../../domain/ingest/ark.ts'
import { BatchId, jobStream, objectStream } from '../../domain/ingest/ids.ts'
import type { FileFormat } from '../../domain/ingest/payload.ts'
import { premisMapping } from '../../domain/ingest/premis.ts'
import { batches, files, jobs, objects, versions } from '../../domain/ingest/views.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import { pagesOf } from '../../domain/kernel/view-pages.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { PremisWorkflow } from '../premis-model.ts'

/*
 * Submissions, objects and their files as objects of PREMIS. A batch is a whole: its jobs, and the objects that they stored. The files
 * of an object are those of its latest version.
 */

export const ingestPremis: PremisWorkflow = {
  kind: 'exported',
  mapping: premisMapping,
  objects: function* (id, viewStore) {
    if (BatchId.is(id)) return yield* batchObject(id, viewStore)
    if (/^\d{1,15}$/.test(id))
      return yield* rowsIfFolded(viewStore, jobs, { where: [is('job', Number(id))] }).flatMap((job) => [
        ...batchObject(job.batch, viewStore),
        jobObject(job),
      ])
    const ark = normaliseArk(id)
    if (ark !== undefined) yield* storedObjects(ark, viewStore)
  },
  whole: (id, viewStore) =>
    BatchId.is(id) && batchObject(id, viewStore).length > 0
      ? { kind: 'streams', parts: partsOf(id, viewStore), streams: () => partStreams(id, viewStore) }
      : undefined,
}

const batchIdentifier = (value: string): Identifier => ({ type: 'fonds batch', value })

const batchObject = (batch: string, viewStore: ViewStore): readonly PremisObject[] =>
  rowsIfFolded(viewStore, batches, { where: [is('batch', batch)] }).map(
    ({ title }): PremisObject => ({
      category: 'intellectualEntity',
      identifiers: [batchIdentifier(batch)],
      ...(title && { originalName: title }),
    }),
  )

function* partsOf(batch: string, viewStore: ViewStore): Generator<PremisObject> {
  for (const page of jobPages(batch, viewStore)) yield* page.map(jobObject)
  for (const object of objectsOf(batch, viewStore)) yield* storedObjects(object, viewStore)
}

function* partStreams(batch: string, viewStore: ViewStore): Generator<string> {
  for (const page of jobPages(batch, viewStore)) yield* page.map(({ job }) => jobStream(Number(job)))
  for (const object of objectsOf(batch, viewStore)) yield objectStream(object)
}

const jobPages = (batch: string, viewStore: ViewStore) =>
  pagesOf(viewStore, jobs, { where: [is('batch', batch)] })

/** Yields the objects that have a version of the batch. The key begins with the object: versions of one come together. */
function* objectsOf(batch: string, viewStore: ViewStore): Generator<string> {
  let last: unknown
  for (const page of pagesOf(viewStore, versions, { where: [is('batch', batch)] }))
    for (const { object } of page) {
      if (object !== last) yield String(object)
      last = object
    }
}

const jobObject = ({ job, batch, title }: RowOf<typeof jobs>): PremisObject => ({
  category: 'intellectualEntity',
  identifiers: [{ type: 'fonds job', value: String(job) }],
  ...(title && { originalName: title }),
  partOf: [batchIdentifier(batch)],
})

function* storedObjects(ark: string, viewStore: ViewStore): Generator<PremisObject> {
  const [object] = rowsIfFolded(viewStore, objects, { where: [is('object', ark)], limit: 1 })
  if (!object) return
  const { version, title, owner, localIds } = object
  yield {
    category: 'intellectualEntity',
    identifiers: [
      { type: 'ARK', value: ark },
      ...(localIds ?? []).map((value) => ({ type: `local id of ${owner ?? 'none'}`, value })),
    ],
    ...(title && { originalName: title }),
  }
  for (const page of pagesOf(viewStore, files, { where: [is('object', ark), is('version', version)] }))
    yield* page.map((file) => fileObject(ark, file))
}

const fileObject = (
  ark: string,
  { path, version, size, sha256, mimeType, format }: RowOf<typeof files>,
): PremisObject => ({
  category: 'file',
  identifiers: [{ type: 'fonds file', value: `${ark}/v${version}/${path}` }],
  originalName: String(path),
  size,
  fixity: [{ algorithm: term('cryptographicHashFunctions', 'SHA-256'), digest: sha256, originator: 'fonds' }],
  ...formatOf(format, mimeType),
  location: { type: 'OCFL object, version and logical path', value: `${ark} v${version} ${path}` },
  partOf: [{ type: 'ARK', value: ark }],
})

/** A type that a depositor declares is no identification, and is noted so. */
const formatOf = (format: FileFormat | null, mimeType: string | null): { readonly format?: Format } => {
  const name = format?.name ?? format?.mimeType ?? mimeType
  if (!name) return {}
  return {
    format: {
      name,
      ...(format?.version && { version: format.version }),
      ...(format?.registry && format.id && { registry: { name: format.registry, key: format.id } }),
      ...(!format && { note: 'As the depositor declares it.' }),
    },
  }
}
