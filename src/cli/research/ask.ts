import { Option } from 'commander'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { timeOf } from '../../api/research/asking.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { research } from '../../projections/research/projection.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { type CliFailure, usage } from '../output/exit-codes.ts'
import { formats, jsonText, writeRows } from '../output/format.ts'
import type { Column, Row } from '../output/table.ts'
import { visible } from '../output/text.ts'
import { foldPast } from '../past-views.ts'
import { parsePoint } from '../point.ts'

export type Format = 'table' | 'json'
export type RowsFormat = (typeof formats)[number]

export const formatOption = (): Option =>
  new Option('--format <format>', 'table on a terminal, else json').choices(['table', 'json'])

export const rowsFormatOption = (): Option =>
  new Option('--format <format>', 'table on a terminal, else ndjson').choices([...formats])

/**
 * Asks the views of research, with everything in them that was written so far, or as they were. `now` is the time that
 * deadlines are compared with. Left: there is no such time.
 */
export const askResearch = async <A>(
  session: Session,
  asOf: string | undefined,
  question: (views: ViewStore, now: string) => A,
): Promise<Either<CliFailure, A>> => {
  const point = asOf === undefined ? undefined : parsePoint(asOf)
  if (point && isLeft(point)) return left(usage(point.left))
  const system = await session.system()
  if (!point) {
    await freshViews(session, system, [research])
    return right(question(system.viewStore, system.clock.now()))
  }
  const past = await foldPast(session, system, research, point.right)
  try {
    return right(question(past, timeOf(past, point.right, system.clock.now())))
  } finally {
    past.close()
  }
}

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

/** Rows: a table with the columns that people read, or all of them for programs. */
export const tellRows = async (
  { output }: Session,
  format: RowsFormat | undefined,
  rows: readonly object[],
  columns: readonly Column[],
): Promise<undefined> => {
  const isTable = (format ?? (output.isTTY ? 'table' : 'ndjson')) === 'table'
  await writeRows(output, [rows as readonly Row[]], {
    ...(format && { format }),
    ...(isTable && { columns }),
  })
}
