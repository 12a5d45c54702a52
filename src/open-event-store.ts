import type { Logger } from 'pino'
import { openSqliteEventStore } from '../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../infra/sqlite/database.ts'
import { embeddedFile } from './app/config/config.ts'
import type { Config } from './app/config/settings.ts'
import type { EventStore } from './ports/event-store.ts'

/** Of the time that a lease counts, what one call may take: others are tried before it has passed. */
const deadlinesInLease = 5

/** The log on a connection of its own, as threads that keep a lease open it. Throws `DatabaseError`, and where an address cannot be used. */
const openOwnEventStore = async (config: Config, log: Logger): Promise<EventStore> => {
  const file = config.eventStore.startsWith('sqlite:') ? embeddedFile(config) : undefined
  return file === undefined
    ? openEventStoreOn(config.eventStore, log, (config.dutySeconds * 1000) / deadlinesInLease)
    : openFile(file, config)
}

/** A log in a file of its own, which is made where it is not there. Rejects with `DatabaseError`. */
export const openFile = async (
  file: string,
  { durability }: Pick<Config, 'durability'>,
): Promise<EventStore> => openSqliteEventStore(openDatabase(file, { durability }))

export default openOwnEventStore

/** A log on a server. `deadlineMillis`: without an answer after which a call fails. */
export const openEventStoreOn = async (
  address: string,
  log: Logger,
  deadlineMillis?: number,
): Promise<EventStore> => {
  const { openEventStoreDb } = await import('../infra/event-store/eventstoredb/event-store.ts')
  return openEventStoreDb(address, { log, ...(deadlineMillis !== undefined && { deadlineMillis }) })
}
