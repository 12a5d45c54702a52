import { estimatedBytes } from '@fonds/toolbox'
import type { Row, Value } from '../../../src/domain/kernel/view.ts'
import type { Links } from './history/version-links.ts'

/** A version of a row that has ended; without a row, the time during which it was absent. */
export interface EndedVersion {
  readonly row: Row | undefined
  readonly from: number
  readonly to: number
}

export interface Entry {
  /** Undefined: known to be absent. */
  row: Row | undefined
  /** Set while the row is changed. */
  key: readonly Value[] | undefined
  changed: boolean
  /** While the row is changed: the one whose words the file has. */
  worded: Row | undefined
  /** Position of the event that wrote or deleted the row, if the view keeps history; -1 if there is none. */
  from: number
  /** If the view keeps history: the links to earlier versions (version-links.ts). */
  links: Links | undefined
  /** The file has a row: the one before `ended`. */
  isStored: boolean
  /** The file has its links among those of deleted rows. */
  isDeleted: boolean
  /** Ended versions that are not in the file yet, in their order. */
  ended: EndedVersion[] | undefined
  /** Number of these that were gathered into records, or into the run that becomes the next one. */
  gathered: number
  run: Run | undefined
  /** Values of the latest record that has all columns of a version. */
  base: readonly Value[] | undefined
  baseRecord: number
  /** Bytes that it takes in memory, as estimated when it was added or last written. */
  bytes: number
}

/** Versions of a row that one record will have. */
interface Run {
  readonly first: EndedVersion
  /** JSON of the later ones, each with a comma before it. */
  more: string
}

/** Rows in memory, by key. */
interface RowCache {
  find(key: readonly Value[]): Entry | undefined
  /** Adds the row of the last key, which `find` did not find. */
  add(row: Row | undefined, from?: number, links?: Links): Entry
  /** Bytes that all entries take in memory, as they were last weighed. */
  bytes(): number
  /** Weighs an entry again, whose row was changed. It was used since the last `trim`. */
  weigh(entry: Entry): void
  /** Drops the rows that were not used since the last `trim`. Returns false if there were none. */
  trim(): boolean
}

export const createRowCache = (): RowCache => {
  // Two halves: a row that is used moves to the recent one; `trim` drops the other.
  let recent = new Map<Value, Entry>()
  let older = new Map<Value, Entry>()
  // The last key and its entry: a row that was read is mostly put next.
  let lastKey: readonly Value[] = []
  let lastId: Value = null
  let last: Entry | undefined
  let recentBytes = 0
  let olderBytes = 0

  return {
    find: (key) => {
      if (last !== undefined && sameKey(lastKey, key)) return last
      lastKey = key
      lastId = identify(key)
      last = recent.get(lastId)
      if (last === undefined && older.size > 0) {
        last = older.get(lastId)
        if (last !== undefined) {
          older.delete(lastId)
          recent.set(lastId, last)
          olderBytes -= last.bytes
          recentBytes += last.bytes
        }
      }
      return last
    },
    add: (row, from = -1, links) => {
      // Not of spread parts: that takes four times as long.
      last = {
        row,
        key: undefined,
        changed: false,
        worded: undefined,
        from,
        links,
        isStored: row !== undefined,
        isDeleted: row === undefined && links !== undefined,
        ended: undefined,
        gathered: 0,
        run: undefined,
        base: undefined,
        baseRecord: 0,
        bytes: entryBytes + bytesOf(row),
      }
      recent.set(lastId, last)
      recentBytes += last.bytes
      return last
    },
    bytes: () => recentBytes + olderBytes,
    weigh: (entry) => {
      const bytes = entryBytes + bytesOf(entry.row)
      recentBytes += bytes - entry.bytes
      entry.bytes = bytes
    },
    trim: () => {
      const hadOlder = older.size > 0
      older = recent
      olderBytes = recentBytes
      recent = new Map()
      recentBytes = 0
      last = undefined
      return hadOlder
    },
  }
}

/** An entry with its key, its links and its place in the map, without its row. */
const entryBytes = 500

/** Rows are weighed with each change: texts, which most columns hold, by a loop of their own. */
const bytesOf = (row: Row | undefined): number => {
  let bytes = 0
  for (const name in row) {
    const value = row[name]
    bytes += typeof value === 'string' ? 24 + value.length : estimatedBytes(value)
  }
  return bytes
}

const sameKey = (one: readonly Value[], other: readonly Value[]): boolean => {
  if (one.length !== other.length) return false
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false
  return true
}

/** One value for a key of any length; the length before each text keeps ("a", "bc") from ("ab", "c"). */
export const identify = (key: readonly Value[]): Value => {
  const end = key.length - 1
  if (end === 0) return key[0] as Value
  let id = ''
  for (let i = 0; i < end; i++) {
    const part = key[i] as Value
    id += typeof part === 'string' ? `${part.length}:${part}` : `${part};`
  }
  return `${id}${key[end]}`
}
