import { isLeft } from 'fp-ts/lib/Either.js'
import { HistoryNotKept, type Row, type Value } from '../../domain/kernel/view.ts'
import { changeBody, type ViewChange, viewChanges } from '../../projections/runtime/changes.ts'
import { toTheSecond } from '../../projections/runtime/shown.ts'
import { projectionsOf } from '../../workflows/workflow-model.ts'
import { didYouMean } from '../closest.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { defaultFormat, writeRows } from '../output/format.ts'
import type { Format } from '../output/formats.ts'
import { parsePoint } from '../point.ts'

interface DiffOptions {
  readonly from: string
  readonly to?: string
  readonly limit?: number
  readonly format?: Format
}

const pageSize = 500
/** A table's widths depend on all its rows. */
const maxTableRows = 1000

export const run = async (
  session: Session,
  view: string,
  options: DiffOptions,
): Promise<CliFailure | undefined> => {
  const home = await session.home()
  const projections = projectionsOf(home.workflows)
  const projection = projections.find(({ views }) => views.some(({ name }) => name === view))
  if (!projection) {
    const names = projections.flatMap(({ views }) => views.map(({ name }) => name))
    return refused(`there is no view ${view}`, didYouMean(view, names))
  }
  const from = parsePoint(options.from, '--from')
  if (isLeft(from)) return usage(from.left)
  const to = options.to === undefined ? undefined : parsePoint(options.to, '--to')
  if (to && isLeft(to)) return usage(to.left)
  await freshViews(session, home, [projection])
  const format = options.format ?? defaultFormat(session.output)
  const most = options.limit ?? (format === 'table' ? maxTableRows : Number.POSITIVE_INFINITY)
  const points = { from: from.right, ...(to && { to: to.right }) }
  let isCut = false
  const pages = async function* () {
    let after: readonly Value[] | undefined
    for (let left = most; left > 0; ) {
      session.signal.throwIfAborted()
      const page = { limit: Math.min(pageSize, left), ...(after && { after }) }
      const { from, to, changes, next } = await viewChanges(projection, home, view, points, page)
      if (from.position > to.position) throw new Reversed()
      left -= changes.length
      yield changes.map((change) => rowOf(change, format))
      if (next === undefined) return
      isCut = left <= 0
      after = next
    }
  }
  try {
    await writeRows(session.output, pages(), { format, columns: columns.map((key) => ({ key })) })
  } catch (error) {
    if (error instanceof Reversed) return usage(error.message)
    if (!(error instanceof HistoryNotKept)) throw error
    return refused(
      error.message,
      'views that keep their past can be compared; `fonds query <view> --as-of` asks any',
    )
  }
  if (isCut) session.say('more rows differ; --limit <n> gives them')
  return undefined
}

class Reversed extends Error {
  override readonly name = 'Reversed'
  override readonly message = '--from lies behind --to; the earlier moment comes first'
}

const columns = ['kind', 'key', 'what', 'events', 'at', 'actor'] as const

/** For programs all of it; for people, and spreadsheets, a line of text. */
const rowOf = (change: ViewChange, format: Format): Row => {
  const { kind, key, before, after, events } = change
  const last = events.at(-1)
  if (format === 'json' || format === 'ndjson') return changeBody(change)
  return {
    kind,
    key: Object.values(key).join(' '),
    what:
      before && after
        ? change.columns.map((name) => `${name}: ${text(before[name])} → ${text(after[name])}`).join('; ')
        : '',
    events: events.map(({ type, position }) => `${type} ${position}`).join(', '),
    at: toTheSecond(last?.recordedAt),
    actor: last?.metadata.actor ?? '',
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
