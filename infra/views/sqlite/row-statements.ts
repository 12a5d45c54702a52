import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Row, Value } from '../../../src/domain/kernel/view.ts'
import type { StoredShape } from '../../../src/ports/view-store.ts'
import { from } from './history/tables.ts'
import { type Links, linkColumns, linkValues, readLinks } from './history/version-links.ts'
import { createStored, type Ids } from './ids.ts'
import { createRowReader, isKeySql, list, marks, quoted, tableOf } from './shape.ts'
import { columnSql } from './source.ts'

/** `from`: position of the event that wrote it; `links`: see version-links.ts. Both if the view keeps history. */
interface Stored {
  readonly row: Row
  readonly from?: number
  readonly links?: Links
}

/** Reads and writes single rows of a generation's table. */
interface RowStatements {
  load(key: readonly Value[]): Stored | undefined
  /** The row is checked, and in the order of the shape. */
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
  const upsert = db.prepare(upsertSql(table, shape))
  const readRow = createRowReader(columns, shape)
  const stored = createStored(shape, ids)

  return {
    load: (key) => {
      const known = stored.knownKey(key)
      const values = known && (select.get(...(known as SQLInputValue[])) as unknown as Value[] | undefined)
      if (!values) return undefined
      const row = readRow(values)
      const [from, ...links] = values.slice(columns.length)
      return keepsHistory ? { row, from: Number(from), links: readLinks(links) } : { row }
    },
    upsert: keepsHistory
      ? (row, from, links) => {
          upsert.run(...stored.row(row), from, ...linkValues(links))
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

const upsertSql = (table: string, { columns, key, history }: StoredShape): string => {
  const names = [...Object.keys(columns).map(quoted), ...(history ? [from, ...linkColumns] : [])]
  const keys = new Set(key.map(quoted))
  const rest = names.filter((name) => !keys.has(name))
  const update = rest.map((name) => `${name} = excluded.${name}`).join(', ')
  return `INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks(names)})
    ON CONFLICT (${list(key)}) DO ${update ? `UPDATE SET ${update}` : 'NOTHING'}`
}
