import * as E from 'fp-ts/lib/Either.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import type { NewEvent } from '../../../src/domain/kernel/event.ts'
import type {
  Appended,
  AppendFailure,
  EventBatch,
  EventFilter,
  EventStore,
  StreamAppend,
} from '../../../src/ports/event-store.ts'
import type { Database } from '../../sqlite/database.ts'
import { ensureSchema } from '../../sqlite/schema.ts'
import { unavailable } from '../../sqlite/write-failures.ts'
import { createFilter } from '../filter.ts'
import { invalidReason } from '../invalid-append.ts'
import { defaultRecentBytes, type RecentLimits, recentWithin } from '../recent-events.ts'
import { createAppender } from './append.ts'
import { findDamage } from './damage.ts'
import { type EncodedEvent, encode, encodeStored, sizeOf } from './encoding.ts'
import { readReason, tryRead, tryWrite, unless } from './failures.ts'
import { pacedChanges } from './paced-changes.ts'
import { createEventReader } from './read.ts'
import { createScavenger, overwriteMoved } from './scavenge.ts'
import { ddl, schemaVersion, upgrades } from './schema.ts'
import { createMetadataEvent, metastreamOf } from './stream-metadata.ts'
import { type EncodedAppend, submitAppend, submitAppends, type Written } from './submit-append.ts'
import { subscribe } from './subscribe.ts'
import { createTail } from './tail.ts'
import { writtenEvents } from './written-events.ts'

interface SqliteEventStoreOptions {
  /** Most characters of data and metadata in one append. */
  readonly maxAppendSize?: number
  /** How much of the log's end is kept in memory for subscribers. */
  readonly recent?: RecentLimits
  /** Epoch milliseconds. */
  readonly clock?: () => number
}

const batchSize = 1000
/** Between two readings of the log's end by those who follow it. */
const restMillis = 20

/** The event log in a SQLite file. Appends are committed in groups; readers, here and in other processes, never wait. */
export const openSqliteEventStore = (db: Database, options: SqliteEventStoreOptions = {}): EventStore => {
  const {
    maxAppendSize = 8 * 1024 * 1024,
    recent = recentWithin(defaultRecentBytes),
    clock = Date.now,
  } = options
  ensureSchema(db.writer, 'event-store', schemaVersion, ddl, upgrades)
  db.writer.exec(overwriteMoved)
  const appender = createAppender(db.writer, clock)
  // The writer's own connection keeps in memory what it has written: any other forgets its pages at each commit.
  const reader = createEventReader(db.writer)
  const scavenge = createScavenger(db.writer, db.commit)
  const tail = createTail(reader, recent)
  const changes = pacedChanges(db, restMillis)

  const ask = <A>(work: () => A) => tryRead(db.file, work)

  const next = (after: bigint, filter: EventFilter, wanted: ReturnType<typeof createFilter>): EventBatch => {
    try {
      return tail.next(after, batchSize, wanted) ?? reader.readAll(after, filter, batchSize)
    } catch (error) {
      throw new UnavailableError(readReason(db.file, error), { cause: error })
    }
  }

  const encodedBy = <A extends Pick<NewEvent, 'id' | 'type'>>(
    { stream, expected, events }: Omit<StreamAppend, 'events'> & { readonly events: readonly A[] },
    encodeOne: (event: A) => EncodedEvent,
  ): E.Either<AppendFailure, EncodedAppend> => {
    const reason = invalidReason(stream, events)
    if (reason !== undefined) return E.left({ kind: 'Refused', stream, reason })
    const rows = events.map(encodeOne)
    const bytes = sizeOf(rows)
    if (bytes > maxAppendSize) return E.left({ kind: 'TooLarge', bytes, limit: maxAppendSize })
    return E.right({ stream, expected, events: rows })
  }
  const encoded = (one: StreamAppend) => encodedBy(one, encode)

  const appendOne = (fit: E.Either<AppendFailure, EncodedAppend>): TE.TaskEither<AppendFailure, Appended> => {
    if (E.isLeft(fit)) return TE.left(fit.left)
    const { stream, expected, events } = fit.right
    const append = () => appender.append(stream, expected, events)
    return tryWrite(() => submitAppend(db.commit, appender, stream, events, append))
  }

  return {
    append: (stream, expected, events) => appendOne(encoded({ stream, expected, events })),
    appendStored: (stream, expected, events) =>
      appendOne(encodedBy({ stream, expected, events }, encodeStored)),
    appendEach: (appends) => {
      const fit = appends.map(encoded)
      const extendTail = (written: Written) =>
        tail.extend(BigInt(written.end.position), () => writtenEvents(appends, written))
      return tryWrite(() => submitAppends(db.commit, appender, fit, extendTail).then(E.right))
    },

    read: (stream, from, direction, limit) =>
      pipe(
        ask(() => reader.read(stream, from, direction, limit)),
        TE.chainEitherKW(identity),
      ),
    readEach: (places, limit) =>
      ask(() => places.map(({ stream, from }) => reader.read(stream, from, 'forward', limit))),
    readAll: (after, filter, limit) => ask(() => reader.readAll(after, filter, limit)),
    readStored: (after, filter, limit) => ask(() => reader.readStored(after, filter, limit)),
    readWithBytes: (after, filter, limit) => ask(() => reader.readWithBytes(after, filter, limit)),
    readBack: (before, limit) => ask(() => reader.readBack(before, limit)),

    subscribe: (after, filter, signal) => {
      const wanted = createFilter(filter)
      return subscribe(changes, after, (position) => next(position, filter, wanted), signal)
    },

    // The head is asked to find out whether the log can be used, so the file must still be there.
    head: () =>
      pipe(
        unless(async () => db.lost()),
        TE.chain(() => ask(() => reader.head())),
      ),
    identity: () => ask(() => reader.identity()),
    damage: (upTo) => TE.tryCatch(() => findDamage(db.file, upTo), unavailable),
    writable: () => unless(() => db.trouble()),
    deleteStream: (stream, expected, mode) =>
      tryWrite(() => db.commit.submit(() => appender.deleteStream(stream, expected, mode))),
    keepLatest: (stream, count) => tryWrite(() => db.commit.submit(() => appender.keepLatest(stream, count))),
    scavenge: (parts) => tryWrite(() => scavenge(parts).then(E.right)),
    metadata: (stream) => ask(() => reader.metadata(stream)),
    setMetadata: (stream, metadata) => {
      const event = createMetadataEvent(JSON.stringify(metadata))
      return pipe(
        tryWrite(() => db.commit.submit(() => appender.append(metastreamOf(stream), 'any', [event]))),
        TE.asUnit,
      )
    },
    close: () => db.close(),
  }
}
