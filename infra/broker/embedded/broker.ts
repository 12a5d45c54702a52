import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { systemClock } from '../../../src/async/system-clock.ts'
import type { Broker } from '../../../src/ports/broker.ts'
import type { BrokerFailure } from '../../../src/ports/broker-failure.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { ProcessLock } from '../../../src/ports/process-lock.ts'
import type { Database } from '../../sqlite/database.ts'
import { query } from '../../sqlite/query.ts'
import { ensureSchema } from '../../sqlite/schema.ts'
import { checkSettings } from '../check-settings.ts'
import { createChanges } from './changes.ts'
import { openConsumers } from './consumers.ts'
import { tryRead, tryWrite } from './failures.ts'
import { createGroupTables } from './group.ts'
import { createGroupLister } from './groups.ts'
import { createMemberLocks } from './member-locks.ts'
import type { ConsumerErrorPlace } from './partition-loops.ts'
import { createProduce } from './produce.ts'
import { createRecordReader } from './read.ts'
import { createRetention } from './retention.ts'
import { ddl, schemaVersion } from './schema.ts'
import { createTopicTables } from './topics.ts'

interface EmbeddedBrokerOptions {
  readonly clock?: Clock
  /** Limit for key, headers and value of one record. */
  readonly maxMessageBytes?: number
  /** Time after which a silent member loses its partitions. */
  readonly sessionMillis?: number
  /** Interval at which retention is applied. */
  readonly sweepMillis?: number
  /** True if records that are dropped may hold what is to be erased: they are overwritten with zeros. */
  readonly mustOverwrite?: () => boolean
  /** Detects members whose process has ended; without it they are missed after a session. */
  readonly processLock?: Pick<ProcessLock, 'mark' | 'hasEnded'> | undefined
  /** Called with errors of handlers and with failed writes. Both are tried again. */
  readonly onError?: (error: unknown, place?: ConsumerErrorPlace) => void
}

interface EmbeddedBroker extends Broker {
  /**
   * Drops at once what retention allows, and resolves with the number of records dropped. It also runs every
   * `sweepMillis`.
   */
  sweep(): Promise<number>
}

/** Topics and consumer groups in a SQLite file, for any number of processes. The opener closes the file. */
export const openEmbeddedBroker = (db: Database, options: EmbeddedBrokerOptions = {}): EmbeddedBroker => {
  const {
    clock = systemClock,
    maxMessageBytes = 1024 * 1024,
    sessionMillis = 10_000,
    sweepMillis = 60_000,
    onError = warn,
    processLock,
    mustOverwrite = () => false,
  } = options
  ensureSchema(db.writer, 'broker', schemaVersion, ddl)
  const [id] = query<[string]>(db.reader, 'SELECT id FROM broker_identity').get()!
  const now = (): number => Date.parse(clock.now())
  const topics = createTopicTables(db)
  const read = createRecordReader(db)
  const locks = createMemberLocks(db, processLock)
  const listGroups = createGroupLister(db, locks.hasEnded)
  const dropOld = createRetention(db, mustOverwrite)
  const sweep = (): Promise<number> => dropOld(now())
  const stopSweeping = startSweeper({ sweep, everyMillis: sweepMillis, clock, onError })
  const changes = createChanges(db)
  const groups = createGroupTables(db)
  const consumers = openConsumers({ db, groups, changes, read, clock, sessionMillis, locks, onError }, topics)

  return {
    id,
    ensureTopics: (settings) =>
      pipe(
        TE.fromIO(() => settings.forEach(checkSettings)),
        TE.chain(() => tryWrite(db, () => topics.ensure(settings))),
      ),
    produce: createProduce(db, topics, now, maxMessageBytes),
    consume: consumers.consume,
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
    overwrite: (change) => async () =>
      (await import('./overwrite.ts')).createOverwrite(db, topics, read)(change)(),
    sweep,
    close: async () => {
      await Promise.all([consumers.close(), stopSweeping()])
    },
  }
}

const warn = (error: unknown): void => {
  process.emitWarning(error instanceof Error ? error : String(error))
}

interface SweeperOptions {
  readonly sweep: () => Promise<unknown>
  readonly everyMillis: number
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** Sweeps again and again. Returns the way to stop it, which resolves after the sweep under way. */
const startSweeper = ({ sweep, everyMillis, clock, onError }: SweeperOptions) => {
  const stopping = new AbortController()
  const run = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(everyMillis, stopping.signal)
      if (stopping.signal.aborted) return
      await sweep().catch(onError)
    }
  }
  const running = run()
  return async (): Promise<void> => {
    stopping.abort()
    await running
  }
}
