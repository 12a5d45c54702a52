import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { pino } from 'pino'
import { openEmbeddedBroker } from '../../infra/broker/embedded/broker.ts'
import { openFileSystemStore } from '../../infra/content/file-system/store.ts'
import { openSqliteEventStore } from '../../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../../infra/sqlite/database.ts'
import { openViewStore } from '../../infra/views/sqlite/view-store.ts'
import { systemClock } from '../../src/ports/clock.ts'
import { noTelemetry } from '../../src/ports/telemetry.ts'
import { executor } from '../../src/processors/runtime/execute.ts'
import { streamStates } from '../../src/processors/runtime/stream-states.ts'
import { type Config, readConfig } from '../../src/system/config.ts'
import type { System } from '../../src/system/system.ts'
import { workflows } from '../../src/system/workflows.ts'

export interface HomeOptions {
  /** How long a silent member of a consumer group keeps its partitions. */
  readonly sessionMillis?: number
}

/** A home from inside, beside whatever other processes work on it: as main.ts opens it. */
export const openHome = (
  home: string,
  settings: Partial<Config> = {},
  { sessionMillis }: HomeOptions = {},
): System => {
  const read = readConfig({ home, logLevel: 'error', ...settings }, {})
  if (isLeft(read)) throw new Error(read.left.join('; '))
  const config = read.right
  const db = openDatabase(config.eventStore.replace(/^sqlite:/, ''), { durability: config.durability })
  const eventStore = openSqliteEventStore(db)
  const broker = openEmbeddedBroker(db, sessionMillis === undefined ? {} : { sessionMillis })
  const viewStore = openViewStore(join(config.home, 'views.db'))
  const states = streamStates(eventStore)
  return {
    config,
    eventStore,
    broker,
    viewStore,
    clock: systemClock,
    telemetry: noTelemetry,
    log: pino({ name: 'fonds', level: config.logLevel }, pino.destination(2)),
    states,
    execute: executor(eventStore, states),
    workflows,
    openContent: openFileSystemStore,
    contentStoreModule: new URL('../../infra/content/file-system/store.ts', import.meta.url),
    metrics: async () => '',
    close: async () => {
      await broker.close()
      viewStore.close()
      await eventStore.close()
    },
  }
}
