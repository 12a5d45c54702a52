import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import * as either from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { openSqliteEventStore } from '../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../infra/sqlite/database.ts'
import type { NewEvent } from '../src/domain/kernel/event.ts'
import { expectSame, medians, printTable, rate } from './table.ts'

/* Appends and reads of our store beside a bare node:sqlite loop that runs the same statements on the same tables. */

const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-'))
let files = 0
const fresh = () => {
  const db = openDatabase(join(folder, `${files++}.db`))
  return { db, store: openSqliteEventStore(db) }
}

const metadata = { actor: 'bench', causationId: uuid(), correlationId: uuid(), schema: 1 }
const data = { store: 'main', path: 'letters/1912/03.tif', text: 'x'.repeat(120), size: 123456 }
const event = (): NewEvent => ({ id: uuid(), type: 'Benched', data, metadata })
const streams = 2000

const countIn = (db: DatabaseSync) => db.prepare('SELECT count(*) AS events FROM events').get()?.events

/** The least that a log must do: the same three statements, nothing else. */
const rawWriter = (db: DatabaseSync) => {
  const find = db.prepare('SELECT id, revision, state FROM streams WHERE name = ?')
  find.setReturnArrays(true)
  const add = db.prepare('INSERT INTO streams (name, category, revision) VALUES (?, ?, ?)')
  const move = db.prepare('UPDATE streams SET revision = ? WHERE id = ?')
  const insert = db.prepare(
    'INSERT INTO events (stream_id, revision, id, type, recorded_at, data, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  return (name: string, one: NewEvent) => {
    const found = find.get(name) as unknown as [number, number, number] | undefined
    const revision = (found?.[1] ?? -1) + 1
    const id = found ? found[0] : Number(add.run(name, 'bench', revision).lastInsertRowid)
    if (found) move.run(revision, id)
    insert.run(
      id,
      revision,
      one.id,
      one.type,
      Date.now(),
      JSON.stringify(one.data),
      JSON.stringify(one.metadata),
    )
  }
}

const raw = (count: number, perTransaction: number) => async () => {
  const { db, store } = fresh()
  const write = rawWriter(db.writer)
  const result = await rate(count, () => {
    for (let i = 0; i < count; i += perTransaction) {
      db.writer.exec('BEGIN IMMEDIATE')
      for (let j = i; j < Math.min(i + perTransaction, count); j++) write(`bench-${j % streams}`, event())
      db.writer.exec('COMMIT')
    }
  })
  expectSame('events of the raw loop', countIn(db.reader), count)
  await store.close()
  return result
}

const ours = (count: number, writers: number) => async () => {
  const { db, store } = fresh()
  let next = 0
  const writer = async () => {
    while (next < count) {
      const result = await store.append(`bench-${next++ % streams}`, 'any', [event()])()
      if (either.isLeft(result)) throw new Error(result.left.kind)
    }
  }
  const result = await rate(count, () => Promise.all(Array.from({ length: writers }, writer)))
  expectSame('events appended', countIn(db.reader), count)
  await store.close()
  return result
}

const filled = async (count: number) => {
  const { db, store } = fresh()
  const write = rawWriter(db.writer)
  db.writer.exec('BEGIN')
  for (let i = 0; i < count; i++) write(`bench-${i % streams}`, event())
  db.writer.exec('COMMIT')
  return { db, store }
}

const concurrent = 60_000
const serial = 4_000
const scanned = 300_000
const log = await filled(scanned)

const scanRaw = async () => {
  const statement = log.db.reader.prepare(
    `SELECT e.position, s.name, e.revision, e.id, e.type, e.recorded_at, e.data, e.metadata
     FROM events e CROSS JOIN streams s ON s.id = e.stream_id ORDER BY e.position`,
  )
  statement.setReturnArrays(true)
  let seen = 0
  const result = await rate(scanned, () => {
    for (const row of statement.iterate() as unknown as Iterable<
      [number, string, number, string, string, number, string, string]
    >) {
      JSON.parse(row[6])
      JSON.parse(row[7])
      seen++
    }
  })
  expectSame('events scanned', seen, scanned)
  return result
}

const scanOurs = async () =>
  rate(scanned, async () => {
    let seen = 0
    const abort = new AbortController()
    for await (const batch of log.store.subscribe(-1n, {}, abort.signal)) {
      seen += batch.events.length
      if (seen === scanned) abort.abort()
    }
  })

const [ourConcurrent, rawBatches] = await medians(3, ours(concurrent, 64), raw(concurrent, 64))
const [ourSerial, rawSerial] = await medians(3, ours(serial, 1), raw(serial, 1))
const [ourScan, rawScan] = await medians(3, scanOurs, scanRaw)

printTable('event store (FULL durability)', [
  {
    what: 'single appends, 64 at once',
    ours: ourConcurrent!,
    beside: 'raw loop, 64 a transaction',
    theirs: rawBatches!,
    unit: '/s',
    promise: 0.6,
    did: `${concurrent.toLocaleString('en')} events`,
  },
  {
    what: 'single appends, one at a time',
    ours: ourSerial!,
    beside: 'raw loop, 1 a transaction',
    theirs: rawSerial!,
    unit: '/s',
    promise: 0.8,
    did: `${serial.toLocaleString('en')} events`,
  },
  {
    what: 'read all, parsed',
    ours: ourScan!,
    beside: 'raw scan, JSON.parse',
    theirs: rawScan!,
    unit: '/s',
    promise: 0.6,
    did: `${scanned.toLocaleString('en')} events`,
  },
])
await log.store.close()
rmSync(folder, { recursive: true, force: true })
