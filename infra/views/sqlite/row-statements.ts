import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Row, Value, ViewShape } from '../../../src/domain/kernel/view.ts'
import { createStored, type Ids } from './ids.ts'
import { from } from './past-tables.ts'
import { createRowReader, list, quoted, tableOf } from './shape.ts'
import { columnSql } from './source.ts'

/** `from`: position of the event that wrote it; 0 where the view does not keep its past. */
interface Stored {
  readonly row: Row
  readonly from: number
}

/** Reads and writes single rows of a generation's table. */
interface RowStatements {
  load(key: readonly Value[]): Stored | undefined
  /** The row is checked, and in the order of the shape. */
  upsert(row: Row, from: number): void
  remove(key: readonly Value[]): void
}

/** `ids`: where the shape names columns of ids. */
export const createRowStatements = (
  db: DatabaseSync,
  shape: ViewShape,
  generation: number,
  ids?: Ids,
): RowStatements => {
  const table = tableOf(shape.name, generation)
  const columns = Object.keys(shape.columns)
  const byKey = shape.key.map((name) => `${quoted(name)} = ?`).join(' AND ')
  const keepsPast = shape.history !== undefined
  const select = db.prepare(
    `SELECT ${columns.map(columnSql(shape, generation)).join(', ')}${keepsPast ? `, ${from}` : ''} FROM ${table} WHERE ${byKey}`,
  )
  select.setReturnArrays(true)
  const remove = db.prepare(`DELETE FROM ${table} WHERE ${byKey}`)
  const upsert = db.prepare(upsertSql(table, shape))
  const readRow = createRowReader(columns, shape)
  const stored = createStored(shape, ids)

  return {
    load: (key) => {
      const known = stored.knownKey(key)
      const values = known && (select.get(...(known as SQLInputValue[])) as unknown as Value[] | undefined)
      return values && { row: readRow(values), from: keepsPast ? Number(values.at(-1)) : 0 }
    },
    upsert: keepsPast
      ? (row, from) => {
          upsert.run(...stored.row(row), from)
        }
      : (row) => {
          upsert.run(...stored.row(row))
        },
    remove: (key) => {
      const known = stored.knownKey(key)
      if (known) remove.run(...known)
    },
  }
}

const upsertSql = (table: string, { columns, key, history }: ViewShape): string => {
  const names = [...Object.keys(columns).map(quoted), ...(history ? [from] : [])]
  const keys = new Set(key.map(quoted))
  const rest = names.filter((name) => !keys.has(name))
  const update = rest.map((name) => `${name} = excluded.${name}`).join(', ')
  return `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
    ON CONFLICT (${list(key)}) DO ${update ? `UPDATE SET ${update}` : 'NOTHING'}`
}
