import type { DatabaseSync } from 'node:sqlite'
import { type Value, ViewQueryError } from '../../../src/domain/kernel/view.ts'
import type { Difference, StoredShape } from '../../../src/ports/view-store.ts'
import { from, to } from './history/tables.ts'
import { versionsSql } from './history/version-sql.ts'
import { createRowReader, list, quoted, tableOf } from './shape.ts'
import { sourceOf } from './source.ts'
import { readingNumbers } from './too-large.ts'

const maxExamples = 5

/** A generation's id with its views. */
interface Side {
  readonly id: number
  readonly shapes: readonly StoredShape[]
  /** Returns the position from which both sides have a view's history. */
  keptFrom(view: string): number
}

/**
 * Compares the views of two generations. Must run inside a read transaction, so that both are of one snapshot. Equal
 * views are left out.
 */
export const compareTables = (db: DatabaseSync, first: Side, second: Side): readonly Difference[] => {
  if (layout(first) !== layout(second))
    throw new ViewQueryError(
      `generations ${first.id} and ${second.id} have different views or columns; only builds of one version can be compared`,
    )
  const ids = [first.id, second.id] as const
  return first.shapes.flatMap((shape, i) => {
    const { name, key } = shape
    // If one of them keeps no history, that cannot differ.
    const history = shape.history && second.shapes[i]?.history
    const of = (table: (id: number) => string, columns: readonly string[], where = '') =>
      [first.id, second.id].map((id) => rowsOf(shape, id, table(id), columns) + where) as [string, string]
    const [one, other] = of((id) => tableOf(name, id), history ? [from] : [])
    const rows = compare(db, shape, name, { one, other, ids, columns: history ? [from] : [], key })
    if (!history) return rows ? [rows] : []
    const kept = Math.max(first.keptFrom(name), second.keptFrom(name))
    const [oneThen, otherThen] = of(
      (id) => `(${versionsSql(shape, id, Object.keys(shape.columns))})`,
      [from, to],
      ` WHERE ${to} > ${kept} AND ${from} IS NOT NULL`,
    )
    const versions = compare(db, shape, `${name}, its past`, {
      one: oneThen,
      other: otherThen,
      ids,
      columns: [from, to],
      key,
    })
    return [rows, versions].filter((difference) => difference !== undefined)
  })
}

const layout = ({ shapes }: Side): string =>
  JSON.stringify(shapes.map(({ name, key, columns }) => [name, key, Object.entries(columns)]))

/** Selects rows with the ids in place of their numbers: each generation has numbers of its own. */
const rowsOf = (shape: StoredShape, id: number, table: string, more: readonly string[]): string => {
  if (!shape.ids) return table
  const columns = Object.keys(shape.columns)
  const { from, sqlOf } = sourceOf(shape, id, columns, undefined, table)
  const selected = columns.map((column) => `${sqlOf(column)} AS ${quoted(column)}`)
  return `(SELECT ${[...selected, ...more].join(', ')} FROM ${from})`
}

/** A comparison: two tables, or parts of them, and their columns beside the view's. */
interface Compared {
  readonly one: string
  readonly other: string
  /** Ids of their generations. */
  readonly ids: readonly [one: number, other: number]
  readonly columns: readonly string[]
  readonly key: readonly string[]
}

const compare = (
  db: DatabaseSync,
  shape: StoredShape,
  view: string,
  { one, other, ids, columns, key }: Compared,
): Difference | undefined => {
  const own = Object.keys(shape.columns)
  const all = [list(own), ...columns].join(', ')
  const only = (these: string, those: string) =>
    `SELECT * FROM (SELECT ${all} FROM ${these} EXCEPT SELECT ${all} FROM ${those})`
  const onlyFirst = only(one, other)
  const onlySecond = only(other, one)

  const count = db
    .prepare(
      `SELECT COUNT(*) AS n FROM (SELECT ${list(key)} FROM (${onlyFirst}) UNION SELECT ${list(key)} FROM (${onlySecond}))`,
    )
    .get()
  const rows = Number(count?.n)
  if (rows === 0) return undefined

  const read = createRowReader(own, shape)
  const few = (sql: string, id: number) => {
    const statement = db.prepare(`${sql} ORDER BY ${list(key)} LIMIT ${maxExamples}`)
    statement.setReturnArrays(true)
    return readingNumbers(db, shape, id, () => statement.all() as unknown as Value[][]).map(read)
  }
  return { view, rows, onlyInFirst: few(onlyFirst, ids[0]), onlyInSecond: few(onlySecond, ids[1]) }
}
