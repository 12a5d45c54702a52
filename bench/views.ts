import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { openSqliteEventStore } from '../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../infra/sqlite/database.ts'
import { createRowWriter, indexSql, list, quoted, tableOf, tableSql } from '../infra/views/sqlite/shape.ts'
import { openViewStore } from '../infra/views/sqlite/view-store.ts'
import { orThrow } from '../src/async/unavailable.ts'
import type { RecordedEvent } from '../src/domain/kernel/event.ts'
import type { Row } from '../src/domain/kernel/view.ts'
import type { EventStore } from '../src/ports/event-store.ts'
import type { Table as ViewTable } from '../src/ports/view-store.ts'
import { fixity } from '../src/projections/fixity/projection.ts'
import { largeBatch } from '../src/projections/runtime/catch-up.ts'
import type { Projection } from '../src/projections/runtime/projection.ts'
import { rebuild } from '../src/projections/runtime/rebuild.ts'
import { expectSame, medians, printTable } from './table.ts'

/*
 * Rebuild of the fixity views, beside a raw loop that writes the same rows with the same statements in
 * transactions of the same size. Arguments: number of events (300000), rounds (3).
 */

const itemCount = Math.ceil(Number(process.argv[2] ?? 300_000) / 3)
const eventCount = 3 * itemCount
const rounds = Number(process.argv[3] ?? 3)

const sha256 = {
  algorithm: 'sha-256',
  value: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
}

const timeOf = (minutes: number) => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString()

/** What an archive's log looks like: items recorded folder by folder, each later claimed and decided. */
function* synthetic(): Generator<{ item: number; revision: number; type: string; data: unknown }> {
  for (let item = 0; item < itemCount; item++)
    yield {
      item,
      revision: 0,
      type: 'ContentRecorded',
      data: {
        checksums: [sha256],
        size: 12345,
        recordedFrom: 'manifest-sha256.txt',
        at: timeOf(item),
        dueAt: timeOf(item),
      },
    }
  for (let item = 0; item < itemCount; item++) {
    const i = itemCount + 2 * item
    const heard = { source: 'worker', heardAt: timeOf(i) }
    const word = { status: 'recorded', checksums: [sha256], size: 12345, ...heard }
    const attempt = { attempt: 'first', run: 1 }
    yield {
      item,
      revision: 1,
      type: 'CheckClaimed',
      data: { holder: 'worker', fence: 1, deadline: timeOf(i + 5), ...attempt },
    }
    yield {
      item,
      revision: 2,
      type: 'FixityDecided',
      data: {
        ...attempt,
        evidence: {
          content: { status: 'read', size: 12345, checksums: [sha256], ...heard },
          storage: { status: 'present', checksums: [], size: 12345, ...heard },
          index: word,
          audit: word,
        },
        pattern: 'A?AA',
        row: 'clause 6',
        outcome: 'success',
        because: 'The bytes are what the audit log says.',
        followUps: [],
        observedAt: timeOf(i),
        dueAt: timeOf(i + 129_600),
      },
    }
  }
}

