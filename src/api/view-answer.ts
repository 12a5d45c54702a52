import { isLeft, map } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { meetingReferences } from '../app/by-reference.ts'
import { parseOrder, parseWhere } from '../app/view-question.ts'
import { Text } from '../domain/kernel/codecs.ts'
import { pageOfRows } from '../domain/kernel/read-views.ts'
import { type Row, TooManyRows, ViewQueryError, type ViewShape } from '../domain/kernel/view.ts'
import type { Checkpoint } from '../ports/checkpoint-store.ts'
import type { ViewStore, ViewsAsOf } from '../ports/view-store.ts'
import { keptTallies } from '../projections/runtime/kept-tallies.ts'
import type { Projection } from '../projections/runtime/projection.ts'
import { Place } from './http/parameters.ts'
import { refuse } from './http/refuse.ts'
import { csv, ndjson } from './http/representation.ts'
import { type Handled, json, type Reply, text } from './http/route.ts'
import { sayingFolded } from './views-as-of.ts'

export const formats = ['application/json', 'text/csv', 'application/x-ndjson'] as const

export const RowsOfAny = t.type({
  view: Text,
  /** The rows are at least as new as this. */
  position: Place,
  time: t.union([t.string, t.null]),
  /** Whether more rows follow: ask again with a greater offset. */
  more: t.boolean,
  rows: t.array(t.UnknownRecord),
})
/** How many rows there are in all, where that was asked for. */
export const Total = t.partial({ total: t.number })
export const Rows = t.intersection([RowsOfAny, Total])

export interface Asked {
  readonly view: string
  readonly where: readonly string[] | undefined
  /** References of the values that `where` has: rows may have either. */
  readonly references?: ReadonlyMap<unknown, string>
  readonly order: readonly string[] | undefined
  readonly limit: number | undefined
  readonly offset: number | undefined
  readonly total: boolean | undefined
}

/** Answers as of a moment: the headers say what it took. */
export const answerAsOf = (
  store: ViewStore | ViewsAsOf,
  projection: Projection,
  asked: Asked,
  format: (typeof formats)[number],
): Handled => {
  try {
    return sayingFolded(store, answer(store, projection, asked, format))
  } catch (error) {
    if (error instanceof TooManyRows) return refuse(422, 'too-many-rows', error.message)
    throw error
  }
}

/** Rows of a view, current or as of a moment. */
export const answer = (
  store: ViewStore | ViewsAsOf,
  projection: Projection,
  { view, where, references = new Map(), order, limit = 100, offset = 0, total = false }: Asked,
  format: (typeof formats)[number],
): Handled => {
  const shape = store.shape(view)
  const live = store.live(projection.name)
  if (!shape || !live)
    return refuse(
      503,
      'view-not-ready',
      `${view} has not been folded yet; is a process with the role projections running?`,
    )
  const conditions = parseWhere(where ?? [], shape)
  if (isLeft(conditions)) return refuse(400, 'wrong-question', conditions.left, { path: 'where' })
  const orderBy = parseOrder(order ?? [], shape)
  if (isLeft(orderBy)) return refuse(400, 'wrong-question', orderBy.left, { path: 'order' })
  // Read before the rows: they are then at least as new.
  const checkpoint = store.checkpoint(live)
  try {
    const met = meetingReferences(conditions.right, references)
    const query = { where: met, orderBy: orderBy.right, limit: limit + 1, offset }
    const found = pageOfRows(store, shape, query)
    const scanned = 'scanned' in store ? store.scanned(view, query) : undefined
    const more = found.length > limit
    const counted = total && {
      total: Number(keptTallies(store, projection.name).tally(view, { by: [], where: met })[0]?.count ?? 0),
    }
    const written = write(shape, checkpoint, { rows: found.slice(0, limit), more, ...counted }, format)
    return map(
      (reply: Reply): Reply => ({
        ...reply,
        ...(scanned !== undefined && { headers: { ...reply.headers, 'fonds-scanned': String(scanned) } }),
        ...(more && { next: { offset: offset + limit } }),
      }),
    )(written)
  } catch (error) {
    if (!(error instanceof ViewQueryError)) throw error
    return refuse(400, 'wrong-question', error.message)
  }
}

const write = (
  shape: ViewShape,
  { position, time }: Checkpoint,
  { rows, ...page }: { readonly rows: readonly Row[]; readonly more: boolean; readonly total?: number },
  format: (typeof formats)[number],
): Handled => {
  const headers = { 'fonds-position': String(position), vary: 'accept' }
  switch (format) {
    case 'application/json':
      return json({ view: shape.name, position, time, ...page, rows }, { headers })
    case 'application/x-ndjson':
      return text(ndjson(rows), format, { headers })
    case 'text/csv':
      return text(csv(rows, Object.keys(shape.columns)), format, { headers })
  }
}
