import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { systemClock } from '../../../src/async/system-clock.ts'
import type { Broker, BrokerFailure, Consumption } from '../../../src/ports/broker.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Database } from '../../sqlite/database.ts'
import { query } from '../../sqlite/query.ts'
import { ensureSchema } from '../../sqlite/schema.ts'
import { unavailable, WriterAway } from '../../sqlite/write-failures.ts'
import { checkBatchSize, checkSettings } from '../check-settings.ts'
import { createChanges } from './changes.ts'
import { joinGroup } from './consumer.ts'
import { createGroupTables } from './group.ts'
import { createGroupLister } from './groups.ts'
import type { ConsumerErrorPlace } from './partition-loops.ts'
import { createProducer } from './produce.ts'
import { createRecordReader } from './read.ts'
import { createRetention } from './retention.ts'
import { ddl, schemaVersion } from './schema.ts'
import { createTopicTables, type Topic } from './topics.ts'

export interface EmbeddedBrokerOptions {
  readonly clock?: Clock
  /** Of key, headers and value of one record. */
  readonly maxMessageBytes?: number
  /** How long a silent member keeps its partitions. */
  readonly sessionMillis?: number
  /** How often retention is applied. */
  readonly sweepMillis?: number
  /** Told of what a handler threw and of writes that failed; both are tried again by themselves. */
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
  const topics = createTopicTables(db)
  const { prepare, write } = createProducer(db, topics, now, maxMessageBytes)
  const read = createRecordReader(db)
  const listGroups = createGroupLister(db)
  const dropOld = createRetention(db)
  const consumers = {
    db,
    groups: createGroupTables(db),
    changes: createChanges(db),
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

  const tryWrite =
    <A>(work: () => A): TE.TaskEither<BrokerFailure, A> =>
    async () => {
      try {
        return E.right(await db.commit.submit(work))
      } catch (error) {
        if (error instanceof WriterAway) return E.left(unavailable(error))
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
    ensureTopics: (settings) =>
      pipe(
        TE.fromIO(() => settings.forEach(checkSettings)),
        TE.chain(() => tryWrite(() => topics.ensure(settings))),
      ),

    produce: (records) => async () => {
      // Prepared before anything is waited for: the producer may use its buffers again once the call was made.
      const ready = await tryRead(() => prepare(records))()
      return pipe(
        TE.fromEither(E.flatten(ready)),
        TE.chain((some) => (some.length === 0 ? TE.right([]) : tryWrite(() => write(some)))),
      )()
    },

    consume: async ({ topics: names, batchSize = 500, ...named }, handler) => {
      if (closing.signal.aborted) throw new Error('the broker is closed: open it again to consume')
      checkBatchSize(named.group, batchSize)
      const subscription = { ...named, topics: names.map(topicNamed), batchSize }
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

    topics: () => tryRead(() => topics.list()),
    groups: () => tryRead(() => listGroups(now())),

    peek: (name, partition, from, limit) =>
      pipe(
        tryRead(() => topics.find(name)),
        TE.chain(TE.fromNullable<BrokerFailure>({ kind: 'UnknownTopic', topic: name })),
        TE.chain((topic) =>
          topic.partitionIds[partition] === undefined
            ? TE.right([])
            : tryRead(() => read(topic, partition, Number(from), limit)),
        ),
      ),

    sweep,

    close: async () => {
      closing.abort()
      await Promise.all([...Array.from(consumptions, (one) => one.stop()), sweeping])
    },
  }
}

/** What SQLite throws is a failure, all else a bug. A closed file is ERR_INVALID_STATE. */
const tryRead =
  <A>(work: () => A): TE.TaskEither<BrokerFailure, A> =>
  async () => {
    try {
      return E.right(work())
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ERR_SQLITE_ERROR' || code === 'ERR_INVALID_STATE') return E.left(unavailable(error))
      throw error
    }
  }

const warn = (error: unknown): void => {
  process.emitWarning(error instanceof Error ? error : String(error))
}
