import { objects } from '../../../domain/ingest/views.ts'
import { is, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { ObjectRow } from '../tables.ts'
import type { ObjectLine } from './object-answers.ts'

export const objectLines = (
  views: Views,
  { collection, limit }: { readonly collection?: string; readonly limit: number },
): readonly ObjectLine[] =>
  rows(views, objects, {
    where: collection === undefined ? [] : [is('collection', collection)],
    orderBy: [{ column: 'object' }],
    limit,
  }).map(objectLine)

export const objectLine = (row: ObjectRow): ObjectLine => {
  const { object, title, collection, owner, localIds, version, files, bytes, storedAt, job } = row
  return { object, title, version, files, bytes, localIds, collection, owner, storedAt, job }
}
