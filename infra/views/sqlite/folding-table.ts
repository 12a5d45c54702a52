import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Row, Table, Value, ViewShape } from '../../../src/ports/view-store.ts'
import { holds, list, quoted, rowChecker, rowReader, rowWriter, tableOf } from './shape.ts'

/** A table while it is folded into: rows live in memory, changed ones are written once, by `flush`. */
export interface FoldingTable extends Table {
  /** Writes what changed. */
  flush(): void
  /** Rows used since the last `trim`. */
  size(): number
  /** Lets go of the rows that were not used since the last `trim`. To be called after a commit. */
  trim(): void
}

interface Entry {
  /** Undefined: known to be absent. */
  row: Row | undefined
  /** Of a deleted row, for the statement that deletes it. */
  key: readonly Value[] | undefined
  changed: boolean
}

/**
 * `isEmpty` says that the table has no rows yet: as long as nothing has been let go of, memory then holds all of it
 * and a key not found there need not be looked for in the file.
 */
export const foldingTable = (
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
  const check = rowChecker(shape)
  const readRow = rowReader(columns, shape)
  const writeRow = rowWriter(shape)

  // Two halves: what is used moves to the recent one; when that is full, the other one is let go of.
  let recent = new Map<Value, Entry>()
  let older = new Map<Value, Entry>()
  let holdsAll = isEmpty
  let changed: Entry[] = []
  // The key looked for last, and what was found. A row that is read is mostly put next.
  let lastKey: readonly Value[] = []
  let lastId: Value = null
  let last: Entry | undefined

  const find = (key: readonly Value[]): Entry | undefined => {
    if (last !== undefined && sameKey(lastKey, key)) return last
    lastKey = key
    lastId = identify(key)
    last = recent.get(lastId)
    if (last === undefined && older.size > 0) {
      last = older.get(lastId)
      if (last !== undefined) recent.set(lastId, last)
    }
    return last
  }

  /** Keeps what is known of the key that was just looked for in vain. */
  const remember = (row: Row | undefined): Entry => {
    last = { row, key: undefined, changed: false }
    recent.set(lastId, last)
    return last
  }

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
    get: (...key) => (find(key) ?? remember(load(key))).row,
    put: (row) => {
      const checked = check(row)
      const key = shape.key.map((name) => checked[name] as Value)
      change(find(key) ?? remember(undefined), checked)
    },
    delete: (...key) => {
      checkKey(key)
      change(find(key) ?? remember(undefined), undefined, key)
    },
    flush: () => {
      for (const entry of changed) {
        if (entry.row !== undefined) upsert.run(...writeRow(entry.row))
        else if (entry.key !== undefined) remove.run(...entry.key)
        entry.changed = false
      }
      changed = []
    },
    size: () => recent.size,
    trim: () => {
      if (older.size > 0) holdsAll = false
      older = recent
      recent = new Map()
      last = undefined
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

const sameKey = (one: readonly Value[], other: readonly Value[]): boolean => {
  if (one.length !== other.length) return false
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false
  return true
}

/** One value for a key of any length; the length before each text keeps ("a", "bc") from ("ab", "c"). */
const identify = (key: readonly Value[]): Value => {
  const end = key.length - 1
  if (end === 0) return key[0] as Value
  let id = ''
  for (let i = 0; i < end; i++) {
    const part = key[i] as Value
    id += typeof part === 'string' ? `${part.length}:${part}` : `${part};`
  }
  return `${id}${key[end]}`
}
