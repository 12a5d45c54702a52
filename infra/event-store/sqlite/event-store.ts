import type { Either } from 'fp-ts/lib/Either.js'
import * as either from 'fp-ts/lib/Either.js'
import * as taskEither from 'fp-ts/lib/TaskEither.js'
import {
  type EventBatch,
  type EventFilter,
  type EventStore,
  EventStoreAway,
  type Unavailable,
} from '../../../src/ports/event-store.ts'
import { type Database, ensureSchema } from '../../sqlite/database.ts'
import { unavailable, WriterAway } from '../../sqlite/group-commit.ts'
import { passes } from '../passes.ts'
import { defaultRecent, type RecentLimits } from '../recent-events.ts'
import { appender, isKnownId, metadataEvent } from './append.ts'
import { damaged, isDamage, lookForDamage } from './damage.ts'
import { encode, sizeOf } from './encoding.ts'
import { DamagedEvents, eventReader } from './read.ts'
import { ddl, schemaVersion, upgrades } from './schema.ts'
import { metastreamOf } from './stream-metadata.ts'
import { openTail } from './tail.ts'

export interface SqliteEventStoreOptions {
  /** Most characters of data and metadata in one append. */
  readonly maxAppendSize?: number
  /** Held in memory for those who follow the log. */
  readonly recent?: RecentLimits
  /** Epoch milliseconds. */
  readonly clock?: () => number
}

const batchSize = 1000

/** The event log in a SQLite file. Appends are committed in groups; readers, here and in other processes, never wait. */
export const openSqliteEventStore = (db: Database, options: SqliteEventStoreOptions = {}): EventStore => {
  const { maxAppendSize = 8 * 1024 * 1024, recent = defaultRecent, clock = Date.now } = options
  ensureSchema(db.writer, 'event-store', schemaVersion, ddl, upgrades)
  const writer = appender(db.writer, clock)
  const reader = eventReader(db.reader)
  const tail = openTail(reader, recent)

  /** The writer's faults as values; what is left is a bug and is thrown. */
  const write =
    <A, F>(work: () => Either<F, A>) =>
    async (): Promise<Either<F | Unavailable, A>> => {
      try {
        return await db.commit.submit(work)
      } catch (error) {
        if (error instanceof WriterAway) return either.left(unavailable(error))
        throw error
      }
    }

  const tryRead =
    <A>(work: () => A) =>
    async (): Promise<Either<Unavailable, A>> => {
      try {
        return either.right(work())
      } catch (error) {
        return either.left({ kind: 'Unavailable', reason: reasonOf(error) })
      }
    }

  const reasonOf = (error: unknown): string => {
    const { message } = error as Error
    return isDamage(error) || error instanceof DamagedEvents ? damaged(db.file, message) : message
  }

  const next = (after: bigint, filter: EventFilter, wanted: ReturnType<typeof passes>): EventBatch => {
    try {
      return tail.next(after, batchSize, wanted) ?? reader.readAll(after, filter, batchSize)
    } catch (error) {
      throw new EventStoreAway(reasonOf(error), { cause: error })
    }
  }

  return {
    append: (stream, expected, events) => {
      const encoded = events.map(encode)
      const bytes = sizeOf(encoded)
      if (bytes > maxAppendSize) return taskEither.left({ kind: 'TooLarge', bytes, limit: maxAppendSize })
      return async () => {
        try {
          return await write(() => writer.append(stream, expected, encoded))()
        } catch (error) {
          if (!isKnownId(error)) throw error
          return write(() => writer.settleRepeat(stream, encoded))()
        }
      }
    },

    read: (stream, from, direction, limit) => async () =>
      either.flatten(await tryRead(() => reader.read(stream, from, direction, limit))()),

    readAll: (after, filter, limit) => tryRead(() => reader.readAll(after, filter, limit)),
    readBack: (before, limit) => tryRead(() => reader.readBack(before, limit)),

    async *subscribe(after, filter, signal) {
      const wanted = passes(filter)
      let position = after
      let first = true
      let changed = true
      let wake = () => {}
      const stopListening = db.onChange(() => {
        changed = true
        wake()
      })
      const onAbort = () => wake()
      signal.addEventListener('abort', onAbort)
      try {
        while (!signal.aborted) {
          changed = false
          const batch = next(position, filter, wanted)
          if (first || batch.position > position) {
            first = false
            position = batch.position
            yield batch
          }
          if (batch.caughtUp && !changed && !signal.aborted)
            await new Promise<void>((resolve) => {
              wake = resolve
            })
        }
      } finally {
        stopListening()
        signal.removeEventListener('abort', onAbort)
      }
    },

    head: () => async () => {
      // Who asks for the head wants to know whether the log can be used.
      const lost = db.lost()
      return lost === undefined
        ? tryRead(() => reader.head())()
        : either.left({ kind: 'Unavailable', reason: lost })
    },
    identity: () => tryRead(() => reader.identity()),
    damage: (upTo) => async () => {
      try {
        return either.right(await lookForDamage(db.file, upTo))
      } catch (error) {
        return either.left(unavailable(error))
      }
    },
    writable: () => async () => {
      const reason = await db.trouble()
      return reason === undefined ? either.right(undefined) : either.left({ kind: 'Unavailable', reason })
    },
    deleteStream: (stream, expected, mode) => write(() => writer.deleteStream(stream, expected, mode)),
    keepLatest: (stream, count) => write(() => writer.keepLatest(stream, count)),
    metadata: (stream) => tryRead(() => reader.metadata(stream)),
    setMetadata: (stream, metadata) => {
      const event = metadataEvent(JSON.stringify(metadata))
      return write(() => either.map(() => undefined)(writer.append(metastreamOf(stream), 'any', [event])))
    },
    close: () => db.close(),
  }
}
