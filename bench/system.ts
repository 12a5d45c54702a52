import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openEmbeddedBroker } from '../infra/broker/embedded/broker.ts'
import { openFileSystemStore } from '../infra/content/file-system/store.ts'
import { openSqliteEventStore } from '../infra/event-store/sqlite/event-store.ts'
import { type Database, openDatabase } from '../infra/sqlite/database.ts'
import { openViewStore } from '../infra/views/sqlite/view-store.ts'
import { systemClock } from '../src/ports/clock.ts'
import { noTelemetry } from '../src/ports/telemetry.ts'
import { executor } from '../src/processors/runtime/execute.ts'
import { streamStates } from '../src/processors/runtime/stream-states.ts'
import { readConfig } from '../src/system/config.ts'
import type { System } from '../src/system/system.ts'
import { workflows } from '../src/system/workflows.ts'

/** A whole embedded Fonds in a folder of its own, and the way to remove it. */
export const benchSystem = (): {
  readonly system: System
  readonly db: Database
  readonly home: string
  readonly dispose: () => Promise<void>
} => {
  const home = mkdtempSync(join(tmpdir(), 'fonds-bench-'))
  const config = readConfig({ home }, {})
  if (config._tag === 'Left') throw new Error(config.left.join('\n'))
  const db = openDatabase(join(home, 'fonds.db'))
  const eventStore = openSqliteEventStore(db)
  const broker = openEmbeddedBroker(db)
  const viewStore = openViewStore(join(home, 'views.db'))
  const states = streamStates(eventStore)
  const system: System = {
    config: config.right,
    eventStore,
    broker,
    viewStore,
    clock: systemClock,
    telemetry: noTelemetry,
    log: pino({ level: 'warn' }, pino.destination(2)),
    states,
    execute: executor(eventStore, states),
    workflows,
    openContent: openFileSystemStore,
    contentStoreModule: new URL('../infra/content/file-system/store.ts', import.meta.url),
    metrics: async () => '',
    close: async () => {
      await broker.close()
      viewStore.close()
      await eventStore.close()
    },
  }
  return {
    system,
    db,
    home,
    dispose: async () => {
      await system.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
