import { ANY } from '@eventstore/db-client'
import * as either from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Logger } from 'pino'
import type { EventStore, Unavailable } from '../../../src/ports/event-store.ts'
import { defaultRecent, type RecentLimits } from '../recent-events.ts'
import { appender, defaultMaxAppendSize } from './append.ts'
import { connect } from './connection.ts'
import { appendFailure, readFailure, unavailable } from './failures.ts'
import { metastreams } from './metastream.ts'
import { eventReader } from './read.ts'
import { subscriber } from './subscribe.ts'
import { openTail } from './tail.ts'

export interface EventStoreDbOptions {
  readonly log?: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>
  /** Bytes of one append: data, metadata and type names. The server's own limit is 1 MiB unless it is told otherwise. */
  readonly maxAppendSize?: number
  /** How much of the log's end is kept in memory for subscribers. */
  readonly recent?: RecentLimits
}

/**
 * The event log of an EventStoreDB server or cluster, or of a gateway. Makes no call; throws where the address cannot
 * be used. Positions are the server's commit positions. Events written there by transactions of the old TCP protocol
 * share one position, and are no events of ours.
 */
export const openEventStoreDb = (address: string, options: EventStoreDbOptions = {}): EventStore => {
  const { log, maxAppendSize = defaultMaxAppendSize, recent = defaultRecent } = options
  const connection = connect(address)
  const { name } = connection
  const reader = eventReader(connection)
  const tail = openTail(connection, reader, { ...recent, log })
  const metadata = metastreams(connection)

  const asking =
    <A>(work: () => Promise<A>): TaskEither<Unavailable, A> =>
    async () => {
      try {
        return either.right(await work())
      } catch (error) {
        return either.left(unavailable(name, error))
      }
    }

  return {
    ...appender(connection, reader, maxAppendSize),
    read: (stream, from, direction, limit) => async () => {
      try {
        return either.right(await reader.read(stream, from, direction, limit))
      } catch (error) {
        return either.left(readFailure(name, stream, error))
      }
    },
    readAll: (after, filter, limit) => asking(() => reader.readAll(after, filter, limit)),
    readBack: (before, limit) => asking(() => reader.readBack(before, limit)),
    subscribe: subscriber(connection, reader, tail),
    head: () => asking(reader.head),
    identity: () => asking(metadata.identity),
    writable: () => async () => either.right(undefined),
    damage: () => async () => either.right(undefined),
    keepLatest: (stream, count) => asking(() => metadata.keepLatest(stream, count)),
    metadata: (stream) => asking(() => metadata.read(stream)),
    setMetadata: (stream, said) => async () => {
      try {
        return either.right(await metadata.write(stream, said, ANY))
      } catch (error) {
        return either.left(appendFailure(name, stream, JSON.stringify(said).length, error))
      }
    },
    close: async () => {
      await tail.close()
      await connection.close()
    },
  }
}
