import type { Row, Value } from '../../../src/domain/kernel/view.ts'

export interface Entry {
  /** Undefined: known to be absent. */
  row: Row | undefined
  /** Of a deleted row, for the statement that deletes it. */
  key: readonly Value[] | undefined
  changed: boolean
}

/** What is known of rows, by key. */
interface RowCache {
  find(key: readonly Value[]): Entry | undefined
  /** Keeps what is known of the last key, which was not found. */
  add(row: Row | undefined): Entry
  /** Rows used since the last `trim`. */
  size(): number
  /** Lets go of the rows that were not used since the last `trim`; false where there were none. */
  trim(): boolean
}

export const createRowCache = (): RowCache => {
  // Two halves: what is used moves to the recent one; `trim` lets go of the other.
  let recent = new Map<Value, Entry>()
  let older = new Map<Value, Entry>()
  // The last key and what was found for it: a row that is read is mostly put next.
  let lastKey: readonly Value[] = []
  let lastId: Value = null
  let last: Entry | undefined

  return {
    find: (key) => {
      if (last !== undefined && sameKey(lastKey, key)) return last
      lastKey = key
      lastId = identify(key)
      last = recent.get(lastId)
      if (last === undefined && older.size > 0) {
        last = older.get(lastId)
        if (last !== undefined) recent.set(lastId, last)
      }
      return last
    },
    add: (row) => {
      last = { row, key: undefined, changed: false }
      recent.set(lastId, last)
      return last
    },
    size: () => recent.size,
    trim: () => {
      const letGo = older.size > 0
      older = recent
      recent = new Map()
      last = undefined
      return letGo
    },
  }
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
