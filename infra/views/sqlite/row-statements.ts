import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Row, Value, ViewShape } from '../../../src/domain/kernel/view.ts'
import { createRowReader, createRowWriter, list, quoted, tableOf } from './shape.ts'

/** Reads and writes single rows of a generation's table. */
interface RowStatements {
  load(key: readonly Value[]): Row | undefined
  /** The row is checked, and in the order of the shape. */
  upsert(row: Row): void
  remove(key: readonly Value[]): void
}

export const createRowStatements = (
  db: DatabaseSync,
  shape: ViewShape,
  generation: number,
): RowStatements => {
  const table = tableOf(shape.name, generation)
  const columns = Object.keys(shape.columns)
  const byKey = shape.key.map((name) => `${quoted(name)} = ?`).join(' AND ')
  const select = db.prepare(`SELECT ${list(columns)} FROM ${table} WHERE ${byKey}`)
  select.setReturnArrays(true)
  const remove = db.prepare(`DELETE FROM ${table} WHERE ${byKey}`)
  const upsert = db.prepare(upsertSql(table, columns, shape.key))
  const readRow = createRowReader(columns, shape)
  const writeRow = createRowWriter(shape)

  return {
    load: (key) => {
      const values = select.get(...(key as SQLInputValue[])) as unknown as Value[] | undefined
      return values && readRow(values)
    },
    upsert: (row) => {
      upsert.run(...writeRow(row))
    },
    remove: (key) => {
      remove.run(...key)
    },
  }
}

const upsertSql = (table: string, columns: readonly string[], key: readonly string[]): string => {
  const rest = columns.filter((name) => !key.includes(name))
  const update = rest.map((name) => `${quoted(name)} = excluded.${quoted(name)}`).join(', ')
  return `INSERT INTO ${table} (${list(columns)}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT (${list(key)}) DO ${update ? `UPDATE SET ${update}` : 'NOTHING'}`
}
