import { Option } from 'commander'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { timeOf } from '../../api/research/asking.ts'
import { type Named, unknownOf } from '../../api/research/known.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { research } from '../../projections/research/projection.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { nearIds } from '../near-ids.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { formats, jsonText, writeRows } from '../output/format.ts'
import type { Column, Row } from '../output/table.ts'
import { visible } from '../output/text.ts'
import { foldPast } from '../past-views.ts'
import { parsePoint } from '../point.ts'

export type Format = 'table' | 'json'
export type SheetFormat = Format | 'csv'
export type RowsFormat = (typeof formats)[number]

export const formatOption = (): Option =>
  new Option('--format <format>', 'table on a terminal, else json').choices(['table', 'json'])

/** Of one answer that a spreadsheet takes, too. */
export const sheetFormatOption = (): Option =>
  new Option('--format <format>', 'table on a terminal, else json').choices(['table', 'json', 'csv'])

export const rowsFormatOption = (): Option =>
  new Option('--format <format>', 'table on a terminal, else ndjson').choices([...formats])

interface About extends Named {
  readonly asOf?: string | undefined
}

/**
 * Asks the views of research, with everything in them that was written so far, or as they were. `now` is the time that
 * deadlines are compared with. Left: there is no such time, or nothing is known of what the question names.
 */
export const askResearch = async <A>(
  session: Session,
  { asOf, ...named }: About,
  question: (views: ViewStore, now: string) => A,
): Promise<Either<CliFailure, A>> => {
  const point = asOf === undefined ? undefined : parsePoint(asOf)
  if (point && isLeft(point)) return left(usage(point.left))
  const system = await session.system()
  if (!point) {
    await freshViews(session, system, [research])
    return unknownIn(system.viewStore, named) ?? right(question(system.viewStore, system.clock.now()))
  }
  const past = await foldPast(session, system, research, point.right)
  try {
    return (
      unknownIn(past, named, `as of ${asOf}: `) ??
      right(question(past, timeOf(past, point.right, system.clock.now())))
    )
  } finally {
    past.close()
  }
}

const unknownIn = (viewStore: ViewStore, named: Named, then = ''): Either<CliFailure, never> | undefined => {
  const unknown = unknownOf(viewStore, named)
  if (!unknown) return undefined
  const near = nearIds({ viewStore }, unknown.id)
  const hint = near.length > 0 ? `did you mean ${near.join(', or ')}?` : listedBy(unknown.subject)
  return left(refused(`${then}${unknown.says}`, hint))
}

const listedBy = (subject: 'episode' | 'clip'): string => `\`fonds research ${subject}s\` lists all`

/** An answer: a line of JSON, or sentences for people. */
export const tell = async (
  { output }: Session,
  format: Format | undefined,
  answer: unknown,
  sentences: () => readonly string[],
): Promise<undefined> => {
  const text =
    (format ?? (output.isTTY ? 'table' : 'json')) === 'json'
      ? `${jsonText(answer)}\n`
      : sentences()
          .map((line) => `${visible(line)}\n`)
          .join('')
  await output.write(text)
}

/** Rows: a table with the columns that people read, or all of them for programs. Of none, `none` tells people why. */
export const tellRows = async (
  { output, say }: Session,
  format: RowsFormat | undefined,
  rows: readonly object[],
  columns: readonly Column[],
  none: string,
): Promise<undefined> => {
  const told = format ?? (output.isTTY ? 'table' : 'ndjson')
  if (told === 'table' && rows.length === 0) {
    say(none)
    return
  }
  await writeRows(output, [rows as readonly Row[]], {
    format: told,
    ...(told === 'table' && { columns }),
    ...(told === 'csv' && { columns: columnsOf(rows) }),
  })
}

/** Of all rows: the first one may lack what others have. */
const columnsOf = (rows: readonly object[]): readonly Column[] =>
  [...new Set(rows.flatMap((row) => Object.keys(row)))].map((key) => ({ key }))

/** For a spreadsheet. */
export const tellSheet = (session: Session, rows: readonly object[]): Promise<undefined> =>
  tellRows(session, 'csv', rows, [], '')

/** A time in a table, short enough to stay whole; programs get all of it. */
export const toTheSecond = (time: unknown): string =>
  typeof time === 'string' ? time.replace(/\.\d+Z$/, 'Z') : ''
