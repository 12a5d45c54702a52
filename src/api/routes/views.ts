import { isRight } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { referencesOf } from '../../app/by-reference.ts'
import { parseWhere } from '../../app/view-question.ts'
import { Text } from '../../domain/kernel/codecs.ts'
import { Flag, wholeNumber } from '../../domain/kernel/text-codecs.ts'
import type { ViewShape } from '../../domain/kernel/view.ts'
import type { Projection } from '../../projections/runtime/projection.ts'
import { projectionsOf } from '../../workflows/workflow-model.ts'
import { type ApiContext, v1 } from '../context.ts'
import { asOfParameter, type LogPoint, Place, Position, Texts } from '../http/parameters.ts'
import { refuse } from '../http/refuse.ts'
import { preferred } from '../http/representation.ts'
import { type ApiRequest, type Handled, json, type Route, route } from '../http/route.ts'
import { noSuchView, viewInPath } from '../path-names.ts'
import { type Asked, answer, answerAsOf, formats, Rows } from '../view-answer.ts'
import { rowsOf, schemaNameOf } from '../view-codecs.ts'
import { behindMoment, busy } from '../views-as-of.ts'
import { positionOf, viewsReach } from '../wait-for-views.ts'

const tags = ['views']

const View = t.type({
  name: Text,
  description: t.string,
  key: t.array(Text),
  columns: t.record(t.string, t.keyof({ text: null, integer: null, real: null, json: null })),
  projection: Text,
  /** Whether it is asked as of any moment without folding the log. */
  keepsPast: t.boolean,
  version: t.number,
  /** Null before it was first folded. */
  position: t.union([Place, t.null]),
})

/** The parameters of a question to any view. */
const question = [
  {
    name: 'where',
    in: 'query',
    description:
      'A condition, `column=value`, with `=`, `!=`, `<`, `<=`, `>`, `>=` or `^=` (starts with); `null` is no value. All must hold; at most 100.',
    codec: Texts,
    example: ['store=main', 'size>10'],
  },
  {
    name: 'order',
    in: 'query',
    description: 'A column; with `-` in front the greatest comes first.',
    codec: Texts,
    example: ['-lastChecked'],
  },
  {
    name: 'limit',
    in: 'query',
    description: 'Most rows; 100 unless said.',
    codec: wholeNumber(10_000, 1),
  },
  { name: 'offset', in: 'query', description: 'Rows to pass over.', codec: wholeNumber(1e12) },
  {
    name: 'total',
    in: 'query',
    description: 'With `true`, JSON says in `total` how many rows there are in all.',
    codec: Flag,
  },
  asOfParameter,
  {
    name: 'after',
    in: 'query',
    description: 'Waits until the view has this position in it: answers then see your own writes.',
    codec: Position,
  },
] as const

const others = [{ contentType: 'text/csv' }, { contentType: 'application/x-ndjson' }]
const description =
  'As JSON, CSV or NDJSON, by the Accept header. `Fonds-Position` says up to where events are folded in. With `asOf`, `Fonds-Scanned` says how many rows had to be read where neither the key nor the columns that the view is asked by lead to few; `Fonds-Folded: true` that the log was folded up to the moment, as the view does not keep that past.'
const problems = [
  { status: 400, code: 'wrong-question', description: 'The view cannot be asked that.' },
  { status: 406, code: 'no-such-format', description: 'None of the accepted formats is made here.' },
  { status: 503, code: 'view-not-ready', description: 'It was never folded yet.' },
  { status: 422, code: 'too-many-rows', description: 'As of a moment, it would read too many rows.' },
  behindMoment,
  busy,
]

type ViewAsked = Omit<Asked, 'view'> & {
  readonly asOf: t.TypeOf<typeof LogPoint> | undefined
  readonly after: bigint | undefined
}
type Asking = Pick<ApiRequest, 'headers' | 'signal'>

