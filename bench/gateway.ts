import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EventStoreDBClient, jsonEvent, START } from '@eventstore/db-client'
import * as either from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { openSqliteEventStore } from '../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../infra/sqlite/database.ts'
import type { NewEvent } from '../src/domain/kernel/event.ts'
import { countBenched, serveInProcess } from './gateway-process.ts'
import { expectSame, medians, printTable, rate } from './table.ts'

/*
 * The log through EventStoreDB's own client, over the gateway, beside the store called in process. The gateway runs in
 * a process of its own, as a server does.
 */

const metadata = { actor: 'bench', causationId: uuid(), correlationId: uuid(), schema: 1 }
const data = { store: 'main', path: 'letters/1912/03.tif', text: 'x'.repeat(120), size: 123456 }
const event = (): NewEvent => ({ id: uuid(), type: 'Benched', data, metadata })
const foreign = () => jsonEvent({ id: uuid(), type: 'Benched', data, metadata })
const writers = 64
const streams = 2000
const stream = (n: number) => `bench-${n % streams}`

const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-'))
let files = 0

const fresh = () => join(folder, `${files++}.db`)
const direct = (file: string) => openSqliteEventStore(openDatabase(file))

const served = async (file: string) => {
  const { address, stop } = await serveInProcess(file)
  const client = EventStoreDBClient.connectionString(address)
  return {
    client,
    stop: async () => {
      await client.dispose()
      await stop()
    },
  }
}

const concurrently = (count: number, append: (n: number) => Promise<unknown>): Promise<number> => {
  let next = 0
  const writer = async () => {
    while (next < count) await append(next++)
  }
  return rate(count, () => Promise.all(Array.from({ length: writers }, writer)))
}

const appendDirect = (count: number) => async () => {
  const file = fresh()
  const store = direct(file)
  const result = await concurrently(count, async (n) => {
    const appended = await store.append(stream(n), 'any', [event()])()
    if (either.isLeft(appended)) throw new Error(appended.left.kind)
  })
  await store.close()
  expectSame('events appended in process', countBenched(file), count)
  return result
}

/** Credentials make the client take a call of its own for each append. */
const appendServed = (count: number, classic: boolean) => async () => {
  const file = fresh()
  const { client, stop } = await served(file)
  const options = classic ? { credentials: { username: 'bench', password: '' } } : {}
  await client.appendToStream('warm', foreign(), options)
  const result = await concurrently(count, (n) => client.appendToStream(stream(n), foreign(), options))
  await stop()
  expectSame('events appended', countBenched(file), 1 + count)
  return result
}

const filled = async (count: number): Promise<string> => {
  const file = fresh()
  const store = direct(file)
  for (let n = 0; n < count; n += 1000)
    await store.append(stream(n / 1000), 'any', Array.from({ length: 1000 }, event))()
  await store.close()
  return file
}

const readDirect = (file: string, count: number) => async () => {
  const store = direct(file)
  const result = await rate(count, async () => {
    let [after, read] = [-1n, 0]
    for (;;) {
      const batch = await store.readAll(after, {}, 1000)()
      if (either.isLeft(batch)) throw new Error(batch.left.reason)
      read += batch.right.events.length
      if (batch.right.caughtUp) break
      after = batch.right.position
    }
    expectSame('events read in process', read, count)
  })
  await store.close()
  return result
}

const readServed = (file: string, count: number) => async () => {
  const { client, stop } = await served(file)
  const result = await rate(count, async () => {
    let read = 0
    for await (const _ of client.readAll({ fromPosition: START })) read++
    expectSame('events read', read, count)
  })
  await stop()
  return result
}

const bench = async (): Promise<void> => {
  const [batched, classic, inProcess] = await medians(
    3,
    appendServed(10_000, false),
    appendServed(10_000, true),
    appendDirect(10_000),
  )
  const count = 100_000
  const log = await filled(count)
  const [read, scanned] = await medians(3, readServed(log, count), readDirect(log, count))
  const beside = 'the store in process'
  printTable('gateway', [
    { what: '64 writers, batch appends', ours: batched!, beside, theirs: inProcess!, unit: 'events/s' },
    { what: '64 writers, a call an append', ours: classic!, beside, theirs: inProcess!, unit: 'events/s' },
    { what: 'read the whole log', ours: read!, beside, theirs: scanned!, unit: 'events/s' },
  ])
  rmSync(folder, { recursive: true })
}

await bench()
