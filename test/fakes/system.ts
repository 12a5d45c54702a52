import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { pino } from 'pino'
import { openEmbeddedBroker } from '../../infra/broker/embedded/broker.ts'
import { openFileSystemStore } from '../../infra/content/file-system/store.ts'
import { openSqliteEventStore } from '../../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../../infra/sqlite/database.ts'
import { prometheusTelemetry } from '../../infra/telemetry/prometheus.ts'
import { openViewStore } from '../../infra/views/sqlite/view-store.ts'
import { systemClock } from '../../src/ports/clock.ts'
import { executor } from '../../src/processors/runtime/execute.ts'
import { streamStates } from '../../src/processors/runtime/stream-states.ts'
import { type Config, readConfig } from '../../src/system/config.ts'
import { measure } from '../../src/system/measure.ts'
import type { System } from '../../src/system/system.ts'
import { workflows } from '../../src/system/workflows.ts'

/** A whole embedded system in a temporary folder. `close` also removes the folder. */
export const openTestSystem = async (settings: Partial<Config> = {}): Promise<System> => {
  const home = await mkdtemp(join(tmpdir(), 'fonds-system-'))
  const read = readConfig({ home, durability: 'normal', logLevel: 'silent', ...settings }, {})
  if (isLeft(read)) throw new Error(read.left.join('; '))
  const config = read.right
  const telemetry = prometheusTelemetry()
  const db = openDatabase(config.eventStore.replace(/^sqlite:/, ''), { durability: config.durability })
  const eventStore = openSqliteEventStore(db)
  const broker = openEmbeddedBroker(db)
  const viewStore = openViewStore(join(home, 'views.db'))
  const states = streamStates(eventStore)
  const system: System = {
    config,
    eventStore,
    broker,
    viewStore,
    clock: systemClock,
    telemetry,
    log: pino({ level: config.logLevel }),
    states,
    execute: executor(eventStore, states),
    workflows,
    openContent: openFileSystemStore,
    contentStoreModule: new URL('../../infra/content/file-system/store.ts', import.meta.url),
    metrics: () => telemetry.metrics(() => measure(system)),
    close: async () => {
      await broker.close()
      viewStore.close()
      await eventStore.close()
      await rm(home, { recursive: true, force: true })
    },
  }
  return system
}
