import type { Row, ViewShape } from '../view.ts'

/*
 * The entry of a row in the Merkle tree of a view, form `fonds.row/v1`: UTF-8, three lines, each ended by one line feed (U+000A).
 *
 *   fonds.row/v1                                    the form
 *   "fixity-items"                                  the view, a JSON text
 *   {"path":"a","size":1,"store":"main"}            the row, as canonical JSON (RFC 8785)
 *
 * The row has all columns of the view, those without a value as null. Canonical JSON: no white space, names in the order of their
 * UTF-16 code units, texts and numbers as ECMAScript's `JSON.stringify` writes them. Rows are leaves in the order of the view's key:
 * column by column, numbers by size, texts by the bytes of their UTF-8.
 */

const form = 'fonds.row/v1'

/** Returns a function that writes the entries of a view's rows. */
export const rowEntryOf = ({
  name,
  columns,
}: Pick<ViewShape, 'name' | 'columns'>): ((row: Row) => string) => {
  const start = `${form}\n${JSON.stringify(name)}\n{`
  const parts = Object.keys(columns)
    .sort()
    .map((column, i) => ({ column, text: `${i === 0 ? '' : ','}${JSON.stringify(column)}:` }))
  return (row) => {
    let entry = start
    for (const { column, text } of parts) entry += text + canonicalJson(row[column] ?? null)
    return `${entry}}\n`
  }
}

/** RFC 8785. */
export const canonicalJson = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const fields = value as Readonly<Record<string, unknown>>
  return `{${Object.keys(fields)
    .filter((name) => fields[name] !== undefined)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(fields[name])}`)
    .join(',')}}`
}
