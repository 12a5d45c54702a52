import type { StoredShape } from '../../../src/ports/view-store.ts'
import { idTableOf } from './ids.ts'
import { quoted, tableOf } from './shape.ts'

/**
 * Returns SQL for the original value of a column. Its bare name is the stored value, which indexes have: the number of
 * an id.
 */
export type SqlOf = (column: string) => string

/** The FROM clause of a statement, and SQL for its columns. */
interface Source {
  readonly from: string
  readonly sqlOf: SqlOf
}

/** Returns SQL for the original values of columns, in a statement on the table of a view alone. */
export const columnSql =
  ({ ids = [] }: StoredShape, generation: number): SqlOf =>
  (column) =>
    ids.includes(column)
      ? `(SELECT __id FROM ${idTableOf(generation)} WHERE __number = ${quoted(column)})`
      : quoted(column)

/**
 * `used`: columns whose values the statement names. `first`: an id column to iterate in the order of its ids, each with
 * its rows; without it SQLite may read all rows and sort them. `table`: by default that of the current rows.
 */
export const sourceOf = (
  shape: StoredShape,
  generation: number,
  used: Iterable<string>,
  first?: string,
  table = tableOf(shape.name, generation),
): Source => {
  const { ids = [], key } = shape
  if (ids.length === 0) return { from: table, sqlOf: quoted }
  const nameOf = (column: string) => quoted(`${column} id`)
  const idsOf = (column: string) => `${idTableOf(generation)} ${nameOf(column)}`
  const isOf = (column: string) => `ON ${nameOf(column)}.__number = ${quoted(column)}`
  const [begin, others] =
    first !== undefined && ids.includes(first)
      ? [`${idsOf(first)} CROSS JOIN ${table} ${isOf(first)}`, ids.filter((column) => column !== first)]
      : [table, ids]
  const joined = new Set(used)
  const joins = others
    .filter((column) => joined.has(column))
    .map((column) => `${key.includes(column) ? 'JOIN' : 'LEFT JOIN'} ${idsOf(column)} ${isOf(column)}`)
  return {
    from: [begin, ...joins].join(' '),
    sqlOf: (column) => (ids.includes(column) ? `${nameOf(column)}.__id` : quoted(column)),
  }
}
