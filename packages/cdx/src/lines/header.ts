import { type Column, layouts } from './columns.ts'
import { type Result, read, wrong } from './result.ts'

/** A header line of CDX: ` CDX N b a m s k r V g`. */
export interface CdxHeader {
  readonly text: string
  /** Separates the fields of the lines behind it. */
  readonly delimiter: string
  /** Undefined: the field is no part of a capture. */
  readonly columns: readonly (Column | undefined)[]
  /** Lines of this header can be read by the number of their fields. */
  readonly isUsual: boolean
}

/** True for a line that names columns, or tries to; the blank before `CDX` may be lost, or another delimiter. */
export const namesColumns = (line: string): boolean => begin.test(line)

const begin = /^\W?CDX(?:\W|$)/

/** The columns of captures, by the Internet Archive's letters (`CDXFormat` of OpenWayback has the same). */
const captureColumns: Readonly<Record<string, Column>> = {
  A: 'key',
  N: 'key',
  b: 'time',
  a: 'url',
  m: 'mime',
  s: 'status',
  k: 'digest',
  r: 'redirect',
  M: 'flags',
  S: 'length',
  V: 'offset',
  g: 'file',
}

/** Further letters of its legend: canonical and original parts of URLs, addresses, titles, offsets of other files. */
const otherLetters = new Set('BCDFGHIJKLPQRUXYZcdefhijlnoptvxyz#')

/** A second time these name the record that a revisit repeats. */
const originals: Readonly<Partial<Record<Column, Column>>> = {
  length: 'originalLength',
  offset: 'originalOffset',
  file: 'originalFile',
}

/** Left: a sentence that shows the header. */
export const parseHeader = (line: string, needed: readonly Column[]): Result<string, CdxHeader> => {
  const text = line.trimEnd()
  const rest = text.slice(text.indexOf('CDX') + 3)
  const delimiter = rest.charAt(0)
  const letters = delimiter === '' ? [] : rest.slice(1).split(delimiter)
  const columns: (Column | undefined)[] = []
  for (const letter of letters) {
    const column = Object.hasOwn(captureColumns, letter) ? captureColumns[letter] : undefined
    if (column === undefined && !otherLetters.has(letter))
      return wrong(
        `the header ${JSON.stringify(text)} names ${letter === '' ? 'an empty column' : `the column ${letter}`}, which the legend of CDX does not have`,
      )
    const place = column !== undefined && columns.includes(column) ? originals[column] : column
    if (column !== undefined && (place === undefined || columns.includes(place)))
      return wrong(`the header ${JSON.stringify(text)} names the column ${letter} more than once`)
    columns.push(place)
  }
  const missing = needed.find((column) => !columns.includes(column))
  if (missing !== undefined)
    return wrong(
      `the header ${JSON.stringify(text)} names no column ${letterOf(missing)}, which is the ${missing}; a capture wants one`,
    )
  return read({ text, delimiter, columns, isUsual: delimiter === ' ' && areUsual(columns) })
}

const letterOf = (column: Column): string =>
  Object.keys(captureColumns).find((letter) => captureColumns[letter] === column) ?? '?'

const areUsual = (columns: readonly (Column | undefined)[]): boolean =>
  layouts.get(columns.length)?.every((column, i) => column === columns[i]) ?? false
