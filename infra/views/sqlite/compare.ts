import type { DatabaseSync } from 'node:sqlite'
import { type Value, ViewQueryError, type ViewShape } from '../../../src/domain/kernel/view.ts'
import type { Difference } from '../../../src/ports/view-store.ts'
import { createRowReader, list, tableOf } from './shape.ts'

const maxExamples = 5

/** A generation's id with its views. */
interface Side {
  readonly id: number
  readonly shapes: readonly ViewShape[]
}

/** To be called inside a read transaction, so that both are of one snapshot. Views that are equal are left out. */
export const compareTables = (db: DatabaseSync, first: Side, second: Side): readonly Difference[] => {
  if (layout(first) !== layout(second))
    throw new ViewQueryError(
      `generations ${first.id} and ${second.id} have different views or columns; only builds of one version can be compared`,
    )
  return first.shapes.flatMap((shape) => {
    const difference = compareView(db, shape, first.id, second.id)
    return difference ? [difference] : []
  })
}

const layout = ({ shapes }: Side): string =>
  JSON.stringify(shapes.map(({ name, key, columns }) => [name, key, Object.entries(columns)]))

const compareView = (
  db: DatabaseSync,
  shape: ViewShape,
  first: number,
  second: number,
): Difference | undefined => {
  const columns = Object.keys(shape.columns)
  const rowsOf = (id: number) => `SELECT ${list(columns)} FROM ${tableOf(shape.name, id)}`
  const only = (one: number, other: number) => `SELECT * FROM (${rowsOf(one)} EXCEPT ${rowsOf(other)})`
  const onlyFirst = only(first, second)
  const onlySecond = only(second, first)
  const key = list(shape.key)

  const count = db
    .prepare(
      `SELECT COUNT(*) AS n FROM (SELECT ${key} FROM (${onlyFirst}) UNION SELECT ${key} FROM (${onlySecond}))`,
    )
    .get()
  const rows = Number(count?.n)
  if (rows === 0) return undefined

  const read = createRowReader(columns, shape)
  const few = (sql: string) => {
    const statement = db.prepare(`${sql} ORDER BY ${key} LIMIT ${maxExamples}`)
    statement.setReturnArrays(true)
    return (statement.all() as unknown as Value[][]).map(read)
  }
  return { view: shape.name, rows, onlyInFirst: few(onlyFirst), onlyInSecond: few(onlySecond) }
}
