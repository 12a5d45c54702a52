import { join } from 'node:path'
import { pino } from 'pino'
import { openEmbeddedBroker } from '../infra/broker/embedded/broker.ts'
import { openFileSystemStore } from '../infra/content/file-system/store.ts'
import { openSqliteEventStore } from '../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../infra/sqlite/database.ts'
import { prometheusTelemetry } from '../infra/telemetry/prometheus.ts'
import { openViewStore } from '../infra/views/sqlite/view-store.ts'
import { systemClock } from './ports/clock.ts'
import { executor } from './processors/runtime/execute.ts'
import { streamStates } from './processors/runtime/stream-states.ts'
import type { Config } from './system/config.ts'
import { measure } from './system/measure.ts'
import type { System } from './system/system.ts'
import { workflows } from './system/workflows.ts'

export interface OpenOptions {
  /** How long a silent member of a consumer group keeps its partitions. */
  readonly sessionMillis?: number
}

/** The one place where the infra is picked and joined to the pure rooms. Rejects with `DatabaseError`. */
export const openSystem = async (config: Config, options: OpenOptions = {}): Promise<System> => {
  const log = pino({ name: 'fonds', level: config.logLevel }, pino.destination(2))
  const telemetry = prometheusTelemetry()
  const db = openDatabase(config.eventStore.replace(/^sqlite:/, ''), { durability: config.durability })
  const eventStore = openSqliteEventStore(db)
  // Before the broker, which keeps the process alive from then on: what cannot be opened must let it end.
  const viewStore = openViewStore(join(config.home, 'views.db'))
  const broker = openEmbeddedBroker(db, {
    ...options,
    onError: (error, place) => log.warn({ err: error, ...place }, 'a batch will be delivered again'),
  })
  const states = streamStates(eventStore)
  const system: System = {
    config,
    eventStore,
    broker,
    viewStore,
    clock: systemClock,
    telemetry,
    log,
    states,
    execute: executor(eventStore, states),
    workflows,
    openContent: openFileSystemStore,
    contentStoreModule: new URL('../infra/content/file-system/store.ts', import.meta.url),
    metrics: () => telemetry.metrics(() => measure(system)),
    close: async () => {
      await broker.close()
      viewStore.close()
      await eventStore.close()
    },
  }
  return system
}