/** A log on disk, filled by plain statements: how fast it is filled is another benchmark's question. */
const fillLog = (file: string): EventStore => {
  const db = openDatabase(file)
  const store = openSqliteEventStore(db)
  const addStream = db.writer.prepare(
    'INSERT INTO streams (id, name, category, revision) VALUES (?, ?, ?, 2)',
  )
  const addEvent = db.writer.prepare(
    'INSERT INTO events (stream_id, revision, id, type, recorded_at, data, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const metadata = JSON.stringify({ actor: 'bench', causationId: 'bench', correlationId: 'bench', schema: 1 })
  db.writer.exec('BEGIN')
  let n = 0
  for (const { item, revision, type, data } of synthetic()) {
    const path = `folder-${String(Math.floor(item / 200)).padStart(5, '0')}/scan-${String(item).padStart(8, '0')}.tif`
    if (revision === 0) addStream.run(item, `fixity-main/${path}`, 'fixity')
    addEvent.run(item, revision, String(n++), type, Date.UTC(2026, 0, 1) + n, JSON.stringify(data), metadata)
  }
  db.writer.exec('COMMIT')
  return store
}

const eventsOf = async (store: EventStore): Promise<readonly RecordedEvent[]> => {
  const events: RecordedEvent[] = []
  for (let after = -1n; ; ) {
    const page = await orThrow(store.readAll(after, fixity.filter, largeBatch))
    events.push(...page.events)
    if (page.caughtUp) return events
    after = page.position
  }
}

/** All rows of all views in the file, of the one generation that is in it. */
const rowsIn = (file: string): string => {
  const db = new DatabaseSync(file, { readOnly: true })
  const digest = createHash('sha256')
  let rows = 0
  for (const shape of fixity.views)
    for (const row of db
      .prepare(`SELECT * FROM ${tableOf(shape.name, 1)} ORDER BY ${list(shape.key)}`)
      .iterate()) {
      digest.update(JSON.stringify(row))
      rows++
    }
  db.close()
  return `${rows} rows ${digest.digest('hex')}`
}

interface Write {
  readonly table: number
  /** A row to write, or the key of one to delete. */
  readonly row?: Row
  readonly key?: readonly SQLInputValue[]
}

/**
 * What a loop without an engine writes, a list a transaction: `each` event's rows as it changes them, or only the `last`
 * state of each row that the transaction changes (which nobody knows without folding first).
 */
const writesOf = (
  log: readonly RecordedEvent[],
  { views, apply }: Projection,
  which: 'each' | 'last',
): readonly (readonly Write[])[] => {
  const stored = views.map(() => new Map<string, Row>())
  let written = new Map<string, Write>()
  const table = (i: number): ViewTable => {
    const rows = stored[i]!
    const { key } = views[i]!
    const note = (id: string, write: Write) =>
      written.set(which === 'last' ? `${i}\n${id}` : `${written.size}`, write)
    return {
      get: (...parts) => rows.get(parts.join('\n')),
      put: (row) => {
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
const rawLoop = (
  file: string,
  { views }: Projection,
  batches: readonly (readonly Write[])[],
  expected: string,
  scan: () => void,
): number => {
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
  const start = performance.now()
  for (const writes of batches) {
    scan()
    db.exec('BEGIN IMMEDIATE')
    for (const { table, row, key } of writes)
      if (row) statements[table]!.put.run(...writers[table]!(row))
      else statements[table]!.delete.run(...key!)
    db.exec('COMMIT')
  }
  for (const shape of views) for (const sql of indexSql(shape, 1)) db.exec(sql)
  const seconds = (performance.now() - start) / 1000
  db.close()
  expectSame('rows of the raw loop', rowsIn(file), expected)
  return seconds
}

/** The next events of the log with each call, parsed and thrown away. */
const scanner = (logFile: string): (() => void) => {
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

const ours = async (file: string, eventStore: EventStore): Promise<number> => {
  const viewStore = openViewStore(file)
  const start = performance.now()
  await rebuild(fixity, { eventStore, viewStore })
  const seconds = (performance.now() - start) / 1000
  viewStore.close()
  return seconds
}

const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-'))
try {
  const logFile = join(folder, 'log.db')
  const store = fillLog(logFile)
  let files = 0
  const file = () => join(folder, `${files++}.db`)
  const perSecond = (seconds: number) => eventCount / seconds
  const raw = (batches: readonly (readonly Write[])[], scan = () => () => {}) =>
    medians(rounds, async () => perSecond(rawLoop(file(), fixity, batches, rows, scan())))
  let rows = ''
  const [rebuilt] = await medians(rounds, async () => {
    const made = file()
    const seconds = await ours(made, store)
    rows = rowsIn(made)
    return perSecond(seconds)
  })
  const log = await eventsOf(store)
  expectSame('events read', log.length, eventCount)
  const eachRow = writesOf(log, fixity, 'each')
  const [scanned] = await raw(eachRow, () => scanner(logFile))
  const [each] = await raw(eachRow)
  const [last] = await raw(writesOf(log, fixity, 'last'))
  const line = { what: 'rebuild of the fixity views', ours: rebuilt!, unit: 'events/s' }
  printTable(`views (${eventCount.toLocaleString('en')} events, ${largeBatch} a transaction)`, [
    { ...line, beside: 'raw loop: scan, parse, write rows', theirs: scanned!, promise: 0.5 },
    { ...line, beside: 'raw loop: only write rows', theirs: each! },
    { ...line, beside: 'raw loop: only write each row once', theirs: last! },
  ])
  await store.close()
} finally {
  rmSync(folder, { recursive: true })
}
