import type { Logger } from 'pino'
import { recentWithin } from '../infra/event-store/recent-events.ts'
import { openSqliteEventStore } from '../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../infra/sqlite/database.ts'
import { cachesOf } from './app/config/caches.ts'
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
    ? openEventStoreOn(config.eventStore, log, {
        deadlineMillis: (config.dutySeconds * 1000) / deadlinesInLease,
        recentBytes: cachesOf(config).lease,
      })
    : openOfLease(file, config)
}

/** How a process opens the file of its log: with its share of the caches. */
export const logOptions = ({ durability, cacheBytes }: Pick<Config, 'durability' | 'cacheBytes'>) => {
  const { logPages, logReaderPages } = cachesOf({ cacheBytes })
  return { durability, writerPageBytes: logPages, readerPageBytes: logReaderPages }
}

const openOfLease = (file: string, { durability, cacheBytes }: Config): EventStore => {
  const bytes = cachesOf({ cacheBytes }).lease / 4
  const db = openDatabase(file, { durability, writerPageBytes: bytes, readerPageBytes: bytes })
  return openSqliteEventStore(db, { recent: recentWithin(bytes) })
}

/** Opens a log in a file of its own, which is created if it is missing. Rejects with `DatabaseError`. */
export const openFile = async (
  file: string,
  config: Pick<Config, 'durability' | 'cacheBytes'>,
): Promise<EventStore> =>
  openSqliteEventStore(openDatabase(file, logOptions(config)), {
    recent: recentWithin(cachesOf(config).events),
  })

export default openOwnEventStore

interface ServerOptions {
  /** Timeout of a call without a response. */
  readonly deadlineMillis?: number
  /** Bytes of the newest events that are kept in memory. */
  readonly recentBytes?: number
}

/** Opens a log on a server. */
export const openEventStoreOn = async (
  address: string,
  log: Logger,
  { deadlineMillis, recentBytes }: ServerOptions = {},
): Promise<EventStore> => {
  const { openEventStoreDb } = await import('../infra/event-store/eventstoredb/event-store.ts')
  return openEventStoreDb(address, {
    log,
    ...(deadlineMillis !== undefined && { deadlineMillis }),
    ...(recentBytes !== undefined && { recent: recentWithin(recentBytes) }),
  })
}
