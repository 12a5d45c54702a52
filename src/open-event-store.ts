import type { Logger } from 'pino'
import { openSqliteEventStore } from '../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../infra/sqlite/database.ts'
import { embeddedFile } from './app/config/config.ts'
import type { Config } from './app/config/settings.ts'
import type { EventStore } from './ports/event-store.ts'

/** Call deadlines in the duration of a lease: so many calls can be tried before it has passed. */
const deadlinesInLease = 5

/**
 * Opens the log on a connection of its own, for threads that extend a lease. Throws `DatabaseError`, and if an address
 * cannot be used.
 */
const openOwnEventStore = async (config: Config, log: Logger): Promise<EventStore> => {
  const file = config.eventStore.startsWith('sqlite:') ? embeddedFile(config) : undefined
  return file === undefined
    ? openEventStoreOn(config.eventStore, log, (config.dutySeconds * 1000) / deadlinesInLease)
    : openFile(file, config)
}

/** Opens a log in a file of its own, which is created if it is missing. Rejects with `DatabaseError`. */
export const openFile = async (
  file: string,
  { durability }: Pick<Config, 'durability'>,
): Promise<EventStore> => openSqliteEventStore(openDatabase(file, { durability }))

export default openOwnEventStore

/** Opens a log on a server. `deadlineMillis`: timeout of a call without a response. */
export const openEventStoreOn = async (
  address: string,
  log: Logger,
  deadlineMillis?: number,
): Promise<EventStore> => {
  const { openEventStoreDb } = await import('../infra/event-store/eventstoredb/event-store.ts')
  return openEventStoreDb(address, { log, ...(deadlineMillis !== undefined && { deadlineMillis }) })
}
