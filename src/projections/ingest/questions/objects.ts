import { objects } from '../../../domain/ingest/views.ts'
import { areAll, countRows, pageOfRows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { ObjectRow } from '../tables.ts'
import type { ObjectLine } from './object-answers.ts'

interface ObjectScope {
  readonly collection?: string
}

interface ObjectPage extends ObjectScope {
  readonly limit: number
  readonly offset: number
}

export const objectLines = (views: Views, { limit, offset, ...scope }: ObjectPage): readonly ObjectLine[] =>
  pageOfRows(views, objects, {
    where: conditions(scope),
    orderBy: [{ column: 'object' }],
    ...{ limit, offset },
  }).map(objectLine)

export const countObjects = (views: Views, scope: ObjectScope): number =>
  countRows(views, objects, ...conditions(scope))

const conditions = ({ collection }: ObjectScope) => areAll({ collection })

export const objectLine = (row: ObjectRow): ObjectLine => {
  const { object, title, collection, owner, localIds, version, files, bytes, storedAt, job, embargoUntil } =
    row
  return { object, title, version, files, bytes, localIds, collection, owner, storedAt, job, embargoUntil }
}
