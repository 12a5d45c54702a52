import type { DatabaseSync } from 'node:sqlite'
import type { Row, Value } from '../../../src/domain/kernel/view.ts'
import type { StoredShape, Table } from '../../../src/ports/view-store.ts'
import { hasVersions } from './history/tables.ts'
import { createVersionWriter } from './history/version-writer.ts'
import type { Ids } from './ids.ts'
import { createRowCache, type Entry } from './row-cache.ts'
import { createRowStatements } from './row-statements.ts'
import { createRowUpdates } from './row-updates.ts'
import { createRowChecker, holds } from './shape.ts'
import { createWordWriter } from './words.ts'

/** A table while it is folded into: rows live in memory, changed ones are written once, by `flush`. */
export interface FoldingTable extends Table {
  /** Must be called once per transaction, with its last position. */
  flush(position: number): void
  /** Bytes that its rows take in memory, estimated. */
  bytes(): number
  /** Drops from memory the rows that were not used since the last `trim`. Must be called after a commit. */
  trim(): void
}

/** Options of a view that keeps history. */
export interface HistoryOptions {
  /** Returns the position of the event that is folded. */
  readonly position: () => number
  /** Most entries of a block: see history/order-writer.ts. */
  readonly blockEntries: number
}

/**
 * `isEmpty`: the table has no rows yet. Memory then holds all of them until a `trim` drops some, and a key that is not
 * in memory is not in the file.
 */
export const createFoldingTable = (
  db: DatabaseSync,
  shape: StoredShape,
  generation: number,
  isEmpty: boolean,
  { position, blockEntries }: HistoryOptions,
  ids?: Ids,
): FoldingTable => {
  const statements = createRowStatements(db, shape, generation, ids)
  const checkKey = createKeyChecker(shape)
  const checkRow = createRowChecker(shape)
  const cache = createRowCache()
  let holdsAll = isEmpty
  // Columns of ids hold numbers.
  const update = shape.history && !shape.ids ? createRowUpdates(db, shape, generation) : undefined
  const versions = shape.history && createVersionWriter(db, shape, generation, blockEntries, ids)
  const words = createWordWriter(db, shape, generation, ids)
  let changed: Entry[] = []
  const keepsVersions = hasVersions(shape)

  const load = (key: readonly Value[]): Entry => {
    checkKey(key)
    if (holdsAll) return cache.add(undefined)
    const stored = statements.load(key)
    if (stored) return cache.add(stored.row, stored.from, stored.links)
    const deleted = versions?.deleted(key)
    return cache.add(undefined, deleted?.from, deleted?.links)
  }

  /** A view that keeps history needs the row before, and so do its words. */
  const needsRowBefore = (versions || words) && !shape.isWrittenOnce
  /** Returns the entry of a row that is written. */
  const written = needsRowBefore ? load : () => cache.add(undefined)
  /** An entry that is not stored is that of a row which the table does not have. */
  const knowsNewRows = needsRowBefore || shape.isWrittenOnce === true

  const change = (entry: Entry, row: Row | undefined, key: readonly Value[]) => {
    if (versions) {
      if (entry.row === undefined && row === undefined) return
      const to = position()
      // One version per event: earlier rows of the same event were never in force.
      if (entry.from !== to && keepsVersions) versions.end(entry, to)
      entry.from = to
    }
    if (words && !entry.changed) entry.worded = entry.row
    entry.row = row
    entry.key = key
    if (entry.changed) return
    entry.changed = true
    changed.push(entry)
  }

  const trim = () => {
    if (cache.trim()) holdsAll = false
  }

  return {
    get: (...key) => (cache.find(key) ?? load(key)).row,
    put: (row) => {
      const checked = checkRow(row)
      const key = shape.key.map((name) => checked[name] as Value)
      change(cache.find(key) ?? written(key), checked, key)
    },
    delete: (...key) => {
      if (shape.isWrittenOnce)
        throw new TypeError(`view ${shape.name} is written once: none of its rows is deleted`)
      checkKey(key)
      change(cache.find(key) ?? written(key), undefined, key)
    },
    flush: (position) => {
      versions?.flush(position)
      // Numbers of ids grow in the order in which rows are added.
      if (versions && !shape.ids) changed.sort(byKey)
      for (const entry of changed) {
        const { row, key, from, links } = entry
        const before = entry.isStored ? entry.ended?.[0]?.row : undefined
        versions?.complete(entry)
        if (row !== undefined && !(before && update?.(row, before, from, links))) {
          if (knowsNewRows && !entry.isStored) statements.insert(row, from, links)
          else statements.upsert(row, from, links)
        }
        if (row === undefined && key !== undefined) statements.remove(key)
        if (words?.differ(entry.worded, row) && key !== undefined) words.replace(key, entry.worded, row)
        cache.weigh(entry)
        entry.worded = undefined
        entry.key = undefined
        entry.changed = false
        entry.isStored = row !== undefined
      }
      words?.flush()
      changed = []
      // The first trim makes all rows older, the second drops them.
      if (shape.isWrittenOnce) for (let trims = 0; trims < 2; trims++) trim()
    },
    bytes: cache.bytes,
    trim,
  }
}

/** Throws `TypeError` for a wrong key, which is a bug in a projection. */
const createKeyChecker = (shape: StoredShape) => {
  const types = shape.key.map((name) => shape.columns[name])
  return (key: readonly Value[]): void => {
    if (key.length !== shape.key.length || !key.every((part, i) => holds(types[i] ?? 'json', part)))
      throw new TypeError(
        `view ${shape.name} has the key (${shape.key.join(', ')}), got ${JSON.stringify(key)}`,
      )
  }
}

/** Orders by key: adjacent rows are written faster. */
const byKey = ({ key: one = [] }: Entry, { key: other = [] }: Entry): number => {
  for (let i = 0; i < one.length; i++) {
    const [a, b] = [one[i], other[i]]
    if (a !== b) return (a as string) < (b as string) ? -1 : 1
  }
  return 0
}
