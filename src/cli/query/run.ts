import { isLeft } from 'fp-ts/lib/Either.js'
import type { Home } from '../../app/system.ts'
import { parseOrder, parseWhere } from '../../app/view-question.ts'
import {
  type Condition,
  foundBy,
  type Row,
  type ViewQuery,
  type ViewShape,
} from '../../domain/kernel/view.ts'
import { pagesOf } from '../../domain/kernel/view-pages.ts'
import type { Projection } from '../../projections/runtime/projection.ts'
import { declared } from '../../workflows/declared.ts'
import { loadModels } from '../../workflows/models.ts'
import { projectionsOf } from '../../workflows/workflow-model.ts'
import { didYouMean } from '../closest.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { defaultFormat, writeRows } from '../output/format.ts'
import type { Format } from '../output/formats.ts'
import { count } from '../output/text.ts'
import { parsePoint } from '../point.ts'
import { askAsOf } from '../views-as-of.ts'

interface QueryOptions {
  readonly where?: readonly string[]
  readonly order?: readonly string[]
  readonly limit?: number
  readonly offset?: number
  readonly asOf?: string
  readonly columns?: string
  readonly format?: Format
}

/** A table's widths depend on all its rows, which must fit into memory. Nobody reads more of them. */
const maxTableRows = 1000

export const run = async (
  session: Session,
  view: string | undefined,
  options: QueryOptions,
): Promise<CliFailure | undefined> => {
  const home = await session.home(view === undefined ? undefined : workflowNamedIn(view))
  const projections = projectionsOf(home.workflows)
  if (view === undefined) return listViews(session, projections, options.format)
  const projection = projections.find(({ views }) => views.some(({ name }) => name === view))
  const shape = projection?.views.find(({ name }) => name === view)
  if (!projection || !shape) {
    const all = projectionsOf(await loadModels())
    const names = all.flatMap(({ views }) => views.map(({ name }) => name))
    return refused(`there is no view ${view}`, didYouMean(view, names))
  }

  const where = parseWhere(options.where ?? [], shape)
  if (isLeft(where)) return usage(where.left)
  const orderBy = parseOrder(options.order ?? [], shape)
  if (isLeft(orderBy)) return usage(orderBy.left)
  const columns = options.columns?.split(',').map((name) => name.trim())
  const unknown = columns?.find((name) => !Object.hasOwn(shape.columns, name))
  if (unknown !== undefined)
    return usage(`${view} has no column ${unknown}`, didYouMean(unknown, Object.keys(shape.columns)))
  const point = options.asOf === undefined ? undefined : parsePoint(options.asOf)
  if (point && isLeft(point)) return usage(point.left)

  const question: ViewQuery = {
    where: await metByReferences(home, where.right),
    orderBy: orderBy.right,
    ...(options.limit !== undefined && { limit: options.limit }),
    ...(options.offset !== undefined && { offset: options.offset }),
  }
  if (!point) {
    await freshViews(session, home, [projection])
    return writeAnswer(session, home.viewStore, shape, question, columns, options.format)
  }
  return askAsOf(session, home, projection, point.right, (historyViews) => {
    const scanned = 'scanned' in historyViews ? historyViews.scanned(view, question) : undefined
    if (scanned !== undefined)
      session.say(`${count(scanned)} rows are read, all that there were then or since; ${foundBy(shape)}`)
    return writeAnswer(session, historyViews, shape, question, columns, options.format)
  })
}

/** Where values are kept by reference, a row may have either. */
const metByReferences = async (home: Home, where: readonly Condition[]): Promise<readonly Condition[]> => {
  if (home.config.personalValues === 'off') return where
  const { meetingReferences, referencesOf } = await import('../../app/by-reference.ts')
  return meetingReferences(
    where,
    await referencesOf(
      home,
      where.map(({ value }) => value),
    ),
  )
}

/** Views are named after their workflow, but for some of the system. */
const workflowNamedIn = (view: string): readonly string[] | undefined => {
  const name = Object.keys(declared).find((one) => view.startsWith(`${one}-`))
  return name === undefined ? undefined : [name]
}

const listViews = async (
  { output }: Session,
  projections: readonly Projection[],
  format: Format | undefined,
): Promise<undefined> => {
  const rows = projections.flatMap(({ views }) =>
    views.map(({ name, description, key, columns }) => ({ view: name, description, key, columns })),
  )
  const names = (value: unknown) => (Array.isArray(value) ? value : Object.keys(value as object)).join(', ')
  if ((format ?? defaultFormat(output)) !== 'table')
    return void (await writeRows(output, [rows], { ...(format && { format }) }))
  for (const { view, description, key, columns } of rows)
    await output.write(`${view}\n  ${description}\n  key: ${names(key)}\n  columns: ${names(columns)}\n`)
}

const writeAnswer = async (
  session: Session,
  viewStore: Home['viewStore'],
  shape: ViewShape,
  question: ViewQuery,
  columns: readonly string[] | undefined,
  given: Format | undefined,
): Promise<undefined> => {
  const { output } = session
  const format = given ?? defaultFormat(output)
  if (format === 'table') return drawTable(session, viewStore, shape, question, columns)
  const pages = function* () {
    for (const rows of pagesOf(viewStore, shape, question)) {
      session.signal.throwIfAborted()
      yield columns ? rows.map((row) => only(row, columns)) : rows
    }
  }
  const names = columns ?? Object.keys(shape.columns)
  await writeRows(output, pages(), { format, columns: names.map((key) => ({ key })) })
}

const drawTable = async (
  session: Session,
  viewStore: Home['viewStore'],
  shape: ViewShape,
  question: ViewQuery,
  columns: readonly string[] | undefined,
): Promise<undefined> => {
  const { output } = session
  const rows = [...pagesOf(viewStore, shape, { limit: maxTableRows, ...question })].flat()
  const { shown, leftOut } = columns
    ? { shown: columns, leftOut: [] }
    : readableColumns(Object.keys(shape.columns), rows, output.width())
  await writeRows(output, [rows], {
    format: 'table',
    columns: shown.map((key) => ({
      key,
      ...(shape.columns[key] === 'text' && { leaveOut: 'middle' as const }),
      ...((shape.key as readonly string[]).includes(key) && { isWhole: true as const }),
    })),
  })
  if (question.limit === undefined && rows.length === maxTableRows)
    session.say(`only the first ${count(maxTableRows)} rows; --limit <n> or --format csv gives more`)
  if (leftOut.length > 0) session.say(`also there, with --columns: ${leftOut.join(', ')}`)
}

const only = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(columns.map((name) => [name, row[name]]))

/** Columns of a terminal that a column of a table should have, the gap among them. */
const readable = 12

/**
 * Columns that are worth drawing: those that hold anything, and of these as many as can be read on a terminal of this
 * width (absent: all).
 */
const readableColumns = (
  names: readonly string[],
  rows: readonly Row[],
  width: number | undefined,
): { readonly shown: readonly string[]; readonly leftOut: readonly string[] } => {
  const filled = names.filter((name) => rows.some((row) => row[name] !== null))
  const most = width === undefined ? filled.length : Math.max(3, Math.floor(width / readable))
  return { shown: filled.slice(0, most), leftOut: filled.slice(most) }
}
