import type { DatabaseSync } from 'node:sqlite'
import type { ViewShape } from '../../../src/domain/kernel/view.ts'
import { query } from '../../sqlite/query.ts'
import { block, blocksOf, closed, entriesOf, pastOrders, pastTableOf, to } from './past-tables.ts'

/** `position`: from there on the past of the view is whole. */
const schema = `
  CREATE TABLE IF NOT EXISTS kept_past (
    generation INTEGER NOT NULL,
    view       TEXT NOT NULL,
    position   INTEGER NOT NULL,
    PRIMARY KEY (generation, view)
  ) STRICT, WITHOUT ROWID;
`

export const ensureRetentionTable = (db: DatabaseSync): void => db.exec(schema)

/** Most versions that are dropped in one transaction. */
const maxDropped = 10_000
/** Of an order; a block has some thousand entries. */
const maxDroppedBlocks = 8

/** How far back views keep their past. */
export const createRetention = (db: DatabaseSync) => {
  const find = query<[number]>(db, 'SELECT position FROM kept_past WHERE generation = ? AND view = ?')
  const set = db.prepare(
    `INSERT INTO kept_past VALUES (?, ?, ?)
     ON CONFLICT (generation, view) DO UPDATE SET position = MAX(position, excluded.position)`,
  )
  const clear = db.prepare('DELETE FROM kept_past WHERE generation = ?')
  return {
    /** -1 for all of it. */
    keptFrom: (generation: number, view: string): number => find.get(generation, view)?.[0] ?? -1,
    /**
     * Says that the past is kept from `position` on, and drops versions and blocks of which no later moment has need, so many at
     * once. True where more are to go.
     */
    forgetPast: (generation: number, shape: ViewShape, position: number): boolean => {
      const past = pastTableOf(shape.name, generation)
      set.run(generation, shape.name, position)
      const { changes } = db
        .prepare(
          `DELETE FROM ${past} WHERE rowid IN (SELECT rowid FROM ${past} WHERE ${to} <= ? ORDER BY ${to} LIMIT ?)`,
        )
        .run(position, maxDropped)
      const areLeft = pastOrders(shape).map((_, order) =>
        forgetBlocks(db, shape.name, generation, order, position),
      )
      return Number(changes) === maxDropped || areLeft.includes(true)
    },
    clear: (generation: number): void => {
      clear.run(generation)
    },
  }
}

const forgetBlocks = (
  db: DatabaseSync,
  view: string,
  generation: number,
  order: number,
  position: number,
): boolean => {
  const blocks = blocksOf(view, generation, order)
  const ended = query<[block: number]>(db, `SELECT ${block} FROM ${blocks} WHERE ${closed} <= ? LIMIT ?`)
  const found = ended.all(position, maxDroppedBlocks)
  for (const table of [entriesOf(view, generation, order), blocks]) {
    const drop = db.prepare(`DELETE FROM ${table} WHERE ${block} = ?`)
    for (const [id] of found) drop.run(id)
  }
  return found.length === maxDroppedBlocks
}
