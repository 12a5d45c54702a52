import type { DatabaseSync } from 'node:sqlite'
import type { Row, Value, ViewShape } from '../../../src/domain/kernel/view.ts'
import type { Table } from '../../../src/ports/view-store.ts'
import { createRowCache, type Entry } from './row-cache.ts'
import { createRowStatements } from './row-statements.ts'
import { createRowChecker, holds } from './shape.ts'

/** A table while it is folded into: rows live in memory, changed ones are written once, by `flush`. */
export interface FoldingTable extends Table {
  flush(): void
  /** Rows used since the last `trim`. */
  size(): number
  /** Drops from memory the rows that were not used since the last `trim`. To be called after a commit. */
  trim(): void
}

/**
 * `isEmpty` says that the table has no rows yet: memory then holds all of it until a `trim` drops some, and a key that is
 * not in memory is not in the file.
 */
export const createFoldingTable = (
  db: DatabaseSync,
  shape: ViewShape,
  generation: number,
  isEmpty: boolean,
): FoldingTable => {
  const statements = createRowStatements(db, shape, generation)
  const checkKey = createKeyChecker(shape)
  const checkRow = createRowChecker(shape)
  const cache = createRowCache()
  let holdsAll = isEmpty
  let changed: Entry[] = []

  const load = (key: readonly Value[]): Row | undefined => {
    checkKey(key)
    return holdsAll ? undefined : statements.load(key)
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
      const checked = checkRow(row)
      const key = shape.key.map((name) => checked[name] as Value)
      change(cache.find(key) ?? cache.add(undefined), checked)
    },
    delete: (...key) => {
      checkKey(key)
      change(cache.find(key) ?? cache.add(undefined), undefined, key)
    },
    flush: () => {
      for (const entry of changed) {
        if (entry.row !== undefined) statements.upsert(entry.row)
        else if (entry.key !== undefined) statements.remove(entry.key)
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

/** A wrong key is a bug in a projection. */
const createKeyChecker = (shape: ViewShape) => {
  const types = shape.key.map((name) => shape.columns[name])
  return (key: readonly Value[]): void => {
    if (key.length !== shape.key.length || !key.every((part, i) => holds(types[i] ?? 'json', part)))
      throw new TypeError(
        `view ${shape.name} has the key (${shape.key.join(', ')}), got ${JSON.stringify(key)}`,
      )
  }
}
