import type { ViewShape } from '../../../src/domain/kernel/view.ts'
import { list, quoted, sqlColumns } from './shape.ts'

/*
 * The tables of a view that keeps its past. The table of what is now has one more column, `@from`: the position of the event that
 * wrote the row. The versions that were replaced or deleted lie in a table beside it, with `@from` and `@to`; where a row came, there
 * is a version without `@from` that says until when it was absent. Each order of pages has two tables more: see past-order.ts.
 * No column of a view begins with @.
 */

export const pastTableOf = (view: string, generation: number): string =>
  quoted(`${view}__${generation}__past`)
export const pastKeyIndexOf = (view: string, generation: number): string =>
  quoted(`${view}__${generation}__past_key`)
export const pastTimeIndexOf = (view: string, generation: number): string =>
  quoted(`${view}__${generation}__past_to`)

/** Blocks of the order `number`, and their entries. */
export const blocksOf = (view: string, generation: number, number: number): string =>
  quoted(`${view}__${generation}__blocks${number}`)
export const entriesOf = (view: string, generation: number, number: number): string =>
  quoted(`${view}__${generation}__entries${number}`)

export const from = quoted('@from')
export const to = quoted('@to')
export const block = quoted('@block')
export const opened = quoted('@opened')
export const closed = quoted('@closed')
export const since = quoted('@since')
export const until = quoted('@until')

/** The column that the table of what is now has besides. */
export const fromColumn = ({ history }: ViewShape): readonly string[] =>
  history ? [`${from} INTEGER NOT NULL`] : []

/** In what orders the past has pages: by the key, and by each column listed before the key. */
export const pastOrders = ({ key, history }: ViewShape): readonly (readonly string[])[] =>
  history
    ? [
        ...(history.byKey === false ? [] : [key]),
        ...(history.by ?? []).map((columns) => [
          ...columns,
          ...key.filter((name) => !columns.includes(name)),
        ]),
      ]
    : []

/** Stands for null in an order, and for the beginning of it: all values are greater. */
export const least = Number.NEGATIVE_INFINITY
export const leastSql = '-9e999'

export const pastTableSql = (shape: ViewShape, generation: number): readonly string[] => {
  if (!shape.history) return []
  const { name, key } = shape
  const past = pastTableOf(name, generation)
  return [
    `CREATE TABLE ${past} (${from} INTEGER, ${to} INTEGER NOT NULL, ${sqlColumns(shape).join(', ')}) STRICT`,
    `CREATE INDEX ${pastKeyIndexOf(name, generation)} ON ${past} (${list(key)}, ${from}, ${to})`,
    `CREATE INDEX ${pastTimeIndexOf(name, generation)} ON ${past} (${to})`,
    ...pastOrders(shape).flatMap((columns, number) => orderSql(name, generation, columns, number)),
  ]
}

const orderSql = (view: string, generation: number, columns: readonly string[], number: number) => {
  const blocks = blocksOf(view, generation, number)
  const any = columns.map((name) => `${quoted(name)} ANY NOT NULL`).join(', ')
  return [
    `CREATE TABLE ${blocks} (${block} INTEGER PRIMARY KEY, ${opened} INTEGER NOT NULL, ${closed} INTEGER, ${any}) STRICT`,
    `CREATE INDEX ${quoted(`${view}__${generation}__blocks${number}_lower`)} ON ${blocks} (${list(columns)}, ${opened}, ${closed})`,
    `INSERT INTO ${blocks} VALUES (1, -1, NULL${`, ${leastSql}`.repeat(columns.length)})`,
    `CREATE TABLE ${entriesOf(view, generation, number)} (
      ${block} INTEGER NOT NULL, ${any}, ${since} INTEGER NOT NULL, ${until} INTEGER,
      PRIMARY KEY (${block}, ${list(columns)}, ${since})) STRICT, WITHOUT ROWID`,
  ]
}

/** Those of an older program, too, which kept the past of the view otherwise. */
export const dropPastSql = (shape: ViewShape, generation: number): readonly string[] =>
  shape.history
    ? [
        pastTableOf(shape.name, generation),
        ...pastOrders(shape).flatMap((_, number) => [
          blocksOf(shape.name, generation, number),
          entriesOf(shape.name, generation, number),
        ]),
      ].map((table) => `DROP TABLE IF EXISTS ${table}`)
    : []
