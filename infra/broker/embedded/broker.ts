import type { Either } from 'fp-ts/lib/Either.js'
import * as either from 'fp-ts/lib/Either.js'
import type { Broker, BrokerFailure, Consumption } from '../../../src/ports/broker.ts'
import { type Clock, systemClock } from '../../../src/ports/clock.ts'
import { type Database, ensureSchema } from '../../sqlite/database.ts'
import { unavailable, WriterAway } from '../../sqlite/group-commit.ts'
import { query } from '../../sqlite/query.ts'
import { checkSettings } from '../check-settings.ts'
import { watchChanges } from './changes.ts'
import { type ConsumerErrorPlace, joinGroup } from './consumer.ts'
import { groupTables } from './group.ts'
import { groupLister } from './groups.ts'
import { producer } from './produce.ts'
import { recordReader } from './read.ts'
import { retention } from './retention.ts'
import { ddl, schemaVersion } from './schema.ts'
import { type Topic, topicTables } from './topics.ts'

export interface EmbeddedBrokerOptions {
  readonly clock?: Clock
  /** Most bytes of key, headers and value of one record. */
  readonly maxMessageBytes?: number
  /** How long a silent member keeps its partitions. */
  readonly sessionMillis?: number
  /** How often records that are past their time are looked for. */
  readonly sweepMillis?: number
  /** Told of what a handler threw and of what the file refused; the work is tried again by itself. */
  readonly onError?: (error: unknown, place?: ConsumerErrorPlace) => void
}

export interface EmbeddedBroker extends Broker {
  /** Drops what retention allows, now; resolves with how many records that were. It also happens by itself. */
  sweep(): Promise<number>
}

/** Topics and consumer groups in a SQLite file, for any number of processes. The file is closed by whoever opened it. */
export const openEmbeddedBroker = (db: Database, options: EmbeddedBrokerOptions = {}): EmbeddedBroker => {
  const {
    clock = systemClock,
    maxMessageBytes = 1024 * 1024,
    sessionMillis = 10_000,
    sweepMillis = 60_000,
    onError = warn,
  } = options
  ensureSchema(db.writer, 'broker', schemaVersion, ddl)
  const [id] = query<[string]>(db.reader, 'SELECT id FROM broker_identity').get()!
  const now = (): number => Date.parse(clock.now())
  const topics = topicTables(db)
  const { prepare, write } = producer(db, topics, now, maxMessageBytes)
  const read = recordReader(db)
  const listGroups = groupLister(db)
  const dropOld = retention(db)
  const consumers = {
    db,
    groups: groupTables(db),
    changes: watchChanges(db),
    read,
    clock,
    sessionMillis,
    onError,
  }

  const closing = new AbortController()
  const consumptions = new Set<Consumption>()
  const sweep = (): Promise<number> => dropOld(now())
  const sweeping = (async () => {
    for (;;) {
      await clock.sleep(sweepMillis, closing.signal)
      if (closing.signal.aborted) return
      await sweep().catch((error: unknown) => onError(error))
    }
  })()

  const tryWrite = async <A>(work: () => A): Promise<Either<BrokerFailure, A>> => {
    try {
      return either.right(await db.commit.submit(work))
    } catch (error) {
      if (error instanceof WriterAway) return either.left(unavailable(error))
      throw error
    }
  }

  const topicNamed = (name: string): Topic => {
    const topic = topics.find(name)
    if (topic) return topic
    throw new Error(`topic ${name} does not exist: make it with ensureTopics before consuming it`)
  }

  return {
    id,
    ensureTopics: (settings) => async () => {
      settings.forEach(checkSettings)
      return tryWrite(() => topics.ensure(settings))
    },

    produce: (records) => async () => {
      const ready = either.flatten(tryRead(() => prepare(records)))
      if (either.isLeft(ready) || records.length === 0) return either.map(() => [])(ready)
      return tryWrite(() => write(ready.right))
    },

    consume: async ({ group, topics: names, batchSize = 500 }, handler) => {
      if (closing.signal.aborted) throw new Error('the broker is closed: open it again to consume')
      if (!Number.isSafeInteger(batchSize) || batchSize < 1)
        throw new RangeError(`group ${group}: batchSize is ${batchSize}; give a whole number from 1`)
      const subscription = { group, topics: names.map(topicNamed), batchSize }
      const consumption = await joinGroup(consumers, subscription, handler)
      const tracked: Consumption = {
        member: consumption.member,
        stop: async () => {
          await consumption.stop()
          consumptions.delete(tracked)
        },
      }
      consumptions.add(tracked)
      return tracked
    },

    topics: () => async () => tryRead(() => topics.list()),
    groups: () => async () => tryRead(() => listGroups(now())),

    peek: (name, partition, from, limit) => async () =>
      either.flatten(
        tryRead(() => {
          const topic = topics.find(name)
          if (!topic) return either.left<BrokerFailure>({ kind: 'UnknownTopic', topic: name })
          const exists = topic.partitionIds[partition] !== undefined
          return either.right(exists ? read(topic, partition, Number(from), limit) : [])
        }),
      ),

    sweep,

    close: async () => {
      closing.abort()
      await Promise.all([...Array.from(consumptions, (one) => one.stop()), sweeping])
    },
  }
}

/** The file's faults as values; what is left is a bug and is thrown. A closed file is ERR_INVALID_STATE. */
const tryRead = <A>(work: () => A): Either<BrokerFailure, A> => {
  try {
    return either.right(work())
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_SQLITE_ERROR' || code === 'ERR_INVALID_STATE') return either.left(unavailable(error))
    throw error
  }
}

const warn = (error: unknown): void => {
  process.emitWarning(error instanceof Error ? error : String(error))
}
