import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach } from 'vitest'
import { openSqliteEventStore } from '../../../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../../../infra/sqlite/database.ts'
import type { DeadLetter } from '../../../src/domain/kernel/dead-letter.ts'
import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import type { EventFilter, EventStore } from '../../../src/ports/event-store.ts'

/** A temporary folder for each test, and event logs in it; all closed and removed afterwards. */
export const useFolder = () => {
  let folder = ''
  let opened: EventStore[] = []
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fonds-runtime-'))
    opened = []
  })
  afterEach(async () => {
    await Promise.all(opened.map((store) => store.close()))
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    path: (name: string) => join(folder, name),
    /** Each call is another process, as far as the file can tell. */
    openLog: (options: { readonly maxAppendSize?: number } = {}, file = 'fonds.db'): EventStore => {
      const db = openDatabase(join(folder, file), { durability: 'normal', pollMillis: 2 })
      const store = openSqliteEventStore(db, options)
      opened.push(store)
      return store
    },
  }
}

export const eventsOf = async (
  store: EventStore,
  filter: EventFilter = {},
): Promise<readonly RecordedEvent[]> => {
  const read = await store.readAll(-1n, filter, 100_000)()
  if (isLeft(read)) throw new Error(read.left.reason)
  return read.right.events
}

export const streamOf = async (store: EventStore, stream: string): Promise<readonly RecordedEvent[]> =>
  (await eventsOf(store)).filter((event) => event.stream === stream)

/** As `type amount`, in order. */
export const summaryOf = (events: readonly RecordedEvent[]): readonly string[] =>
  events.map(({ type, data }) => `${type} ${(data as { amount?: number }).amount ?? ''}`.trim())

export const lettersIn = async (store: EventStore) =>
  (await eventsOf(store, { categories: ['deadletter'] })).map(({ data }) => data as DeadLetter)

export const rejectionsIn = async (store: EventStore) =>
  (await eventsOf(store, { categories: ['refusal'] })).map(({ data }) => data)
