import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as either from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { openEventStoreDb } from '../infra/event-store/eventstoredb/event-store.ts'
import { openSqliteEventStore } from '../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../infra/sqlite/database.ts'
import type { NewEvent } from '../src/domain/kernel/event.ts'
import type { EventStore } from '../src/ports/event-store.ts'
import { countBenched, serveInProcess } from './gateway-process.ts'
import { openRaw, type RawEventStoreDb } from './raw-eventstoredb.ts'
import { expectSame, interleaved, type Line, median, medianRatio, printTable, rate } from './table.ts'

/*
 * The EventStoreDB adapter beside plain calls of gRPC, in turn, on one gateway in a process of its own. The plain loop makes
 * nothing of what it reads; the adapter makes events. Commits do not wait for the disk, whose time would hide the clients'.
 */

const metadata = { actor: 'bench', causationId: uuid(), correlationId: uuid(), schema: 1 }
const data = { store: 'main', path: 'letters/1912/03.tif', text: 'x'.repeat(120), size: 123456 }
const event = (): NewEvent => ({ id: uuid(), type: 'Benched', data, metadata })
/** The same bytes as the adapter sends. */
const { causationId: $causationId, correlationId: $correlationId } = metadata
const raw = { type: 'Benched', data, metadata: { ...metadata, $correlationId, $causationId } }
const stream = (n: number) => `bench-${n % 2000}`
const rounds = 9
const pageSize = 10_000

const at = (writers: number, count: number, append: (n: number) => Promise<unknown>): Promise<number> => {
  let next = 0
  const writer = async () => {
    while (next < count) await append(next++)
  }
  return rate(count, () => Promise.all(Array.from({ length: writers }, writer)))
}

const appendOurs = (store: EventStore) => async (n: number) => {
  const result = await store.append(stream(n), 'any', [event()])()
  if (either.isLeft(result)) throw new Error(result.left.kind)
}

const readPages = async (store: EventStore): Promise<number> => {
  let read = 0
  for (let after = -1n; ; ) {
    const batch = await store.readAll(after, {}, pageSize)()
    if (either.isLeft(batch)) throw new Error(batch.left.reason)
    read += batch.right.events.length
    if (batch.right.caughtUp) return read
    after = batch.right.position
  }
}

const follow = async (store: EventStore, count: number): Promise<number> => {
  const abort = new AbortController()
  let read = 0
  for await (const batch of store.subscribe(-1n, {}, abort.signal)) {
    read += batch.events.length
    if (read >= count) abort.abort()
  }
  return read
}

const bench = async (folder: string): Promise<void> => {
  /** `work` measures both sides on one server. */
  const serving = async <A>(
    file: string,
    work: (store: EventStore, plain: RawEventStoreDb) => Promise<A>,
  ): Promise<A> => {
    const { address, stop } = await serveInProcess(file, 'normal')
    const store = openEventStoreDb(address)
    const plain = openRaw(address)
    const result = await work(store, plain)
    await store.close()
    plain.close()
    await stop()
    return result
  }

  const appending = async (what: string, writers: number, count: number): Promise<Line> => {
    const file = join(folder, `${writers}.db`)
    const measured = await serving(file, (store, plain) =>
      interleaved(
        rounds + 1,
        () => at(writers, count, appendOurs(store)),
        () => at(writers, count, (n) => plain.append(stream(n), 'any', [raw])),
      ),
    )
    expectSame('events appended', countBenched(file), 2 * (rounds + 1) * count)
    return line(what, measured)
  }

  const reading = async (count: number): Promise<readonly Line[]> => {
    const log = join(folder, 'read.db')
    const filling = openSqliteEventStore(openDatabase(log))
    for (let n = 0; n < count; n += 1000)
      await filling.append(stream(n / 1000), 'any', Array.from({ length: 1000 }, event))()
    await filling.close()
    const whole = (read: () => Promise<number>) => () =>
      rate(count, async () => expectSame('events read', await read(), count))
    const [pages, followed, plainly] = await serving(log, (store, plain) =>
      interleaved(
        rounds + 1,
        whole(() => readPages(store)),
        whole(() => follow(store, count)),
        whole(() => plain.readAll()),
      ),
    )
    return [
      line(`read all, ${pageSize} a page`, [pages!, plainly!]),
      line('subscribe, from the start', [followed!, plainly!]),
    ]
  }

  printTable('EventStoreDB adapter, through the gateway', [
    await appending('single appends, one after the other', 1, 1_000),
    await appending('single appends, 64 at once', 64, 4_000),
    ...(await reading(60_000)),
  ])
}

/** The first round warms up. */
const line = (what: string, measured: readonly (readonly number[])[]): Line => {
  const [ours, theirs] = measured.map((figures) => figures.slice(1)) as [number[], number[]]
  return {
    what,
    ours: median(ours),
    beside: 'plain calls of gRPC',
    theirs: median(theirs),
    unit: '/s',
    ratio: medianRatio(ours, theirs),
    promise: 0.8,
  }
}

const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-'))
await bench(folder)
rmSync(folder, { recursive: true, force: true })
