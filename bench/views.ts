import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import Table from 'cli-table3'
import { right } from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { openViewStore } from '../infra/views/sqlite/view-store.ts'
import { NonNegativeInteger, Text, Time } from '../src/domain/kernel/codecs.ts'
import { idOf, type RecordedEvent } from '../src/domain/kernel/event.ts'
import { eventSet, eventSpec } from '../src/domain/kernel/event-set.ts'
import type { EventStore } from '../src/ports/event-store.ts'
import type { Row, ViewShape, Table as ViewTable } from '../src/ports/view-store.ts'
import { largeBatch } from '../src/projections/runtime/catch-up.ts'
import { type Projection, projection } from '../src/projections/runtime/projection.ts'
import { rebuild } from '../src/projections/runtime/rebuild.ts'

/*
 * Rebuild of a projection with two views, beside a raw loop that writes the same rows with the same statements in
 * transactions of the same size. Arguments: number of events (300000), rounds (3).
 */

const eventCount = Number(process.argv[2] ?? 300_000)
const rounds = Number(process.argv[3] ?? 3)
const itemCount = Math.ceil(eventCount / 3)

const items = {
  name: 'items',
  description: 'What is known of each item.',
  key: ['id'],
  columns: {
    id: 'text',
    size: 'integer',
    state: 'text',
    checks: 'integer',
    checked_at: 'text',
    due_at: 'text',
  },
  indexes: [['due_at']],
} as const satisfies ViewShape

const days = {
  name: 'days',
  description: 'Checks a day, by outcome.',
  key: ['day', 'outcome'],
  columns: { day: 'text', outcome: 'text', checks: 'integer', bytes: 'integer' },
} as const satisfies ViewShape

const events = eventSet(
  eventSpec('Recorded', 'An item is known.', t.type({ size: NonNegativeInteger, dueAt: Time })),
  eventSpec('Checked', 'An item was looked at.', t.type({ outcome: Text, at: Time, dueAt: Time })),
)

const benched = projection(
  { name: 'bench', version: 1, description: 'Items and days.', views: [items, days] },
  (on) => [
    on('item', events, {
      Recorded: (data, event, { items }) =>
        items.put({
          id: idOf(event.stream),
          size: data.size,
          state: 'new',
          checks: 0,
          checked_at: null,
          due_at: data.dueAt,
        }),
      Checked: (data, event, { items, days }) => {
        const item = items.get(idOf(event.stream))
        if (!item) throw new Error(`${event.stream} was never recorded`)
        const checks = (item.checks ?? 0) + 1
        items.put({ ...item, state: data.outcome, checks, checked_at: data.at, due_at: data.dueAt })
        const day = data.at.slice(0, 10)
        const tally = days.get(day, data.outcome)
        days.put({
          day,
          outcome: data.outcome,
          checks: (tally?.checks ?? 0) + 1,
          bytes: (tally?.bytes ?? 0) + (item.size ?? 0),
        })
      },
    }),
  ],
)

const timeOf = (minutes: number) => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString()

/** A third are new items; the others are checks of an earlier one, in no order (a fixed linear congruence). */
const synthetic = (): readonly RecordedEvent[] => {
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed % below
  }
  let known = 0
  return Array.from({ length: eventCount }, (_, i) => {
    const isNew = i % 3 === 0 && known < itemCount
    const number = isNew ? known++ : random(known)
    const at = timeOf(i)
    return {
      id: String(i),
      type: isNew ? 'Recorded' : 'Checked',
      stream: `item-main/collections/${number % 977}/scan-${String(number).padStart(8, '0')}.tif`,
      revision: 0n,
      position: BigInt(i),
      recordedAt: at,
      data: isNew
        ? { size: random(10_000_000), dueAt: timeOf(i + 43_200) }
        : { outcome: random(50) === 0 ? 'failure' : 'success', at, dueAt: timeOf(i + 129_600) },
      metadata: { actor: 'bench', causationId: '', correlationId: '', schema: 1 },
    }
  })
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
  readonly values: readonly SQLInputValue[]
}

/** The rows that each transaction of the rebuild writes: each changed row once, as it stands at the end. */
const writesOf = (log: readonly RecordedEvent[], folded: Projection): readonly (readonly Write[])[] => {
  const stored = folded.views.map(() => new Map<string, Row>())
  let touched: Map<string, Row>[] = []
  const table = (i: number): ViewTable => {
    const rows = stored[i] as Map<string, Row>
    const key = folded.views[i]?.key ?? []
    return {
      get: (...parts) => rows.get(parts.join('\n')),
      put: (row) => {
        const id = key.map((name) => row[name]).join('\n')
        rows.set(id, row)
        touched[i]?.set(id, row)
      },
      delete: () => {
        throw new Error('this projection deletes nothing')
      },
    }
  }
  const tables = Object.fromEntries(folded.views.map(({ name }, i) => [name, table(i)]))
  const batches: Write[][] = []
  for (let from = 0; from < log.length; from += largeBatch) {
    touched = folded.views.map(() => new Map())
    for (const event of log.slice(from, from + largeBatch)) folded.apply(event, tables)
    batches.push(
      touched.flatMap((rows, i) =>
        [...rows.values()].map((row) => ({ table: i, values: Object.values(row) as SQLInputValue[] })),
      ),
    )
  }
  return batches
}

const rawLoop = (file: string, batches: readonly (readonly Write[])[]): number => {
  const db = new DatabaseSync(file)
  db.exec(`
    PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 10000; PRAGMA cache_size = -65536;
    CREATE TABLE items (id TEXT NOT NULL, size INTEGER, state TEXT, checks INTEGER, checked_at TEXT, due_at TEXT,
      PRIMARY KEY (id)) STRICT, WITHOUT ROWID;
    CREATE TABLE days (day TEXT NOT NULL, outcome TEXT NOT NULL, checks INTEGER, bytes INTEGER,
      PRIMARY KEY (day, outcome)) STRICT, WITHOUT ROWID;
  `)
  const upserts = [
    db.prepare(`INSERT INTO items VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET size = excluded.size,
      state = excluded.state, checks = excluded.checks, checked_at = excluded.checked_at, due_at = excluded.due_at`),
    db.prepare(`INSERT INTO days VALUES (?, ?, ?, ?) ON CONFLICT (day, outcome) DO UPDATE SET
      checks = excluded.checks, bytes = excluded.bytes`),
  ]
  const start = performance.now()
  for (const writes of batches) {
    db.exec('BEGIN IMMEDIATE')
    for (const { table, values } of writes) upserts[table]?.run(...values)
    db.exec('COMMIT')
  }
  db.exec('CREATE INDEX due ON items (due_at)')
  const seconds = (performance.now() - start) / 1000
  db.close()
  return seconds
}

const ours = async (file: string, log: readonly RecordedEvent[]): Promise<number> => {
  const viewStore = openViewStore(file)
  const start = performance.now()
  await rebuild(benched, { eventStore: arrayStore(log), viewStore })
  const seconds = (performance.now() - start) / 1000
  viewStore.close()
  return seconds
}

const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-'))
try {
  const log = synthetic()
  const batches = writesOf(log, benched)
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
    const raw = rawLoop(join(folder, `raw-${round}.db`), batches)
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
