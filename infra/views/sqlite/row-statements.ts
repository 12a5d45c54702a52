import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Row, Value } from '../../../src/domain/kernel/view.ts'
import type { StoredShape } from '../../../src/ports/view-store.ts'
import { from } from './history/tables.ts'
import { type Links, linkColumns, linkValues, readLinks } from './history/version-links.ts'
import { createStored, type Ids } from './ids.ts'
import { createRowReader, isKeySql, list, marks, quoted, tableOf } from './shape.ts'
import { columnSql } from './source.ts'
import { readingNumbers } from './too-large.ts'

/** `from`: position of the event that wrote it; `links`: see version-links.ts. Both if the view keeps history. */
interface Stored {
  readonly row: Row
  readonly from?: number
  readonly links?: Links
}

/** Reads and writes single rows of a generation's table. */
interface RowStatements {
  load(key: readonly Value[]): Stored | undefined
  /** Adds a row that the table does not have. It is checked, and in the order of the shape. */
  insert(row: Row, from: number, links?: Links): void
  /** As `insert`, whether the table has it or not. */
  upsert(row: Row, from: number, links?: Links): void
  remove(key: readonly Value[]): void
}

/** `ids`: where the shape names columns of ids. */
export const createRowStatements = (
  db: DatabaseSync,
  shape: StoredShape,
  generation: number,
  ids?: Ids,
): RowStatements => {
  const table = tableOf(shape.name, generation)
  const columns = Object.keys(shape.columns)
  const isKey = isKeySql(shape.key)
  const keepsHistory = shape.history !== undefined
  const select = db.prepare(
    `SELECT ${columns.map(columnSql(shape, generation)).join(', ')}${keepsHistory ? `, ${[from, ...linkColumns].join(', ')}` : ''} FROM ${table} WHERE ${isKey}`,
  )
  select.setReturnArrays(true)
  const remove = db.prepare(`DELETE FROM ${table} WHERE ${isKey}`)
  const insert = db.prepare(insertSql(table, shape))
  const upsert = db.prepare(upsertSql(table, shape))
  const readRow = createRowReader(columns, shape)
  const stored = createStored(shape, ids)
  const writing = (statement: StatementSync): RowStatements['upsert'] =>
    keepsHistory
      ? (row, from, links) => {
          statement.run(...stored.row(row), from, ...linkValues(links))
        }
      : (row) => {
          statement.run(...stored.row(row))
        }

  return {
    load: (key) => {
      const known = stored.knownKey(key)
      const read = () => select.get(...(known as SQLInputValue[])) as unknown as Value[] | undefined
      const values = known && readingNumbers(db, shape, generation, read)
      if (!values) return undefined
      const row = readRow(values)
      const [from, ...links] = values.slice(columns.length)
      return keepsHistory ? { row, from: Number(from), links: readLinks(links) } : { row }
    },
    insert: writing(insert),
    upsert: writing(upsert),
    remove: (key) => {
      const known = stored.knownKey(key)
      if (known) remove.run(...known)
    },
  }
}

const storedColumns = ({ columns, history }: StoredShape): readonly string[] => [
  ...Object.keys(columns).map(quoted),
  ...(history ? [from, ...linkColumns] : []),
]

const insertSql = (table: string, shape: StoredShape): string => {
  const names = storedColumns(shape)
  return `INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks(names)})`
}

const upsertSql = (table: string, shape: StoredShape): string => {
  const { key } = shape
  const keys = new Set(key.map(quoted))
  const rest = storedColumns(shape).filter((name) => !keys.has(name))
  const update = rest.map((name) => `${name} = excluded.${name}`).join(', ')
  return `${insertSql(table, shape)}
    ON CONFLICT (${list(key)}) DO ${update ? `UPDATE SET ${update}` : 'NOTHING'}`
}
