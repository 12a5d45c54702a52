import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Row, Value, ViewShape } from '../../../src/domain/kernel/view.ts'
import { type Ids, idTableOf } from './ids.ts'
import { from } from './past-tables.ts'
import { createRowReader, createRowWriter, list, quoted, tableOf } from './shape.ts'

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
  const isId = (name: string) => shape.ids?.includes(name) ?? false
  const read = (name: string) =>
    isId(name) ? `(SELECT __id FROM ${idTableOf(generation)} WHERE __number = ${quoted(name)})` : quoted(name)
  const select = db.prepare(
    `SELECT ${columns.map(read).join(', ')}${keepsPast ? `, ${from}` : ''} FROM ${table} WHERE ${byKey}`,
  )
  select.setReturnArrays(true)
  const remove = db.prepare(`DELETE FROM ${table} WHERE ${byKey}`)
  const upsert = db.prepare(upsertSql(table, shape))
  const readRow = createRowReader(columns, shape)
  const writeRow = createRowWriter(shape)

  const keyIds = shape.key.flatMap((name, i) => (isId(name) ? [i] : []))
  /** Undefined where no row has one of its ids. */
  const storedKey = (key: readonly Value[]): readonly Value[] | undefined => {
    if (!ids || keyIds.length === 0) return key
    const stored = [...key]
    for (const i of keyIds) {
      const number = ids.find(stored[i] as string)
      if (number === undefined) return undefined
      stored[i] = number
    }
    return stored
  }
  const rowIds = columns.flatMap((name, i) => (isId(name) ? [i] : []))
  const storedRow = (row: Row): Value[] => {
    const values = writeRow(row)
    if (ids) for (const i of rowIds) if (values[i] !== null) values[i] = ids.numberOf(values[i] as string)
    return values
  }

  return {
    load: (key) => {
      const stored = storedKey(key)
      const values = stored && (select.get(...(stored as SQLInputValue[])) as unknown as Value[] | undefined)
      return values && { row: readRow(values), from: keepsPast ? Number(values.at(-1)) : 0 }
    },
    upsert: keepsPast
      ? (row, from) => {
          upsert.run(...storedRow(row), from)
        }
      : (row) => {
          upsert.run(...storedRow(row))
        },
    remove: (key) => {
      const stored = storedKey(key)
      if (stored) remove.run(...stored)
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
