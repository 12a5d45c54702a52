import { createHash } from 'node:crypto'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import {
  createRowChecker,
  createRowWriter,
  indexSql,
  list,
  quoted,
  tableOf,
  tableSql,
} from '../infra/views/sqlite/shape.ts'
import { openViewStore } from '../infra/views/sqlite/view-store.ts'
import { orThrow } from '../src/async/unavailable.ts'
import type { RecordedEvent } from '../src/domain/kernel/event.ts'
import type { Row } from '../src/domain/kernel/view.ts'
import type { EventStore } from '../src/ports/event-store.ts'
import type { Table as ViewTable } from '../src/ports/view-store.ts'
import { largeBatch } from '../src/projections/runtime/fold.ts'
import type { Projection } from '../src/projections/runtime/projection.ts'
import { rebuild } from '../src/projections/runtime/rebuild.ts'
import { expectSame } from './table.ts'

/* A rebuild of views, and a raw loop that writes the same rows with the same statements in transactions of the same size. */

export interface Cost {
  readonly seconds: number
  /** Seconds of the processor: others may use the machine meanwhile. */
  readonly processor: number
}

/** All that a projection folds. */
export const eventsOf = async (
  store: EventStore,
  { filter }: Projection,
): Promise<readonly RecordedEvent[]> => {
  const events: RecordedEvent[] = []
  for (let after = -1n; ; ) {
    const page = await orThrow(store.readAll(after, filter, largeBatch))
    events.push(...page.events)
    if (page.caughtUp) return events
    after = page.position
  }
}

/** All rows of all views in the file, of the one generation that is in it. */
export const rowsIn = (file: string, { views }: Projection): string => {
  const db = new DatabaseSync(file, { readOnly: true })
  const digest = createHash('sha256')
  let rows = 0
  for (const shape of views)
    for (const row of db
      .prepare(`SELECT * FROM ${tableOf(shape.name, 1)} ORDER BY ${list(shape.key)}`)
      .iterate()) {
      digest.update(JSON.stringify(row))
      rows++
    }
  db.close()
  return `${rows} rows ${digest.digest('hex')}`
}

export interface Write {
  readonly table: number
  /** A row to write, or the key of one to delete. */
  readonly row?: Row
  readonly key?: readonly SQLInputValue[]
}

/**
 * What a loop without an engine writes, a list a transaction: `each` event's rows as it changes them, or only the `last`
 * state of each row that the transaction changes (which nobody knows without folding first).
 */
export const writesOf = (
  log: readonly RecordedEvent[],
  { views, apply }: Projection,
  which: 'each' | 'last',
): readonly (readonly Write[])[] => {
  const stored = views.map(() => new Map<string, Row>())
  let written = new Map<string, Write>()
  const table = (i: number): ViewTable => {
    const rows = stored[i]!
    const { key } = views[i]!
    const check = createRowChecker(views[i]!)
    const note = (id: string, write: Write) =>
      written.set(which === 'last' ? `${i}\n${id}` : `${written.size}`, write)
    return {
      get: (...parts) => rows.get(parts.join('\n')),
      put: (given) => {
        const row = check(given)
        const id = key.map((name) => row[name]).join('\n')
        rows.set(id, row)
        note(id, { table: i, row })
      },
      delete: (...parts) => {
        const id = parts.join('\n')
        if (rows.delete(id)) note(id, { table: i, key: parts })
      },
    }
  }
  const tables = Object.fromEntries(views.map(({ name }, i) => [name, table(i)]))
  const batches: Write[][] = []
  for (let from = 0; from < log.length; from += largeBatch) {
    written = new Map()
    for (const event of log.slice(from, from + largeBatch)) apply(event, tables)
    batches.push([...written.values()])
  }
  return batches
}

/** `scan` gives the loop its events as a rebuild gets them: from the log, parsed. Without it, it only writes. */
export const rawLoop = (
  file: string,
  projection: Projection,
  batches: readonly (readonly Write[])[],
  expected: string,
  scan: () => void,
): Cost => {
  const { views } = projection
  const db = new DatabaseSync(file)
  db.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 10000; PRAGMA cache_size = -65536',
  )
  for (const shape of views) db.exec(tableSql(shape, 1))
  const statements = views.map((shape) => {
    const columns = Object.keys(shape.columns)
    const others = columns.filter((name) => !shape.key.includes(name))
    const table = tableOf(shape.name, 1)
    return {
      put: db.prepare(
        `INSERT INTO ${table} VALUES (${columns.map(() => '?').join(', ')}) ON CONFLICT (${list(shape.key)}) DO UPDATE
         SET ${others.map((name) => `${quoted(name)} = excluded.${quoted(name)}`).join(', ')}`,
      ),
      delete: db.prepare(
        `DELETE FROM ${table} WHERE ${shape.key.map((name) => `${quoted(name)} = ?`).join(' AND ')}`,
      ),
    }
  })
  const writers = views.map(createRowWriter)
  const [start, before] = [performance.now(), process.cpuUsage()]
  for (const writes of batches) {
    scan()
    db.exec('BEGIN IMMEDIATE')
    for (const { table, row, key } of writes)
      if (row) statements[table]!.put.run(...writers[table]!(row))
      else statements[table]!.delete.run(...key!)
    db.exec('COMMIT')
  }
  for (const shape of views) for (const sql of indexSql(shape, 1)) db.exec(sql)
  const { user, system } = process.cpuUsage(before)
  const cost = { seconds: (performance.now() - start) / 1000, processor: (user + system) / 1e6 }
  db.close()
  expectSame('rows of the raw loop', rowsIn(file, projection), expected)
  return cost
}

/** The next events of the log with each call, parsed and thrown away. */
export const scanner = (logFile: string): (() => void) => {
  const db = new DatabaseSync(logFile, { readOnly: true })
  const events = db.prepare(
    `SELECT e.position, s.name, e.revision, e.id, e.type, e.recorded_at, e.data, e.metadata
     FROM events e CROSS JOIN streams s ON s.id = e.stream_id WHERE e.position > ? ORDER BY e.position LIMIT ${largeBatch}`,
  )
  events.setReturnArrays(true)
  let position = 0
  return () => {
    for (const row of events.all(position) as unknown as [
      number,
      string,
      number,
      string,
      string,
      number,
      string,
      string,
    ][]) {
      position = row[0]
      JSON.parse(row[6])
      JSON.parse(row[7])
    }
  }
}

/** Seconds of a rebuild, and of the processor. */
export const rebuilt = async (
  file: string,
  eventStore: EventStore,
  projection: Projection,
): Promise<Cost> => {
  const viewStore = openViewStore(file)
  const [start, before] = [performance.now(), process.cpuUsage()]
  await rebuild(projection, { eventStore, viewStore })
  const { user, system } = process.cpuUsage(before)
  viewStore.close()
  return { seconds: (performance.now() - start) / 1000, processor: (user + system) / 1e6 }
}
