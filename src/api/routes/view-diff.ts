import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Text, Time } from '../../domain/kernel/codecs.ts'
import { fromText, wholeNumber } from '../../domain/kernel/text-codecs.ts'
import { HistoryNotFolded, HistoryNotKept, type Value, type ViewShape } from '../../domain/kernel/view.ts'
import { changeBody, viewChanges } from '../../projections/runtime/changes.ts'
import type { Projection } from '../../projections/runtime/projection.ts'
import { projectionsOf } from '../../workflows/workflow-model.ts'
import { type ApiContext, v1 } from '../context.ts'
import { EventInShort } from '../event-bodies.ts'
import { LogPoint, Place } from '../http/parameters.ts'
import { refuse } from '../http/refuse.ts'
import { type Handled, json, type Route, route } from '../http/route.ts'
import { noSuchView, viewInPath } from '../path-names.ts'
import { behindMoment, onceFolded } from '../views-as-of.ts'

const Moment = t.type({ position: Place, time: t.union([Time, t.null]) })
const Row = t.union([t.UnknownRecord, t.null])

const Change = t.type({
  kind: t.keyof({ came: null, went: null, changed: null }),
  /** The columns of the view's key. */
  key: t.UnknownRecord,
  /** Null if the row did not exist. */
  before: Row,
  after: Row,
  /** Columns whose values differ; empty for a row that was created or deleted. */
  columns: t.array(Text),
  /** Events that wrote the row in between: the latest 20; for a deleted row the first 20. */
  events: t.array(EventInShort),
})

const Changes = t.type({
  view: Text,
  from: Moment,
  to: Moment,
  changes: t.array(Change),
  /** Argument for `after`, if more rows may follow; null at the end. */
  next: t.union([Text, t.null]),
})

const Key = fromText(
  'JSON array of the values of a key',
  (value): value is readonly unknown[] => Array.isArray(value),
  (text) => {
    try {
      return JSON.parse(text) as readonly unknown[]
    } catch {
      return undefined
    }
  },
  { type: 'string', examples: ['["main","letters/03.tif"]'] },
)

const parameters = [
  {
    name: 'from',
    in: 'query',
    description: 'The earlier moment: a time or a position.',
    codec: LogPoint,
    required: true,
    example: '1042',
  },
  { name: 'to', in: 'query', description: 'The later one; now unless said.', codec: LogPoint },
  { name: 'limit', in: 'query', description: 'Most rows; 100 unless said.', codec: wholeNumber(1000, 1) },
  {
    name: 'after',
    in: 'query',
    description: 'Goes on behind the row of this key: `next` of the last answer.',
    codec: Key,
  },
] as const

/** Rows of a view that were created, deleted or changed between two moments. */
export const viewDiffRoutes = (context: ApiContext): readonly Route[] => [
  route(
    {
      method: 'get',
      path: `${v1}/views/{view}/diff`,
      operationId: 'diffView',
      summary: 'What came, went and changed in a view between two moments, and by which events.',
      description:
        'In the order of the key. A row that was written anew with the same values is left out, so a page may hold fewer rows than its limit.',
      tags: ['views'],
      parameters: [viewInPath(context.system.workflows), ...parameters],
      responses: { 200: { description: 'The rows that differ.', codec: Changes } },
      problems: [
        noSuchView,
        { status: 400, code: 'wrong-question', description: 'The moments or the key do not fit.' },
        {
          status: 422,
          code: 'past-not-kept',
          description: 'The view does not keep its past, or not that far back.',
        },
        behindMoment,
      ],
    },
    async ({ parameters: { view, from, to, limit = 100, after }, signal }) => {
      const projections = projectionsOf(context.system.workflows)
      const projection = projections.find(({ views }) => views.some(({ name }) => name === view))
      const shape = projection?.views.find(({ name }) => name === view)
      if (!projection || !shape)
        return refuse(404, 'no-such-view', `there is no view ${view}; GET ${v1}/views lists them`, {
          path: 'view',
        })
      const key = after === undefined ? right(undefined) : keyOf(shape, after)
      if (isLeft(key)) return refuse(400, 'wrong-question', key.left, { path: 'after' })
      const page = { limit, ...(key.right && { after: key.right }) }
      return onceFolded(context, projection, signal, () =>
        answer(context, projection, view, { from, to }, page),
      )
    },
  ),
]

const keyOf = (shape: ViewShape, after: readonly unknown[]): Either<string, readonly Value[]> => {
  const fits = (name: string, value: unknown) =>
    shape.columns[name] === 'text' ? typeof value === 'string' : typeof value === 'number'
  return after.length === shape.key.length && shape.key.every((name, i) => fits(name, after[i]))
    ? right(after as readonly Value[])
    : left(`after: the key of ${shape.name} is (${shape.key.join(', ')})`)
}

const answer = async (
  { system }: ApiContext,
  projection: Projection,
  view: string,
  points: Parameters<typeof viewChanges>[3],
  page: Parameters<typeof viewChanges>[4],
): Promise<Handled> => {
  try {
    const { from, to, changes, next } = await viewChanges(projection, system, view, points, page)
    if (from.position > to.position)
      return refuse(400, 'wrong-question', 'from: it lies behind to; the earlier moment comes first', {
        path: 'from',
      })
    return json({
      view,
      from: { position: from.position, time: from.time },
      to: { position: to.position, time: to.time },
      changes: changes.map(changeBody),
      next: next === undefined ? null : JSON.stringify(next),
    })
  } catch (error) {
    if (error instanceof HistoryNotKept && !(error instanceof HistoryNotFolded))
      return refuse(422, 'past-not-kept', error.message)
    throw error
  }
}
