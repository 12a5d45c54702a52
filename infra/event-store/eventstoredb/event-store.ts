import { ANY } from '@eventstore/db-client'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Logger } from 'pino'
import type { EventStore } from '../../../src/ports/event-store.ts'
import type { Unavailable } from '../../../src/ports/unavailable.ts'
import { defaultRecentBytes, type RecentLimits, recentWithin } from '../recent-events.ts'
import { createAppends, defaultMaxAppendSize } from './append.ts'
import { connect } from './connection.ts'
import { createDeleteStream } from './delete-stream.ts'
import { appendFailure, readFailure, unavailable } from './failures.ts'
import { createMetastreams } from './metastream.ts'
import { createEventReader } from './read.ts'
import { createSubscribe } from './subscribe.ts'
import { openTail } from './tail.ts'

interface EventStoreDbOptions {
  readonly log?: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>
  /** Bytes of one append: data, metadata and type names. The server's own limit is 1 MiB by default. */
  readonly maxAppendSize?: number
  /** Milliseconds without an answer after which a call fails, where that is less than the address says or 10 s. */
  readonly deadlineMillis?: number
  /** How much of the log's end is kept in memory for subscribers. */
  readonly recent?: RecentLimits
}

/**
 * The event log of an EventStoreDB server or cluster, or of a gateway. Makes no call; throws where the address cannot
 * be used. Positions are the server's commit positions. Events that the old TCP protocol wrote in one
 * transaction share a position, and are left out.
 */
export const openEventStoreDb = (address: string, options: EventStoreDbOptions = {}): EventStore => {
  const { log, maxAppendSize = defaultMaxAppendSize, recent = recentWithin(defaultRecentBytes) } = options
  const connection = connect(address, options)
  const { name } = connection
  const reader = createEventReader(connection)
  const tail = openTail(connection, reader, { ...recent, log })
  const metadata = createMetastreams(connection)

  const ask = <A>(work: () => Promise<A>): TE.TaskEither<Unavailable, A> =>
    TE.tryCatch(work, (error) => unavailable(name, error))
  const askAll = <A>(work: () => Promise<A>): TE.TaskEither<Unavailable, A> =>
    TE.tryCatch(work, (error) => unavailable(name, error, 'all'))

  return {
    ...createAppends(connection, reader, maxAppendSize),
    deleteStream: createDeleteStream(connection, reader, metadata),
    read: (stream, from, direction, limit) =>
      TE.tryCatch(
        () => reader.read(stream, from, direction, limit),
        (error) => readFailure(name, stream, error),
      ),
    readAll: (after, filter, limit) => askAll(() => reader.readAll(after, filter, limit)),
    readStored: (after, filter, limit) => askAll(() => reader.readStored(after, filter, limit)),
    readWithBytes: (after, filter, limit) => askAll(() => reader.readWithBytes(after, filter, limit)),
    readBack: (before, limit) => askAll(() => reader.readBack(before, limit)),
    subscribe: createSubscribe(connection, reader, tail),
    head: () => askAll(reader.head),
    identity: () => ask(metadata.identity),
    writable: () => TE.right(undefined),
    damage: () => TE.right(undefined),
    keepLatest: (stream, count) => ask(() => metadata.keepLatest(stream, count)),
    metadata: (stream) => ask(() => metadata.read(stream)),
    setMetadata: (stream, json) =>
      TE.tryCatch(
        () => metadata.write(stream, json, ANY),
        (error) => appendFailure(name, stream, JSON.stringify(json).length, error),
      ),
    close: async () => {
      await tail.close()
      await connection.close()
    },
  }
}
