import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Row, Value, ViewShape } from '../../../src/domain/kernel/view.ts'
import type { Table } from '../../../src/ports/view-store.ts'
import { createRowCache, type Entry } from './row-cache.ts'
import { createRowChecker, createRowReader, createRowWriter, holds, list, quoted, tableOf } from './shape.ts'

/** A table while it is folded into: rows live in memory, changed ones are written once, by `flush`. */
export interface FoldingTable extends Table {
  /** Writes what changed. */
  flush(): void
  /** Rows used since the last `trim`. */
  size(): number
  /** Lets go of the rows that were not used since the last `trim`. To be called after a commit. */
  trim(): void
}

/**
 * `isEmpty` says that the table has no rows yet: memory then holds all of it until something is let go of, and a key
 * that is not in memory is not in the file.
 */
export const createFoldingTable = (
  db: DatabaseSync,
  shape: ViewShape,
  generation: number,
  isEmpty: boolean,
): FoldingTable => {
  const table = tableOf(shape.name, generation)
  const columns = Object.keys(shape.columns)
  const rest = columns.filter((name) => !shape.key.includes(name))
  const byKey = shape.key.map((name) => `${quoted(name)} = ?`).join(' AND ')
  const select = db.prepare(`SELECT ${list(columns)} FROM ${table} WHERE ${byKey}`)
  select.setReturnArrays(true)
  const remove = db.prepare(`DELETE FROM ${table} WHERE ${byKey}`)
  const upsert = db.prepare(upsertSql(table, columns, shape.key, rest))

  const keyTypes = shape.key.map((name) => shape.columns[name])
  const check = createRowChecker(shape)
  const readRow = createRowReader(columns, shape)
  const writeRow = createRowWriter(shape)

  const cache = createRowCache()
  let holdsAll = isEmpty
  let changed: Entry[] = []

  const checkKey = (key: readonly Value[]) => {
    if (key.length !== shape.key.length || !key.every((part, i) => holds(keyTypes[i] ?? 'json', part)))
      throw new TypeError(
        `view ${shape.name} has the key (${shape.key.join(', ')}), got ${JSON.stringify(key)}`,
      )
  }

  const load = (key: readonly Value[]): Row | undefined => {
    checkKey(key)
    if (holdsAll) return undefined
    const values = select.get(...(key as SQLInputValue[])) as unknown as Value[] | undefined
    return values && readRow(values)
  }

  const change = (entry: Entry, row: Row | undefined, key?: readonly Value[]) => {
    entry.row = row
    entry.key = key
    if (entry.changed) return
    entry.changed = true
    changed.push(entry)
  }

  return {
    get: (...key) => (cache.find(key) ?? cache.add(load(key))).row,
    put: (row) => {
      const checked = check(row)
      const key = shape.key.map((name) => checked[name] as Value)
      change(cache.find(key) ?? cache.add(undefined), checked)
    },
    delete: (...key) => {
      checkKey(key)
      change(cache.find(key) ?? cache.add(undefined), undefined, key)
    },
    flush: () => {
      for (const entry of changed) {
        if (entry.row !== undefined) upsert.run(...writeRow(entry.row))
        else if (entry.key !== undefined) remove.run(...entry.key)
        entry.changed = false
      }
      changed = []
    },
    size: cache.size,
    trim: () => {
      if (cache.trim()) holdsAll = false
    },
  }
}

const upsertSql = (
  table: string,
  columns: readonly string[],
  key: readonly string[],
  rest: readonly string[],
): string => {
  const update = rest.map((name) => `${quoted(name)} = excluded.${quoted(name)}`).join(', ')
  return `INSERT INTO ${table} (${list(columns)}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT (${list(key)}) DO ${update ? `UPDATE SET ${update}` : 'NOTHING'}`
}
