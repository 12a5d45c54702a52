import { cellText } from '../../domain/kernel/formulas.ts'
import { unprintable } from '../../domain/kernel/visible.ts'
import type { Column, Row } from '../../projections/runtime/shown.ts'
import { csvWriter } from './drawing.ts'
import type { Format } from './formats.ts'
import type { Output } from './output.ts'
import { table } from './table.ts'
import { visible } from './text.ts'

/** On a terminal a table for people; in a pipe a line of JSON for each row. */
export const defaultFormat = (output: Pick<Output, 'isTTY'>): Format => (output.isTTY ? 'table' : 'ndjson')

/** Rows, a page at a time; each page is written before the next one is read. */
type Pages = Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>

/**
 * Writes rows. `json` and `ndjson` hold whole rows, `table` and `csv` the columns (absent: the fields of the first row). A
 * table is written at the end, as its widths depend on all rows. Stops when the reader is gone.
 */
export const writeRows = async (
  output: Output,
  pages: Pages,
  options: { readonly format?: Format; readonly columns?: readonly Column[] } = {},
): Promise<void> => {
  const writer = writers[options.format ?? defaultFormat(output)](output, options.columns)
  for await (const page of pages) {
    if (page.length > 0) await output.write(writer.page(await output.readable(page)))
    if (output.closed.aborted) return
  }
  await output.write(writer.end())
}

interface Writer {
  page(rows: readonly Row[]): string
  end(): string
}

const writers: Record<Format, (output: Output, columns?: readonly Column[]) => Writer> = {
  table: (output, columns) => {
    const all: Row[] = []
    return {
      page: (rows) => {
        for (const row of rows) all.push(row)
        return ''
      },
      end: () => {
        const width = output.width()
        const options = { colour: output.colour, ...(width !== undefined && { width }) }
        return table(all, columns ?? columnsOf(all), options)
      },
    }
  },

  ndjson: () => ({
    page: (rows) => rows.map((row) => `${jsonText(row)}\n`).join(''),
    end: () => '',
  }),

  json: () => {
    let before = '[\n'
    return {
      page: (rows) => {
        const text = before + rows.map((row) => `  ${jsonText(row)}`).join(',\n')
        before = ',\n'
        return text
      },
      end: () => (before === '[\n' ? '[]\n' : '\n]\n'),
    }
  },

  csv: (output, columns) => {
    let header = true
    const stringify = csvWriter()
    const text = output.isTTY ? visible : (value: string) => value
    const write = (rows: readonly Row[]) => {
      const csv = stringify([...rows], {
        header,
        columns: (columns ?? columnsOf(rows)).map(({ key }) => ({ key, header: key })),
        cast: {
          boolean: String,
          bigint: String,
          // Text that a spreadsheet would run as a formula gets a ' in front; numbers are left alone.
          string: (value) => cellText(text(value)),
          object: (value) => text(jsonText(value)),
        },
      })
      header = false
      return csv
    }
    return { page: write, end: () => (header && columns ? write([]) : '') }
  },
}

const columnsOf = (rows: readonly Row[]): readonly Column[] =>
  Object.keys(rows[0] ?? {}).map((key) => ({ key }))

/**
 * One line of JSON. Control characters are written as `\u…`, so that they do nothing to a terminal. A bigint becomes
 * decimal text: JSON has no 64-bit integers.
 */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)).replace(
    unprintable,
    (c) =>
      Array.from({ length: c.length }, (_, i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`).join(
        '',
      ),
  )
