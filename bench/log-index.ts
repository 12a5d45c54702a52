import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openViewStore } from '../infra/views/sqlite/view-store.ts'
import { viewCheckpoint } from '../src/async/checkpoint.ts'
import type { RecordedEvent } from '../src/domain/kernel/event.ts'
import { logIndex } from '../src/projections/kernel/log-index.ts'
import { blocksOfMessage, blocksOfTypes } from '../src/projections/kernel/questions/log-places.ts'
import { foldBatch, largeBatch } from '../src/projections/runtime/fold.ts'
import { expectSame, printTable, rate } from './table.ts'

/*
 * The index of the log, beside two indexes of SQLite on a table of types and random ids that is written in transactions of
 * the same size: what is folded in a second, in large batches and one event at a time, what a question takes, and the
 * bytes of an event. Arguments: number of events (300000).
 */

const eventCount = Number(process.argv[2] ?? 300_000)
const live = 20_000
const questions = 200
const types = [
  'ContentRecorded',
  'CheckClaimed',
  'FixityDecided',
  'WorkObserved',
  'GraphChanged',
  'LeaseGranted',
]

const eventAt = (i: number): RecordedEvent => ({
  id: `${i}`,
  type: types[i % types.length]!,
  stream: 'thing-1',
  revision: BigInt(i),
  position: BigInt(i + 1),
  recordedAt: '2026-01-01T00:00:00.000Z',
  data: {},
  metadata: { actor: 'bench', causationId: `/bench#${randomUUID()}`, correlationId: 'bench', schema: 1 },
})
const log = Array.from({ length: eventCount + live }, (_, i) => eventAt(i))

function* batches(from: number, to: number, size: number) {
  for (let at = from; at < to; at += size) yield log.slice(at, Math.min(at + size, to))
}

/** What is measured: folding of batches, the time of a question by an unknown id and by an unknown type, and the bytes of all. */
interface Index {
  add(events: readonly RecordedEvent[]): void
  ask(id: string): Promise<void>
  askType(type: string): void
  /** Each type with the number of its events. */
  types(): readonly string[]
  close(): void
}

const ours = (file: string): Index => {
  const views = openViewStore(file)
  const generation = views.create(logIndex.name, logIndex.version, logIndex.views)
  views.promote(generation)
  return {
    add: (events) => {
      const position = events.at(-1)!.position
      foldBatch(viewCheckpoint(views, generation), logIndex, views.checkpoint(generation), {
        events,
        position,
      })
    },
    ask: async (id) => {
      for await (const _ of blocksOfMessage(views, [id], BigInt(log.length)));
    },
    askType: (type) => void blocksOfTypes(views, [type], 0n, 50),
    types: () => {
      const rows = views.query('log-types', { orderBy: [{ column: 'type' }] })
      return [...Map.groupBy(rows, ({ type }) => type)].map(
        ([type, some]) => `${type} ${some.reduce((sum, { count }) => sum + Number(count), 0)}`,
      )
    },
    close: () => views.close(),
  }
}

const indexes = (file: string): Index => {
  const db = new DatabaseSync(file)
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 10000;
    PRAGMA cache_size = -65536;
    CREATE TABLE events (position INTEGER PRIMARY KEY, type TEXT NOT NULL, cause TEXT NOT NULL) STRICT;
    CREATE INDEX by_type ON events (type, position); CREATE INDEX by_cause ON events (cause)`)
  const insert = db.prepare('INSERT INTO events VALUES (?, ?, ?)')
  const byCause = db.prepare('SELECT position FROM events WHERE cause = ?')
  const byType = db.prepare('SELECT position FROM events WHERE type = ? LIMIT 100')
  return {
    add: (events) => {
      db.exec('BEGIN IMMEDIATE')
      for (const { position, type, metadata } of events)
        insert.run(Number(position), type, metadata.causationId.split('#')[1]!)
      db.exec('COMMIT')
    },
    ask: async (id) => void byCause.all(id),
    askType: (type) => void byType.all(type),
    types: () =>
      db
        .prepare('SELECT type, count(*) AS events FROM events GROUP BY type ORDER BY type')
        .all()
        .map(({ type, events }) => `${type} ${events}`),
    close: () => db.close(),
  }
}

const measure = async (open: (file: string) => Index, file: string) => {
  const index = open(file)
  const rebuilt = await rate(eventCount, () => {
    for (const events of batches(0, eventCount, largeBatch)) index.add(events)
  })
  const alone = await rate(live, () => {
    for (const events of batches(eventCount, eventCount + live, 1)) index.add(events)
  })
  const asked = await rate(questions, async () => {
    for (let i = 0; i < questions; i++) await index.ask(randomUUID())
  })
  const typed = await rate(questions, () => {
    for (let i = 0; i < questions; i++) index.askType(`Nope${i}`)
  })
  const folded = index.types().join(', ')
  index.close()
  return { folded, rebuilt, alone, asked, typed, bytes: statSync(file).size / log.length }
}

const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-'))
try {
  const mine = await measure(ours, join(folder, 'ours.db'))
  const theirs = await measure(indexes, join(folder, 'theirs.db'))
  expectSame('events folded', mine.folded, theirs.folded)
  const beside = 'two SQLite indexes'
  const line = (what: string, key: Exclude<keyof typeof mine, 'folded'>, unit: string) => ({
    what,
    ours: mine[key],
    beside,
    theirs: theirs[key],
    unit,
  })
  printTable(`index of the log (${eventCount.toLocaleString('en')} events, random ids)`, [
    { ...line(`folded, ${largeBatch} a transaction`, 'rebuilt', 'events/s'), promise: 0.5 },
    line('folded, one a transaction', 'alone', 'events/s'),
    line('asked by an unknown message', 'asked', 'questions/s'),
    line('asked by an unknown type', 'typed', 'questions/s'),
    line('on disk', 'bytes', 'bytes an event'),
  ])
} finally {
  rmSync(folder, { recursive: true })
}
