import { renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'
import type { ViewShape } from '../../../src/domain/kernel/view.ts'
import { query } from '../../sqlite/query.ts'
import { sync } from '../../sync.ts'
import type { ToCopy } from './copies.ts'
import { attachOther, copyRows } from './copy-rows.ts'
import { withoutPast } from './generations.ts'
import { createRegistry, ensureRegistryTables } from './registry.ts'

/* Copies all live views of a file as they are at one moment, while others write it. What it throws ends it. */

const { views, partial, file } = workerData as ToCopy

const copyAll = (db: DatabaseSync): void => {
  ensureRegistryTables(db)
  const registry = createRegistry(db)
  db.exec('INSERT INTO main.folded_log SELECT id FROM other.folded_log')
  const live = query<[id: number, projection: string, version: number, shapes: string]>(
    db,
    "SELECT id, projection, version, shapes FROM other.generation WHERE status = 'live'",
  )
  const stand = db.prepare(
    'UPDATE main.generation SET (position, time, event) = (SELECT position, time, event FROM other.generation WHERE id = ?) WHERE id = ?',
  )
  for (const [id, projection, version, text] of live.all()) {
    const shapes = (JSON.parse(text) as readonly ViewShape[]).map(withoutPast)
    const copy = registry.insert(projection, version, shapes)
    for (const _ of copyRows(db, shapes, id, copy.id));
    stand.run(id, copy.id)
  }
}

const db = new DatabaseSync(partial, { timeout: 5000 })
// It gets its name when all of it is on disk: nothing is ever undone, and no journal is left by a kill (Node's SQLite refuses `OFF`). The lock,
// held to the end, tells it from what a killed process left.
db.exec(
  'PRAGMA main.locking_mode = EXCLUSIVE; PRAGMA main.journal_mode = MEMORY; PRAGMA main.synchronous = FULL; PRAGMA cache_size = -65536',
)
attachOther(db, views, false)
db.exec('BEGIN EXCLUSIVE')
copyAll(db)
db.exec('COMMIT')
renameSync(partial, file)
db.close()
sync(dirname(file))
