import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { openEventStoreDb } from '../infra/event-store/eventstoredb/event-store.ts'
import { openSqliteEventStore } from '../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../infra/sqlite/database.ts'
import { migrate } from '../src/app/migrate.ts'
import { orThrow } from '../src/async/unavailable.ts'
import type { NewEvent, RecordedEvent } from '../src/domain/kernel/event.ts'
import type { EventStore } from '../src/ports/event-store.ts'
import { countBenched, serveInProcess } from './gateway-process.ts'
import { openRaw } from './raw-eventstoredb.ts'
import { expectSame, interleaved, type Line, median, medianRatio, printTable } from './table.ts'

/*
 * Copying a log to a server, beside a plain loop: it reads the same file, and appends what stands together of one stream, in
 * order, one append after the other. Measured is the copying; the comparison that `migrate` makes of both logs comes after.
 */

const metadata = { actor: 'bench', causationId: uuid(), correlationId: uuid(), schema: 1 }
const data = { store: 'main', path: 'letters/1912/03.tif', text: 'x'.repeat(120), size: 123456 }
const event = (): NewEvent => ({ id: uuid(), type: 'Benched', data, metadata })
const rounds = 3

const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-'))
let files = 0

const fill = async (appends: number, each: number, stream: (n: number) => string): Promise<EventStore> => {
  const store = openSqliteEventStore(openDatabase(join(folder, `${files++}.db`), { durability: 'normal' }))
  for (let n = 0; n < appends; n++)
    await store.append(stream(n), 'any', Array.from({ length: each }, event))()
  return store
}

/** Milliseconds of `copy`, into a log that must hold all in the end. */
const into = async (events: number, copy: (address: string) => Promise<number>): Promise<number> => {
  const file = join(folder, `${files++}.db`)
  const { address, stop } = await serveInProcess(file, 'normal')
  const millis = await copy(address)
  await stop()
  expectSame('events copied', countBenched(file), events)
  return (events / millis) * 1000
}

const copyOurs = (source: EventStore) => async (address: string) => {
  const target = openEventStoreDb(address)
  let [started, copied] = [0, 0]
  const moved = await migrate(source, target, {
    categories: [],
    signal: new AbortController().signal,
    onStart: () => {
      started = performance.now()
    },
    onProgress: (step) => {
      if (step === 'verify' && copied === 0) copied = performance.now()
    },
  })
  await target.close()
  if (isLeft(moved)) throw new Error(moved.left.kind)
  return copied - started
}

const copyPlainly = (source: EventStore) => async (address: string) => {
  const plain = openRaw(address)
  const started = performance.now()
  let run: RecordedEvent[] = []
  const flush = async () => {
    const [first] = run
    if (first) await plain.append(first.stream, Number(first.revision) - 1, run)
    run = []
  }
  for (let after = -1n; ; ) {
    const page = await orThrow(source.readAll(after, {}, 1000))
    for (const one of page.events) {
      if (run.length === 500 || (run[0] && run[0].stream !== one.stream)) await flush()
      run.push(one)
    }
    if (page.caughtUp) break
    after = page.position
  }
  await flush()
  const millis = performance.now() - started
  plain.close()
  return millis
}

const measure = async (what: string, events: number, source: EventStore): Promise<Line> => {
  const [ours, theirs] = await interleaved(
    rounds,
    () => into(events, copyOurs(source)),
    () => into(events, copyPlainly(source)),
  )
  await source.close()
  return {
    what,
    ours: median(ours!),
    beside: 'a plain loop',
    theirs: median(theirs!),
    unit: 'events/s',
    ratio: medianRatio(ours!, theirs!),
    promise: 0.8,
  }
}

printTable('migrate, to a gateway', [
  await measure('runs of one stream', 40_000, await fill(40, 1000, (n) => `run-${n % 5}`)),
  await measure('streams in turn', 6_000, await fill(6_000, 1, (n) => `turn-${n % 50}`)),
])
rmSync(folder, { recursive: true, force: true })
