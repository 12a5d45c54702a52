import { createColors } from 'picocolors'
import type { Column, Row, Tone } from '../../projections/runtime/shown.ts'
import { tableClass } from './drawing.ts'
import { visible } from './text.ts'
import { displayWidth, fitWidths, shorten } from './width.ts'

interface TableOptions {
  /** Columns of the terminal; absent: as wide as it gets. */
  readonly width?: number
  readonly colour: boolean
}

const gap = 2
/** Lines of a terminal that a value which a command needs may take. */
const wholeLines = 3

/**
 * Rows as text in columns, with headings and numbers to the right. The widest columns are shortened until the table fits,
 * but never numbers and what a command needs. Control characters are escaped. Ends with a line break.
 */
export const table = (rows: readonly Row[], columns: readonly Column[], options: TableOptions): string => {
  if (rows.length === 0) return 'nothing\n'
  const colours = createColors(options.colour)
  const paint: Record<Tone, (text: string) => string> = {
    good: colours.green,
    bad: colours.red,
    warning: colours.yellow,
    quiet: colours.dim,
  }
  const titles = columns.map((column) => visible(column.title ?? column.key))
  const cells = rows.map((row) => columns.map((column) => cellText(column, row)))
  const numeric = columns.map((column) => rows.every((row) => isNumber(row[column.key])))
  const natural = titles.map((title, i) =>
    cells.reduce((widest, row) => Math.max(widest, displayWidth(row[i]!)), displayWidth(title)),
  )
  const room = (options.width ?? Number.POSITIVE_INFINITY) - gap * (columns.length - 1)
  const isFixed = columns.map(
    ({ isWhole }, i) => numeric[i]! || (isWhole === true && natural[i]! <= wholeLines * room),
  )
  const widths = fitWidths(natural, isFixed, room)
  const cut = (text: string, i: number) => shorten(text, widths[i]!, columns[i]?.leaveOut)

  const head = titles.map((title, i) => colours.bold(cut(title, i)))
  const body = rows.map((row, r) =>
    columns.map((column, i) => {
      const text = cut(cells[r]![i]!, i)
      const tone = column.tone?.(row[column.key], row)
      return tone ? paint[tone](text) : text
    }),
  )
  const aligned = blocksOf([head, ...body]).map((block) => align(block, widths, numeric))
  return aligned.join('')
}

/** The renderer recurses over rows and columns: a long table is drawn in blocks of the same widths. */
const blocksOf = (lines: readonly string[][]): string[][][] =>
  Array.from({ length: Math.ceil(lines.length / 500) }, (_, i) => lines.slice(i * 500, (i + 1) * 500))

const align = (lines: string[][], widths: readonly number[], numeric: readonly boolean[]): string => {
  const Table = tableClass()
  const drawn = new Table({
    colWidths: [...widths],
    colAligns: numeric.map((isRight) => (isRight ? 'right' : 'left')),
    chars: noLines,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  })
  drawn.push(...lines)
  return drawn
    .toString()
    .split('\n')
    .map((line) => `${line.trimEnd()}\n`)
    .join('')
}

const cellText = (column: Column, row: Row): string => {
  const value = row[column.key]
  return visible(column.show ? column.show(value, row) : plain(value))
}

const plain = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))
}

/** Null counts as a number: a column of sizes may have gaps. */
const isNumber = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'bigint' || value === null || value === undefined

const noLines = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' '.repeat(gap),
}
