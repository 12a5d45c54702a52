import { normaliseArk } from '../../../domain/ingest/ark.ts'
import { localIds, objects } from '../../../domain/ingest/views.ts'
import { is, row, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { IdLine } from './answers.ts'
import { batchNamed, jobRow } from './reading.ts'

/** Batches, jobs, objects and local ids with this id, and their other ids. */
export const idLines = (views: Views, id: string, limit: number): readonly IdLine[] =>
  [
    ...batchIds(views, id),
    ...jobIds(views, id),
    ...objectIds(views, id),
    ...localIdsNamed(views, id, limit),
  ].slice(0, limit)

const batchIds = (views: Views, id: string): readonly IdLine[] => {
  const found = batchNamed(views, id)
  if (!found) return []
  const number = found.number === null ? null : String(found.number)
  return [{ kind: 'batch', id: number, also: found.batch, owner: null }]
}

const jobIds = (views: Views, id: string): readonly IdLine[] => {
  const found = /^\d{1,15}$/.test(id) ? jobRow(views, Number(id)) : undefined
  return found ? [{ kind: 'job', id, also: found.ark ?? '', owner: null }] : []
}

const objectIds = (views: Views, id: string): readonly IdLine[] => {
  const ark = normaliseArk(id)
  const found = ark === undefined ? undefined : row(views, objects, is('object', ark))
  if (!found) return []
  const known = rows(views, localIds, { where: [is('ark', found.object)], orderBy: [{ column: 'localId' }] })
  return [
    { kind: 'object', id: found.object, also: found.localIds.join('; '), owner: found.owner },
    ...known.map(
      ({ owner, localId }): IdLine => ({ kind: 'local-id', id: found.object, also: localId, owner }),
    ),
  ]
}

const localIdsNamed = (views: Views, id: string, limit: number): readonly IdLine[] =>
  rows(views, localIds, { where: [is('localId', id)], limit }).map(({ owner, localId, ark }) => ({
    kind: 'local-id',
    id: ark,
    also: localId,
    owner,
  }))
