import { isCdxj } from './cdxj.ts'
import type { Column } from './columns.ts'
import { isHeader } from './formats.ts'
import { type CdxHeader, namesColumns, parseHeader } from './header.ts'
import { type CdxLine, lineOf, parseLine, withLine } from './parse-line.ts'
import { inWords, type Result, wrong } from './result.ts'

/** Reads the lines of a file, whose headers name the columns of the lines behind them. */
export interface LineReader {
  /** `line` has no end. Undefined for headers that can be read, for commentary and for empty lines. Left: the problem. */
  read(line: string): Result<string, CdxLine> | undefined
}

/** `needed`: columns without which a header is refused. */
export const createLineReader = (needed: readonly Column[] = ['time', 'url']): LineReader => {
  /** Headers that stand together; they hold up to the next header behind a line. */
  let headers: readonly CdxHeader[] = []
  /** The problem of a header: no line behind it can be read. */
  let fault: string | undefined
  let isBehindLine = false

  const takeHeader = (line: string): Result<string, never> | undefined => {
    const header = parseHeader(line, needed)
    if (isBehindLine) [headers, fault] = [[], undefined]
    isBehindLine = false
    if (header._tag === 'Right') headers = [...headers, header.right]
    else fault = header.left
    return header._tag === 'Left' ? header : undefined
  }

  return {
    read: (line) => {
      if (namesColumns(line)) return takeHeader(line)
      if (line === '' || isHeader(line)) return undefined
      isBehindLine = true
      if (isCdxj(line)) return parseLine(line)
      if (fault !== undefined) return wrong(fault)
      return headers.every(({ isUsual }) => isUsual) && !hasBlankInField(line, headers)
        ? parseLine(line)
        : withLine(byHeaders(line, headers), line)
    },
  }
}

/** Usual lines are read by the number of their fields; one field more than its header names is a blank in a name. */
const hasBlankInField = (line: string, headers: readonly CdxHeader[]): boolean => {
  if (headers.length === 0) return false
  const { length } = line.split(' ')
  const has = (more: number) => headers.some(({ columns }) => length === columns.length + more)
  return has(1) && !has(0) && !has(originalFields)
}

/** Fields of the record that a revisit repeats. */
const originalFields = 3

const byHeaders = (line: string, headers: readonly CdxHeader[]): Result<string, CdxLine> => {
  const readings = new Map<string, { readonly header: CdxHeader; readonly fields: readonly string[] }>()
  for (const header of headers) {
    const fields = line.split(header.delimiter)
    if (fields.length === header.columns.length)
      readings.set(JSON.stringify([header.delimiter, header.columns]), { header, fields })
  }
  const [reading, other] = readings.values()
  if (!reading) {
    const { text, columns, delimiter } = headers.at(-1)!
    return wrong(
      `the header ${JSON.stringify(text)} names ${columns.length} columns, and the line has ${line.split(delimiter).length} fields`,
    )
  }
  if (other)
    return wrong(
      `the headers ${JSON.stringify(reading.header.text)} and ${JSON.stringify(other.header.text)} stand together, and the line may be of either`,
    )
  return lineOf(
    Object.fromEntries(
      reading.header.columns.flatMap((column, i) => (column ? [[column, reading.fields[i]]] : [])),
    ),
  )
}

/** Parses lines without their ends. Headers and empty lines are skipped. A problem names the line by its number and shows it. */
export function* parseLines(lines: Iterable<string>): Generator<Result<string, CdxLine>> {
  const reader = createLineReader()
  let number = 0
  for (const line of lines) {
    number++
    const named = (problem: string) => `line ${number}: ${problem}`
    const result = reader.read(line)
    if (result) yield inWords(result, named)
  }
}
