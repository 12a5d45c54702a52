import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as either from 'fp-ts/lib/Either.js'
import { openEmbeddedBroker } from '../infra/broker/embedded/broker.ts'
import { type Database, openDatabase } from '../infra/sqlite/database.ts'
import type { ProducerRecord } from '../src/ports/broker.ts'
import { expectSame, medians, printTable, rate } from './table.ts'

/* The embedded broker beside a bare node:sqlite loop that writes and reads the same tables. */

const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-'))
const topic = 'bench'
const partitions = 8
const batch = 500
let files = 0

const fresh = async () => {
  const db = openDatabase(join(folder, `${files++}.db`))
  const broker = openEmbeddedBroker(db)
  await broker.ensureTopics([{ name: topic, partitions }])()
  const close = async () => {
    await broker.close()
    await db.close()
  }
  return { db, broker, close }
}

const value = JSON.stringify({
  store: 'main',
  path: 'letters/1912/03.tif',
  size: 123456,
  text: 'x'.repeat(120),
})
const headers = (n: number) => ({ ce_id: `01920000-${n}`, ce_source: '/bench', ce_type: 'content.recorded' })
const record = (n: number): ProducerRecord => ({
  topic,
  key: `main/letters/${n % 5000}`,
  headers: headers(n),
  value,
})
const records = (from: number, count: number) => Array.from({ length: count }, (_, i) => record(from + i))

const countIn = (db: Database) =>
  db.reader.prepare('SELECT count(*) AS records FROM broker_records').get()?.records

const produce = (count: number, perCall: number, callers: number) => async () => {
  const { db, broker, close } = await fresh()
  let next = 0
  const caller = async () => {
    while (next < count) {
      const from = next
      next += perCall
      const result = await broker.produce(records(from, perCall))()
      if (either.isLeft(result)) throw new Error(result.left.kind)
    }
  }
  const result = await rate(count, () => Promise.all(Array.from({ length: callers }, caller)))
  expectSame('records produced', countIn(db), count)
  await close()
  return result
}

/** The least that a log must do: one insert a record, one update a partition and transaction. */
const rawProduce = (db: Database, count: number, perTransaction: number) => {
  const insert = db.writer.prepare('INSERT INTO broker_records VALUES (?, ?, ?, ?, ?, ?)')
  const advance = db.writer.prepare('UPDATE broker_partitions SET end_offset = ? WHERE id = ?')
  const ends = new Array<number>(partitions).fill(0)
  for (let n = 0; n < count; n += perTransaction) {
    db.writer.exec('BEGIN IMMEDIATE')
    const touched = new Set<number>()
    for (let i = n; i < n + perTransaction; i++) {
      const partition = i % partitions
      touched.add(partition)
      const key = `main/letters/${i % 5000}`
      insert.run(partition + 1, ends[partition]!++, Date.now(), key, JSON.stringify(headers(i)), value)
    }
    for (const partition of touched) advance.run(ends[partition]!, partition + 1)
    db.writer.exec('COMMIT')
  }
}

const raw = (count: number, perTransaction: number) => async () => {
  const { db, close } = await fresh()
  const result = await rate(count, () => rawProduce(db, count, perTransaction))
  expectSame('records of the raw loop', countIn(db), count)
  await close()
  return result
}

const total = 200_000
const singles = 60_000
const full = await fresh()
rawProduce(full.db, total, batch)
let groups = 0

const consume = async () => {
  const all = Promise.withResolvers<void>()
  let seen = 0
  const result = await rate(total, async () => {
    const consumption = await full.broker.consume({ group: `g${groups++}`, topics: [topic] }, async (one) => {
      seen += one.records.length
      if (seen === total) all.resolve()
      return one.records.at(-1)!.offset + 1n
    })
    await all.promise
    await consumption.stop()
  })
  return result
}

const scan = async () => {
  const statement = full.db.reader.prepare(
    `SELECT offset, taken_at, key, headers, value FROM broker_records
     WHERE partition_id = ? AND offset >= ? ORDER BY offset LIMIT ${batch}`,
  )
  statement.setReturnArrays(true)
  let seen = 0
  const result = await rate(total, () => {
    for (let partition = 1; partition <= partitions; partition++)
      for (let from = 0; ; from += batch) {
        const rows = statement.all(partition, from) as unknown as [number, number, string, string, string][]
        for (const row of rows) JSON.parse(row[3])
        seen += rows.length
        if (rows.length < batch) break
      }
  })
  expectSame('records scanned', seen, total)
  return result
}

const [ourBatches, rawBatches] = await medians(3, produce(total, batch, 1), raw(total, batch))
const [ourSingles, rawSingles] = await medians(3, produce(singles, 1, 64), raw(singles, 64))
const [ourReading, rawReading] = await medians(3, consume, scan)

printTable('embedded broker (FULL durability)', [
  {
    what: `produce, ${batch} a call`,
    ours: ourBatches!,
    beside: `raw loop, ${batch} a transaction`,
    theirs: rawBatches!,
    unit: '/s',
    promise: 0.5,
  },
  {
    what: 'produce, 1 a call, 64 at once',
    ours: ourSingles!,
    beside: 'raw loop, 64 a transaction',
    theirs: rawSingles!,
    unit: '/s',
    promise: 0.4,
  },
  {
    what: `consume, batches of ${batch}, committed`,
    ours: ourReading!,
    beside: 'raw scan, JSON.parse',
    theirs: rawReading!,
    unit: '/s',
    promise: 0.4,
  },
])
await full.close()
rmSync(folder, { recursive: true, force: true })
