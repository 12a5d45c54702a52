import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EventStoreDBClient, excludeSystemEvents, jsonEvent, START } from '@eventstore/db-client'
import * as either from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { openEventStoreDb } from '../infra/event-store/eventstoredb/event-store.ts'
import { openSqliteEventStore } from '../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../infra/sqlite/database.ts'
import type { NewEvent } from '../src/domain/kernel/event.ts'
import type { EventStore } from '../src/ports/event-store.ts'
import { countBenched, serveInThread } from './gateway-thread.ts'
import { expectSame, medians, printTable, rate } from './table.ts'

/*
 * The EventStoreDB adapter beside its own client, used bare, on one gateway. The gateway runs in a thread of its own,
 * as a server would in a process of its own.
 */

const metadata = { actor: 'bench', causationId: uuid(), correlationId: uuid(), schema: 1 }
const data = { store: 'main', path: 'letters/1912/03.tif', text: 'x'.repeat(120), size: 123456 }
const event = (): NewEvent => ({ id: uuid(), type: 'Benched', data, metadata })
/** The same bytes as the adapter sends. */
const { causationId: $causationId, correlationId: $correlationId } = metadata
const bare = () =>
  jsonEvent({ id: uuid(), type: 'Benched', data, metadata: { ...metadata, $correlationId, $causationId } })
const writers = 64
const stream = (n: number) => `bench-${n % 2000}`
const warm = 500
const appended = 6_000
const scanned = 60_000

const bench = async (folder: string): Promise<void> => {
  let files = 0
  const fresh = () => join(folder, `${files++}.db`)

  const withServer = async <A>(file: string, work: (address: string) => Promise<A>): Promise<A> => {
    const { address, stop } = await serveInThread(file)
    const result = await work(address)
    await stop()
    return result
  }

  const withStore = (file: string, work: (store: EventStore) => Promise<number>) =>
    withServer(file, async (address) => {
      const store = openEventStoreDb(address)
      const result = await work(store)
      await store.close()
      return result
    })

  const withClient = (file: string, work: (client: EventStoreDBClient) => Promise<number>) =>
    withServer(file, async (address) => {
      const client = EventStoreDBClient.connectionString(address)
      const result = await work(client)
      await client.dispose()
      return result
    })

  const concurrently = (count: number, append: (n: number) => Promise<unknown>): Promise<number> => {
    let next = 0
    const writer = async () => {
      while (next < count) await append(next++)
    }
    return rate(count, () => Promise.all(Array.from({ length: writers }, writer)))
  }

  /** On a log of its own, which must hold all of it in the end. */
  const appending = async (measure: (file: string) => Promise<number>): Promise<number> => {
    const file = fresh()
    const result = await measure(file)
    expectSame('events appended', countBenched(file), warm + appended)
    return result
  }

  const appendOurs = (file: string) =>
    withStore(file, async (store) => {
      const append = async (n: number) => {
        const result = await store.append(stream(n), 'any', [event()])()
        if (either.isLeft(result)) throw new Error(result.left.kind)
      }
      await concurrently(warm, append)
      return concurrently(appended, append)
    })

  /** Credentials make the client take a call of its own for each append; without, one stream carries all (BatchAppend). */
  const appendBare = (credentials?: { username: string; password: string }) => (file: string) =>
    withClient(file, async (client) => {
      const options = credentials ? { credentials } : {}
      const append = (n: number) => client.appendToStream(stream(n), bare(), options)
      await concurrently(warm, append)
      return concurrently(appended, append)
    })

  const log = fresh()
  const filling = openSqliteEventStore(openDatabase(log))
  for (let n = 0; n < scanned; n += 1000)
    await filling.append(stream(n / 1000), 'any', Array.from({ length: 1000 }, event))()
  await filling.close()

  const readOurs = () =>
    withStore(log, (store) =>
      rate(scanned, async () => {
        let read = 0
        for (let after = -1n; ; ) {
          const batch = await store.readAll(after, {}, 10_000)()
          if (either.isLeft(batch)) throw new Error(batch.left.reason)
          read += batch.right.events.length
          if (batch.right.caughtUp) break
          after = batch.right.position
        }
        expectSame('events read', read, scanned)
      }),
    )

  const readBare = () =>
    withClient(log, (client) =>
      rate(scanned, async () => {
        let read = 0
        for await (const _ of client.readAll({ fromPosition: START, maxCount: scanned })) read++
        expectSame('events read', read, scanned)
      }),
    )

  const subscribeOurs = () =>
    withStore(log, (store) =>
      rate(scanned, async () => {
        const abort = new AbortController()
        let read = 0
        for await (const batch of store.subscribe(-1n, {}, abort.signal)) {
          read += batch.events.length
          if (read === scanned) abort.abort()
        }
      }),
    )

  const subscribeBare = () =>
    withClient(log, (client) =>
      rate(scanned, async () => {
        let read = 0
        for await (const _ of client.subscribeToAll({
          fromPosition: START,
          filter: excludeSystemEvents({ maxSearchWindow: 4096 }),
        }))
          if (++read === scanned) break
      }),
    )

  const [ourAppends, classic, batched] = await medians(
    3,
    ...[appendOurs, appendBare({ username: 'bench', password: '' }), appendBare()].map(
      (measure) => () => appending(measure),
    ),
  )
  const [ourRead, bareRead, ourSubscription, bareSubscription] = await medians(
    3,
    readOurs,
    readBare,
    subscribeOurs,
    subscribeBare,
  )
  const append = 'single appends, 64 at once'
  printTable('EventStoreDB adapter, through the gateway', [
    {
      what: append,
      ours: ourAppends!,
      beside: 'bare client, same path',
      theirs: classic!,
      unit: '/s',
      promise: 0.9,
    },
    { what: append, ours: ourAppends!, beside: 'bare client, BatchAppend', theirs: batched!, unit: '/s' },
    { what: 'read all', ours: ourRead!, beside: 'bare client', theirs: bareRead!, unit: '/s', promise: 0.7 },
    {
      what: 'subscribe, from the start',
      ours: ourSubscription!,
      beside: 'bare client',
      theirs: bareSubscription!,
      unit: '/s',
      promise: 0.7,
    },
  ])
}

const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-'))
await bench(folder)
rmSync(folder, { recursive: true, force: true })
