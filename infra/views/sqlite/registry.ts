import type { DatabaseSync } from 'node:sqlite'
import { GenerationMissing } from '../../../src/async/errors.ts'
import type { Checkpoint } from '../../../src/ports/checkpoint-store.ts'
import type { FoldedLog, Generation, Moment, Point, StoredShape } from '../../../src/ports/view-store.ts'
import { query } from '../../sqlite/query.ts'
import { eventText, readEventOf } from './event-text.ts'
import { createFoldedLogTables } from './folded-log.ts'
import { createMoments, ensureMomentTables } from './history/moments.ts'
import { createRetention, ensureRetentionTable } from './history/retention.ts'
import { dropHistorySql, historyTablesSql, moreColumns } from './history/tables.ts'
import { holdIds, idTableOf, idTableSql } from './ids.ts'
import { indexSql, tableOf, tableSql } from './shape.ts'
import { wordTableOf, wordTableSql } from './words.ts'

/** A generation's id is never used twice, so its shapes and its tables' names never change. */
const schema = `
  CREATE TABLE IF NOT EXISTS generation (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    projection TEXT NOT NULL,
    version    INTEGER NOT NULL,
    status     TEXT NOT NULL CHECK (status IN ('building', 'live')),
    shapes     TEXT NOT NULL,
    position   INTEGER NOT NULL DEFAULT -1,
    time       TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS folded_log (id TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS seen_event (event TEXT NOT NULL) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS one_live ON generation (projection) WHERE status = 'live';
`

/**
 * Older programs use the same file, so columns are only added: programs leave those that they do not know as they are.
 * `event`: the checkpoint's event, as JSON.
 */
export const ensureRegistryTables = (db: DatabaseSync, firstId = 0): void => {
  db.exec(schema)
  ensureMomentTables(db)
  ensureRetentionTable(db)
  db.prepare(
    `INSERT INTO sqlite_sequence (name, seq) SELECT 'generation', ?
     WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'generation')`,
  ).run(firstId)
  if (!db.prepare("SELECT 1 FROM pragma_table_info('generation') WHERE name = 'event'").get())
    db.exec('ALTER TABLE generation ADD COLUMN event TEXT')
}

type Registered = Generation & { readonly checkpoint: Omit<Checkpoint, 'event'> }

/** A view and the generation whose table holds it. */
export interface Located {
  readonly shape: StoredShape
  readonly id: number
}

/** Generations and their checkpoints. Always read from the file: other processes change it too. */
export interface Registry {
  all(): readonly Registered[]
  live(projection: string): Generation | undefined
  /** Throws `GenerationMissing`. */
  checkpoint(generation: Generation): Checkpoint
  /** Moves the checkpoint from `from` to `to`; false where it was not at `from`, or the generation is gone. */
  advance(generation: Generation, from: bigint, to: Checkpoint): boolean
  insert(projection: string, version: number, shapes: readonly StoredShape[]): Generation
  /** Also makes its indexes: without them a table is built nearly twice as fast. */
  setLive(generation: Generation): void
  remove(generation: Generation): void
  shapes(id: number): readonly StoredShape[]
  /** The views of all live generations, by name. */
  liveViews(): ReadonlyMap<string, Located>
  /** The log that is folded here; undefined in a new file. */
  log(): FoldedLog | undefined
  setLog(log: FoldedLog): void
  /** The last one kept at or before a point. */
  moment(generation: Generation, point: Point): Moment
  /** Returns the position from which a view keeps its history; -1 for all of it. */
  keptFrom(id: number, view: string): number
  /** Drops some of the history before a time, of all views of a generation. Returns true if more is to be dropped. */
  dropHistory(generation: Generation, time: string): boolean
}