/** Questions to the views: as they are now, once they have reached a position, and as they were. */
export const viewRoutes = (context: ApiContext): readonly Route[] => [
  listRoute(context),
  queryRoute(context),
  ...projectionsOf(context.system.workflows)
    .flatMap(({ views }) => views)
    .map((view) => namedRoute(context, view)),
]

const listRoute = (context: ApiContext): Route =>
  route(
    {
      method: 'get',
      path: `${v1}/views`,
      operationId: 'listViews',
      summary: 'The views and what their rows hold.',
      tags,
      parameters: [],
      responses: { 200: { description: 'All views.', codec: t.type({ views: t.array(View) }) } },
      problems: [],
    },
    () =>
      json({
        views: projectionsOf(context.system.workflows).flatMap((projection) =>
          projection.views.map(({ name, description, key, columns, history }) => ({
            ...{ name, description, key, columns },
            keepsPast: (context.system.viewStore.shape(name) ?? { history }).history !== undefined,
            projection: projection.name,
            version: projection.version,
            position: positionOf(context, projection.name) ?? null,
          })),
        ),
      }),
  )

const queryRoute = (context: ApiContext): Route =>
  route(
    {
      method: 'get',
      path: `${v1}/views/{view}`,
      operationId: 'queryView',
      summary: 'Rows of a view, now or as of a time.',
      description,
      tags,
      parameters: [viewInPath(context.system.workflows), ...question],
      responses: { 200: { description: 'The rows.', codec: Rows, others } },
      problems: [...problems, noSuchView],
    },
    (request) => askView(context, request.parameters.view, request.parameters, request),
  )

/** The same under the name of a view, which says what its rows hold. */
const namedRoute = (context: ApiContext, view: ViewShape): Route =>
  route(
    {
      method: 'get',
      path: `${v1}/views/${view.name}`,
      operationId: `query${schemaNameOf(view)}`,
      summary: view.description,
      description,
      tags,
      parameters: question,
      responses: {
        200: { description: 'The rows.', codec: rowsOf(view), schemaName: schemaNameOf(view), others },
      },
      problems,
    },
    (request) => askView(context, view.name, request.parameters, request),
  )

const askView = async (
  context: ApiContext,
  view: string,
  asked: ViewAsked,
  { headers, signal }: Asking,
): Promise<Handled> => {
  const { viewStore, workflows } = context.system
  const projections = projectionsOf(workflows)
  const projection = projections.find(({ views }) => views.some(({ name }) => name === view))
  if (!projection) return refuse(404, 'no-such-view', noView(view, projections), { path: 'view' })
  const format = preferred(headers.accept, formats)
  if (!format) return refuse(406, 'no-such-format', `accept: ask for one of ${formats.join(', ')}`)
  const { after, asOf } = asked
  if (after !== undefined && !(await viewsReach(context, projection.name, after, signal)))
    return refuse(503, 'view-behind', behind(view, after, positionOf(context, projection.name)))
  const references = await referencesIn(context.system, view, asked.where)
  const question = { ...asked, view, references }
  return asOf
    ? context.askAsOf(projection, asOf, signal, (store) => answerAsOf(store, projection, question, format))
    : answer(viewStore, projection, question, format)
}

/** None where a condition cannot be read: the answer then says so. */
const referencesIn = async (
  system: ApiContext['system'],
  view: string,
  where: readonly string[] | undefined,
): Promise<ReadonlyMap<unknown, string>> => {
  const shape = where && system.viewStore.shape(view)
  const conditions = shape && parseWhere(where, shape)
  return conditions && isRight(conditions)
    ? referencesOf(
        system,
        conditions.right.map(({ value }) => value),
      )
    : new Map()
}

const noView = (view: string, projections: readonly Projection[]): string => {
  const known = projections.flatMap(({ views }) => views.map(({ name }) => name))
  return `there is no view ${view}; there are ${known.join(', ')}`
}

const behind = (view: string, wanted: bigint, position: bigint | undefined): string =>
  `${view} is at position ${position ?? 'none'} and did not reach ${wanted} in time; ask again in a while`
