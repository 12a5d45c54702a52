import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteEventStore } from '../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../infra/sqlite/database.ts'
import type { EventStore } from '../src/ports/event-store.ts'
import { fixity } from '../src/projections/fixity/projection.ts'
import { largeBatch } from '../src/projections/runtime/fold.ts'
import { eventsOf, rawLoop, rebuilt, rowsIn, scanner, type Write, writesOf } from './raw-views.ts'
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

const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-'))
try {
  const logFile = join(folder, 'log.db')
  const store = fillLog(logFile)
  let files = 0
  const file = () => join(folder, `${files++}.db`)
  const perSecond = (seconds: number) => eventCount / seconds
  const raw = (batches: readonly (readonly Write[])[], scan = () => () => {}) =>
    medians(rounds, async () => perSecond(rawLoop(file(), fixity, batches, rows, scan()).seconds))
  let rows = ''
  const [ours] = await medians(rounds, async () => {
    const made = file()
    const { seconds } = await rebuilt(made, store, fixity)
    rows = rowsIn(made, fixity)
    return perSecond(seconds)
  })
  const log = await eventsOf(store, fixity)
  expectSame('events read', log.length, eventCount)
  const eachRow = writesOf(log, fixity, 'each')
  const [scanned] = await raw(eachRow, () => scanner(logFile))
  const [each] = await raw(eachRow)
  const [last] = await raw(writesOf(log, fixity, 'last'))
  const line = { what: 'rebuild of the fixity views', ours: ours!, unit: 'events/s' }
  printTable(`views (${eventCount.toLocaleString('en')} events, ${largeBatch} a transaction)`, [
    { ...line, beside: 'raw loop: scan, parse, write rows', theirs: scanned!, promise: 0.5 },
    { ...line, beside: 'raw loop: only write rows', theirs: each! },
    { ...line, beside: 'raw loop: only write each row once', theirs: last! },
  ])
  await store.close()
} finally {
  rmSync(folder, { recursive: true })
}