export const createRegistry = (db: DatabaseSync): Registry => {
  const generations = db.prepare(
    'SELECT id, projection, version, status, position, time FROM generation ORDER BY id',
  )
  generations.setReadBigInts(true)
  const checkpointOf = db.prepare('SELECT position, time, event FROM generation WHERE id = ?')
  checkpointOf.setReadBigInts(true)
  const liveOne = db.prepare(
    "SELECT id, projection, version, status FROM generation WHERE projection = ? AND status = 'live'",
  )
  const move = db.prepare(
    'UPDATE generation SET position = ?, time = ?, event = ? WHERE id = ? AND position = ?',
  )
  const add = db.prepare(
    "INSERT INTO generation (projection, version, status, shapes, event) VALUES (?, ?, 'building', ?, ?)",
  )
  const promote = db.prepare("UPDATE generation SET status = 'live' WHERE id = ?")
  const forget = db.prepare('DELETE FROM generation WHERE id = ?')

  const checkpointAt = ({ id }: Generation): Checkpoint => {
    const found = checkpointOf.get(id)
    if (!found) throw generationMissing(id)
    const position = found.position as bigint
    const event = readEventOf(found.event as string | null, position)
    return { position, time: found.time as string | null, ...(event !== undefined && { event }) }
  }

  const shapes = createShapeLookup(db)
  const located = createLiveViews(db, shapes.of)
  const { moment, dropMoments } = createMoments(db)
  const retention = createRetention(db)

  return {
    all: () =>
      generations.all().map((row) => ({
        projection: row.projection as string,
        version: Number(row.version),
        id: Number(row.id),
        status: row.status as Generation['status'],
        checkpoint: { position: row.position as bigint, time: row.time as string | null },
      })),
    live: (projection) => liveOne.get(projection) as unknown as Generation | undefined,
    checkpoint: checkpointAt,
    advance: ({ id }, from, { position, time, event }) =>
      move.run(position, time, event === undefined ? null : eventText(event, position), id, from).changes ===
      1,
    insert: (projection, version, views) => {
      located.forget()
      const id = Number(
        add.run(projection, version, JSON.stringify(views), eventText(null, -1n)).lastInsertRowid,
      )
      if (holdIds(views)) db.exec(idTableSql(id))
      for (const shape of views)
        for (const sql of [
          tableSql(shape, id, moreColumns(shape)),
          ...historyTablesSql(shape, id),
          ...(shape.words ? [wordTableSql(shape, id)] : []),
        ])
          db.exec(sql)
      return { projection, version, id, status: 'building' }
    },
    setLive: ({ id }) => {
      located.forget()
      if (promote.run(id).changes === 0) throw generationMissing(id)
      for (const shape of shapes.of(id)) for (const sql of indexSql(shape, id)) db.exec(sql)
    },
    remove: ({ id }) => {
      if (checkpointOf.get(id) === undefined) return
      for (const shape of shapes.of(id)) {
        db.exec(`DROP TABLE ${tableOf(shape.name, id)}`)
        for (const sql of dropHistorySql(shape, id)) db.exec(sql)
        if (shape.words) db.exec(`DROP TABLE ${wordTableOf(shape.name, id)}`)
      }
      db.exec(`DROP TABLE IF EXISTS ${idTableOf(id)}`)
      dropMoments(id)
      retention.clear(id)
      forget.run(id)
      shapes.forget(id)
      located.forget()
    },
    shapes: shapes.of,
    liveViews: located.views,
    ...createFoldedLogTables(db),
    moment: (generation, point) => moment(generation.id, point, checkpointAt(generation).position),
    keptFrom: retention.keptFrom,
    dropHistory: (generation, time) => {
      const { position } = moment(generation.id, { time }, checkpointAt(generation).position)
      const kept = shapes.of(generation.id).filter(({ history }) => history)
      return kept.map((shape) => retention.dropHistory(generation.id, shape, Number(position))).includes(true)
    },
  }
}

/** A generation's shapes never change. */
const createShapeLookup = (db: DatabaseSync) => {
  const find = db.prepare('SELECT shapes FROM generation WHERE id = ?')
  const known = new Map<number, readonly StoredShape[]>()
  return {
    /** Throws `GenerationMissing`. */
    of: (id: number): readonly StoredShape[] => {
      const before = known.get(id)
      if (before) return before
      const found = find.get(id)
      if (!found) throw generationMissing(id)
      const parsed = JSON.parse(found.shapes as string) as StoredShape[]
      known.set(id, parsed)
      return parsed
    },
    forget: (id: number): void => {
      known.delete(id)
    },
  }
}

/** Read again when another process has written anything; `forget`: this one has. */
const createLiveViews = (db: DatabaseSync, shapesOf: (id: number) => readonly StoredShape[]) => {
  const liveIds = db.prepare("SELECT id FROM generation WHERE status = 'live' ORDER BY id")
  const dataVersion = query<[version: number]>(db, 'PRAGMA data_version')
  let located: { readonly version: unknown; readonly views: ReadonlyMap<string, Located> } | undefined
  return {
    views: (): ReadonlyMap<string, Located> => {
      const version = dataVersion.get()?.[0]
      if (!located || located.version !== version) {
        const ids = liveIds.all().map((row) => row.id as number)
        const entries = ids.flatMap((id) => shapesOf(id).map((shape) => [shape.name, { shape, id }] as const))
        located = { version, views: new Map(entries) }
      }
      return located.views
    },
    forget: (): void => {
      located = undefined
    },
  }
}

const generationMissing = (id: number) =>
  new GenerationMissing(`generation ${id} was replaced by another one; query the live one again`)
