import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import Table from 'cli-table3'
import { right } from 'fp-ts/lib/TaskEither.js'
import { indexSql, list, quoted, rowWriter, tableOf, tableSql } from '../infra/views/sqlite/shape.ts'
import { openViewStore } from '../infra/views/sqlite/view-store.ts'
import type { RecordedEvent } from '../src/domain/kernel/event.ts'
import type { EventStore } from '../src/ports/event-store.ts'
import type { Row, Table as ViewTable } from '../src/ports/view-store.ts'
import { fixity } from '../src/projections/fixity/projection.ts'
import { largeBatch } from '../src/projections/runtime/catch-up.ts'
import type { Projection } from '../src/projections/runtime/projection.ts'
import { rebuild } from '../src/projections/runtime/rebuild.ts'

/*
 * Rebuild of the fixity views, beside a raw loop that writes the same rows with the same statements in
 * transactions of the same size. Arguments: number of events (300000), rounds (3).
 */

const eventCount = Number(process.argv[2] ?? 300_000)
const rounds = Number(process.argv[3] ?? 3)
const itemCount = Math.ceil(eventCount / 3)

const sha256 = {
  algorithm: 'sha-256',
  value: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
}

const timeOf = (minutes: number) => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString()

/** What an archive's log looks like: items recorded folder by folder, each later claimed and decided. */
const synthetic = (): readonly RecordedEvent[] => {
  const event = (i: number, item: number, type: string, data: unknown): RecordedEvent => ({
    id: String(i),
    type,
    stream: `fixity-main/folder-${String(Math.floor(item / 200)).padStart(5, '0')}/scan-${String(item).padStart(8, '0')}.tif`,
    revision: type === 'ContentRecorded' ? 0n : 1n,
    position: BigInt(i),
    recordedAt: timeOf(i),
    data,
    metadata: { actor: 'bench', causationId: '', correlationId: '', schema: 1 },
  })
  const recorded = Array.from({ length: itemCount }, (_, item) =>
    event(item, item, 'ContentRecorded', {
      checksums: [sha256],
      size: 12345,
      recordedFrom: 'manifest-sha256.txt',
      at: timeOf(item),
      dueAt: timeOf(item),
    }),
  )
  const checked = Array.from({ length: itemCount }, (_, item) => {
    const i = itemCount + 2 * item
    const heard = { source: 'worker', heardAt: timeOf(i) }
    const word = { status: 'recorded', checksums: [sha256], size: 12345, ...heard }
    return [
      event(i, item, 'CheckClaimed', {
        holder: 'worker',
        fence: 1,
        deadline: timeOf(i + 5),
        attempt: 'first',
        run: 1,
      }),
      event(i + 1, item, 'FixityDecided', {
        run: 1,
        attempt: 'first',
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
      }),
    ]
  })
  return [...recorded, ...checked.flat()]
}

/** Only what a rebuild needs of the port. */
const arrayStore = (log: readonly RecordedEvent[]): EventStore => {
  const unused = () => {
    throw new Error('a rebuild does not call this')
  }
  return {
    head: () => right(BigInt(log.length - 1)),
    readAll: (from, _filter, limit) => {
      const end = Math.min(Number(from) + limit, log.length)
      return right({
        events: log.slice(Number(from), end),
        position: BigInt(end - 1),
        caughtUp: end === log.length,
      })
    },
    append: unused,
    read: unused,
    subscribe: unused,
    deleteStream: unused,
    close: async () => {},
  }
}

interface Write {
  readonly table: number
  /** The whole row, or the key of a row to delete. */
  readonly values: readonly SQLInputValue[]
  readonly kind: 'put' | 'delete'
}

/** The rows that each transaction of the rebuild writes: each changed row once, as it stands at the end. */
const writesOf = (
  log: readonly RecordedEvent[],
  { views, apply }: Projection,
): readonly (readonly Write[])[] => {
  const stored = views.map(() => new Map<string, Row>())
  const writers = views.map(rowWriter)
  let touched: Map<string, Write>[] = []
  const table = (i: number): ViewTable => {
    const rows = stored[i]!
    const key = views[i]!.key
    return {
      get: (...parts) => rows.get(parts.join('\n')),
      put: (row) => {
        const id = key.map((name) => row[name]).join('\n')
        rows.set(id, row)
        touched[i]!.set(id, { table: i, kind: 'put', values: writers[i]!(row) })
      },
      delete: (...parts) => {
        const id = parts.join('\n')
        if (rows.delete(id)) touched[i]!.set(id, { table: i, kind: 'delete', values: parts })
      },
    }
  }
  const tables = Object.fromEntries(views.map(({ name }, i) => [name, table(i)]))
  const batches: Write[][] = []
  for (let from = 0; from < log.length; from += largeBatch) {
    touched = views.map(() => new Map())
    for (const event of log.slice(from, from + largeBatch)) apply(event, tables)
    batches.push(touched.flatMap((writes) => [...writes.values()]))
  }
  return batches
}

const rawLoop = (file: string, { views }: Projection, batches: readonly (readonly Write[])[]): number => {
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
  const start = performance.now()
  for (const writes of batches) {
    db.exec('BEGIN IMMEDIATE')
    for (const { table, kind, values } of writes) statements[table]![kind].run(...values)
    db.exec('COMMIT')
  }
  for (const shape of views) for (const sql of indexSql(shape, 1)) db.exec(sql)
  const seconds = (performance.now() - start) / 1000
  db.close()
  return seconds
}

const ours = async (file: string, log: readonly RecordedEvent[]): Promise<number> => {
  const viewStore = openViewStore(file)
  const start = performance.now()
  await rebuild(fixity, { eventStore: arrayStore(log), viewStore })
  const seconds = (performance.now() - start) / 1000
  viewStore.close()
  return seconds
}

const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-'))
try {
  const log = synthetic()
  const batches = writesOf(log, fixity)
  const rows = batches.reduce((n, writes) => n + writes.length, 0)
  const table = new Table({ head: ['round', 'rebuild ev/s', 'raw loop ev/s', 'raw rows/s', 'ratio'] })
  const perSecond = (n: number, seconds: number) => Math.round(n / seconds).toLocaleString('en')
  const best = { ours: Number.POSITIVE_INFINITY, raw: Number.POSITIVE_INFINITY }
  const line = (name: string, mine: number, raw: number) =>
    table.push([
      name,
      perSecond(eventCount, mine),
      perSecond(eventCount, raw),
      perSecond(rows, raw),
      (raw / mine).toFixed(2),
    ])
  for (let round = 1; round <= rounds; round++) {
    const raw = rawLoop(join(folder, `raw-${round}.db`), fixity, batches)
    const mine = await ours(join(folder, `ours-${round}.db`), log)
    best.ours = Math.min(best.ours, mine)
    best.raw = Math.min(best.raw, raw)
    line(String(round), mine, raw)
  }
  line('best', best.ours, best.raw)
  console.log(
    `${eventCount.toLocaleString('en')} events into ${rows.toLocaleString('en')} row writes, ${largeBatch} events a transaction`,
  )
  console.log(table.toString())
} finally {
  rmSync(folder, { recursive: true })
}
