import { withTimeout } from '../../async/with-timeout.ts'
import { normaliseArk } from '../../domain/ingest/ark.ts'
import { BatchId } from '../../domain/ingest/ids.ts'
import { jobs, localIds, objects, versions } from '../../domain/ingest/views.ts'
import { type ConditionOn, is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { Adapters } from '../adapters.ts'
import type { Related } from '../workflow-model.ts'

/** Most jobs that are named: a batch may have a million. */
const maxJobs = 50

/**
 * Returns the jobs and objects of a batch, the batch and object of a job, the jobs and batches of an object's versions,
 * and the objects that their owners call so.
 */
export const ingestRelated = (id: string, viewStore: ViewStore): readonly Related[] => {
  if (BatchId.is(id)) return ofJobs(viewStore, is('batch', id))
  if (/^\d{1,15}$/.test(id)) return ofJobs(viewStore, is('job', Number(id)))
  const ark = normaliseArk(id)
  return ark === undefined ? ofLocalId(viewStore, id) : ofObject(viewStore, ark)
}

const ofJobs = (viewStore: ViewStore, where: ConditionOn<typeof jobs>): readonly Related[] =>
  rowsIfFolded(viewStore, jobs, { where: [where], orderBy: [{ column: 'job' }], limit: maxJobs }).flatMap(
    ({ job, batch, ark }) => [
      { id: String(job), says: 'a job of this batch' },
      { id: batch, says: 'the batch that it came in' },
      ...(ark === null ? [] : [{ id: ark, says: `the object of job ${job}` }]),
    ],
  )

const ofObject = (viewStore: ViewStore, ark: string): readonly Related[] =>
  rowsIfFolded(viewStore, versions, { where: [is('object', ark)], limit: maxJobs }).flatMap(
    ({ version, job, batch }) => [
      ...(job === null ? [] : [{ id: String(job), says: `the job that stored version ${version}` }]),
      ...(batch === null ? [] : [{ id: batch, says: `the batch of version ${version}` }]),
    ],
  )

const ofLocalId = (viewStore: ViewStore, id: string): readonly Related[] =>
  rowsIfFolded(viewStore, localIds, { where: [is('localId', id)], limit: maxJobs }).flatMap(({ ark }) =>
    ark === null
      ? []
      : [{ id: ark, says: 'the object that its owner calls so' }, ...ofObject(viewStore, ark)],
  )

/** A history is shown without it, rather than late. */
const patienceMillis = 3 * SECOND

/** Returns the folder of an object. */
export const objectPlaces = async (
  id: string,
  _: ViewStore,
  { ingest }: Pick<Adapters, 'ingest'>,
): Promise<readonly string[]> => {
  const ark = normaliseArk(id)
  const place = ark && (await withTimeout(ingest.placeOfObject(ark), patienceMillis, () => undefined))
  return place === undefined ? [] : [place]
}

/** Returns the object that a file belongs to: OCFL names an object's folder by its percent-encoded id. */
export const objectsAt = (path: string, viewStore: ViewStore): readonly Related[] =>
  path.split('/').flatMap((folder) => {
    const ark = folder.startsWith('ark%3a') ? normaliseArk(decoded(folder)) : undefined
    if (ark === undefined) return []
    return rowsIfFolded(viewStore, objects, { where: [is('object', ark)], limit: 1 }).map(() => ({
      id: ark,
      says: 'the object that it is a file of',
    }))
  })

const decoded = (folder: string): string => {
  try {
    return decodeURIComponent(folder)
  } catch {
    return folder
  }
}
