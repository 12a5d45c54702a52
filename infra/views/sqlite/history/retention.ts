import type { DatabaseSync } from 'node:sqlite'
import type { StoredShape } from '../../../../src/ports/view-store.ts'
import { query } from '../../../sqlite/query.ts'
import { list, quoted } from '../shape.ts'
import { recordsOf } from './block-records.ts'
import { maxBaseAge } from './record-writer.ts'
import {
  base,
  block,
  blocksOf,
  closed,
  createdTableOf,
  createdTableSql,
  deletedTableOf,
  end,
  entriesOf,
  from,
  historyOrders,
  n,
  restColumns,
  runsTableOf,
  versionTableOf,
} from './tables.ts'

/** `position`: from there on the view's history is complete. */
const schema = `
  CREATE TABLE IF NOT EXISTS kept_past (
    generation INTEGER NOT NULL,
    view       TEXT NOT NULL,
    position   INTEGER NOT NULL,
    PRIMARY KEY (generation, view)
  ) STRICT, WITHOUT ROWID;
`

export const ensureRetentionTable = (db: DatabaseSync): void => db.exec(schema)

/** Most records, and most links of deleted rows, that are dropped in one transaction. */
const maxDropped = 10_000
/** Most blocks of an order that are dropped in one transaction; a block has some thousand entries. */
const maxDroppedBlocks = 8

/** The retention of views' history. */
export const createRetention = (db: DatabaseSync) => {
  const find = query<[number]>(db, 'SELECT position FROM kept_past WHERE generation = ? AND view = ?')
  const set = db.prepare(
    `INSERT INTO kept_past VALUES (?, ?, ?)
     ON CONFLICT (generation, view) DO UPDATE SET position = MAX(position, excluded.position)`,
  )
  const isThere = query(db, 'SELECT 1 FROM sqlite_schema WHERE name = ?')
  const clear = db.prepare('DELETE FROM kept_past WHERE generation = ?')
  return {
    /** Returns the position from which history is kept; -1 for all of it. */
    keptFrom: (generation: number, view: string): number => find.get(generation, view)?.[0] ?? -1,
    /**
     * Sets the position from which history is kept, and drops versions and blocks that no later moment needs, up to a
     * number per call. Returns true if more are to be dropped.
     */
    dropHistory: (generation: number, shape: StoredShape, position: number): boolean => {
      // An older program made it, with history in another form: it is rebuilt.
      if (!isThere.get(`${shape.name}__${generation}__runs`)) return false
      const versions = versionTableOf(shape.name, generation)
      set.run(generation, shape.name, position)
      const records = dropRecords(db, shape, versions, position)
      const deleted = deletedTableOf(shape.name, generation)
      const links = db
        .prepare(
          `DELETE FROM ${deleted} WHERE (${list(shape.key)}) IN (SELECT ${list(shape.key)} FROM ${deleted} WHERE ${from} <= ? LIMIT ?)`,
        )
        .run(position, maxDropped)
      db.prepare(`DELETE FROM ${runsTableOf(shape.name, generation)} WHERE ${end} <= ?`).run(position)
      db.exec(createdTableSql(shape.name, generation))
      db.prepare(`DELETE FROM ${createdTableOf(shape.name, generation)} WHERE ${end} <= ?`).run(position)
      const areLeft = historyOrders(shape).map((_, order) =>
        dropBlocks(db, shape.name, generation, order, position),
      )
      return records === maxDropped || Number(links.changes) === maxDropped || areLeft.includes(true)
    },
    clear: (generation: number): void => {
      clear.run(generation)
    },
  }
}

/**
 * Drops records. The last one stays: numbers continue from it. A record whose base is dropped gets the columns of that.
 */
const dropRecords = (db: DatabaseSync, shape: StoredShape, versions: string, position: number): number => {
  const [first = null, last = null] =
    query<[number | null, number | null]>(db, `SELECT MIN(${n}), MAX(${n}) FROM ${versions}`).get() ?? []
  if (first === null || last === null) return 0
  const [ended] = query<[number]>(
    db,
    `SELECT COUNT(*) FROM ${versions} WHERE ${n} BETWEEN ? AND ? AND ${end} <= ?`,
  ).get(first, Math.min(first + maxDropped, last) - 1, position) ?? [0]
  const kept = first + ended
  const columns = restColumns(shape).map(
    (name) => `${quoted(name)} = IFNULL(p.${quoted(name)}, b.${quoted(name)})`,
  )
  db.prepare(
    `UPDATE ${versions} AS p SET ${[...columns, `${base} = NULL`].join(', ')} FROM ${versions} AS b
     WHERE p.${n} BETWEEN ? AND ? AND p.${base} < ? AND b.${n} = p.${base}`,
  ).run(kept, kept + maxBaseAge, kept)
  db.prepare(`DELETE FROM ${versions} WHERE ${n} < ?`).run(kept)
  return ended
}

const dropBlocks = (
  db: DatabaseSync,
  view: string,
  generation: number,
  order: number,
  position: number,
): boolean => {
  const blocks = blocksOf(view, generation, order)
  const ended = query<[block: number]>(db, `SELECT ${block} FROM ${blocks} WHERE ${closed} <= ? LIMIT ?`)
  const found = ended.all(position, maxDroppedBlocks)
  const dropChanges = db.prepare(
    `DELETE FROM ${entriesOf(view, generation, order)} WHERE ${n} BETWEEN ? AND ?`,
  )
  const dropBlock = db.prepare(`DELETE FROM ${blocks} WHERE ${block} = ?`)
  for (const [id] of found) {
    dropChanges.run(...recordsOf(id))
    dropBlock.run(id)
  }
  return found.length === maxDroppedBlocks
}
