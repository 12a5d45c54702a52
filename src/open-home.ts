import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { Logger } from 'pino'
import type { openEmbeddedBroker } from '../infra/broker/embedded/broker.ts'
import { openWhenUsed as openBrokerWhenUsed } from '../infra/broker/embedded/open-when-used.ts'
import { openWhenUsed } from '../infra/capture-index/open-when-used.ts'
import { recentWithin } from '../infra/event-store/recent-events.ts'
import { openSqliteEventStore } from '../infra/event-store/sqlite/event-store.ts'
import { openPeople } from '../infra/people/personal-db.ts'
import { createSnapshotStore } from '../infra/snapshots/file-system.ts'
import { type Database, openDatabase } from '../infra/sqlite/database.ts'
import { createFolder } from '../infra/sqlite/files.ts'
import { openProcessLock } from '../infra/sqlite/process-lock.ts'
import { noTelemetry } from '../infra/telemetry/none.ts'
import { openMendingViews } from '../infra/views/sqlite/replace-damaged.ts'
import { cachesOf } from './app/config/caches.ts'
import { embeddedFile, type GivenSettings, viewsOf } from './app/config/config.ts'
import { givenIn } from './app/config/log-settings.ts'
import { certificates, identity } from './app/config/pem-files.ts'
import type { Config } from './app/config/settings.ts'
import { type LiveSettings, liveSettings } from './app/live-settings.ts'
import { logOf, logWhenUsed } from './app/open-log.ts'
import type { Home } from './app/system.ts'
import { systemClock } from './async/system-clock.ts'
import { tryUnavailable, UnavailableError } from './async/unavailable.ts'
import { withTimeout } from './async/with-timeout.ts'
import { logOptions, openEventStoreOn } from './open-event-store.ts'
import type { Broker } from './ports/broker.ts'
import type { CaptureIndex } from './ports/capture-index.ts'
import type { EventStore } from './ports/event-store.ts'
import type { OwnLog } from './ports/group-binding.ts'
import type { PersonalValues } from './ports/personal-values.ts'
import type { ProcessLock } from './ports/process-lock.ts'
import { loadModels } from './workflows/models.ts'
import { foldedIn } from './workflows/workflow-model.ts'

/**
 * Timeout for the settings. A log on a server that does not respond is read again when the parts of the process begin.
 */
const settingsMillis = 2000

export interface BrokerOptions {
  /** Time after which a silent member of a consumer group loses its partitions. */
  readonly sessionMillis?: number
  /** Detects members whose processes have ended. */
  readonly processLock?: ProcessLock
  /**
   * Settings given by flags, environment and config file: they override the log. Absent: those that are not the
   * default.
   */
  readonly given?: GivenSettings
}

interface StoresOptions extends BrokerOptions {
  readonly log?: Logger
  /** Opens topics that are in the file of the log. Absent: at once. */
  readonly openTopics?: OpenTopics
}

type OpenTopics = (...of: Parameters<typeof openEmbeddedBroker>) => Broker | Promise<Broker>

interface Stores
  extends Pick<
    Home,
    | 'config'
    | 'settings'
    | 'eventStore'
    | 'broker'
    | 'viewStore'
    | 'snapshots'
    | 'people'
    | 'personal'
    | 'adapters'
    | 'log'
    | 'close'
  > {
  /** The file of the log or the topics, if one of them is embedded. */
  readonly db: Database | undefined
}

/**
 * Opens a home for reading. `names`: workflows whose models are loaded; absent: all. Rejects with `DatabaseError` or
 * `InvalidSetting`.
 */
export const openHome = async (
  config: Config,
  given?: GivenSettings,
  names?: readonly string[],
): Promise<Home> => {
  const workflows = await loadModels(names)
  const { db: _, ...stores } = await openStores(config, {
    processLock: openProcessLock(locksOf(config)),
    log: logWhenUsed(config),
    openTopics: openBrokerWhenUsed,
    ...(given && { given }),
  })
  const folded = foldedIn(workflows, () => stores.config)
  return { ...stores, telemetry: noTelemetry, clock: systemClock, workflows: folded }
}

/**
 * Opens the log, the topics and the views. The clients of Kafka and EventStoreDB are loaded only if they are used: most
 * commands need neither. Rejects with `DatabaseError` or `InvalidSetting`.
 */
export const openStores = async (
  started: Config,
  {
    given = givenIn(started),
    log = logOf(started),
    openTopics = openTopicsNow,
    ...options
  }: StoresOptions = {},
): Promise<Stores> => {
  const file = embeddedFile(started)
  const caches = cachesOf(started)
  const db = file === undefined ? undefined : openDatabase(file, logOptions(started))
  const opened =
    db && started.eventStore.startsWith('sqlite:')
      ? openSqliteEventStore(db, { recent: recentWithin(caches.events) })
      : await openEventStoreOn(started.eventStore, log, { recentBytes: caches.events })
  const settings = await settingsFrom(started, given, opened)
  const { config } = settings
  // Embedded consumer groups are in one file with their topics, and need no marks.
  const { eventStore, ownLog } =
    config.broker === 'embedded'
      ? { eventStore: opened }
      : (await import('./processors/runtime/own-log.ts')).notingNewest(opened)
  createFolder(config.home)
  // Opened before the broker, which keeps the process alive: a failure here must let the process end.
  const { file: viewsFile, keepsHistory } = viewsOf(config)
  const viewStore = openMendingViews(viewsFile, {
    keepsHistory,
    rowBytes: caches.rows,
    pageBytes: caches.viewPages,
    onPutAside: (kept) =>
      log.error({ kept }, 'the views are damaged; rebuilding them, the damaged file is kept'),
  })
  const opening =
    db && config.broker === 'embedded'
      ? await openTopics(db, {
          ...options,
          mustOverwrite: () => config.personalValues === 'on',
          onError: redelivered(log),
        })
      : await openKafka(config, options, ownLog, log)
  const people = openPeople(join(config.home, 'personal.db'))
  const personal = openPersonal(config, async () =>
    (await import('./app/values-elsewhere.ts')).requireNoValuesElsewhere(eventStore),
  )
  const broker = sealing(opening, config, personal)
  let captures: CaptureIndex | undefined
  return {
    config,
    settings,
    db,
    eventStore,
    broker,
    viewStore,
    snapshots: createSnapshotStore(join(config.home, 'snapshots')),
    people,
    personal,
    adapters: {
      indexing: {
        captureIndex: () => {
          captures ??= openWhenUsed(captureIndexFolderOf(config), captureOptions(config))
          return captures
        },
      },
    },
    log,
    close: async () => {
      await broker.close()
      await captures?.close()
      people.close()
      personal.close()
      viewStore.close()
      await eventStore.close()
      await db?.close()
    },
  }
}

/** The same broker, whose topics get references in the place of personal values. */
const sealing = (broker: Broker, config: Config, personal: PersonalValues): Broker => ({
  get id() {
    return broker.id
  },
  ...(broker.binding && { binding: broker.binding }),
  ensureTopics: (topics) => broker.ensureTopics(topics),
  produce: (records) => async () => {
    if (config.personalValues === 'off') return broker.produce(records)()
    const sealed = await tryUnavailable(async () => {
      const [{ sealedRecords }, { topicsOf }] = await Promise.all([
        import('./processors/runtime/sealed-records.ts'),
        import('./workflows/workflow-model.ts'),
      ])
      return sealedRecords({ personal }, topicsOf(await loadModels()), records)
    })()
    return isLeft(sealed) ? sealed : broker.produce(sealed.right)()
  },
  consume: (options, handler) => broker.consume(options, handler),
  topics: () => broker.topics(),
  groups: () => broker.groups(),
  peek: (...place) => broker.peek(...place),
  ...(broker.overwrite && { overwrite: (change) => broker.overwrite!(change) }),
  close: () => broker.close(),
})

const openTopicsNow: OpenTopics = async (...of) =>
  (await import('../infra/broker/embedded/broker.ts')).openEmbeddedBroker(...of)

/** Its code, with cryptography, is loaded when a value is asked for: most processes have none. */
export const openPersonal = (
  { personalFolder: folder, personalKeyFolder: keyFolder }: Config,
  mayBegin?: () => Promise<void>,
): PersonalValues => {
  let opened: Promise<PersonalValues> | undefined
  const use =
    <A>(ask: (values: PersonalValues) => () => Promise<A>) =>
    async (): Promise<A> => {
      opened ??= import('../infra/personal/personal-values.ts').then(({ openPersonalValues }) =>
        openPersonalValues({ folder, keyFolder }, mayBegin),
      )
      return ask(await opened)()
    }
  return {
    seal: (texts) => use((values) => values.seal(texts)),
    sealTyped: (texts) => use((values) => values.sealTyped(texts)),
    marks: (texts) => use((values) => values.marks(texts)),
    find: (references) => use((values) => values.find(references)),
    referenceOf: (text) => use((values) => values.referenceOf(text)),
    holding: (text) => use((values) => values.holding(text)),
    erase: (references, at) => use((values) => values.erase(references, at)),
    erasedTo: () => use((values) => values.erasedTo()),
    eraseUpTo: (position, erased) => use((values) => values.eraseUpTo(position, erased)),
    counts: () => use((values) => values.counts()),
    close: () => void opened?.then((values) => values.close()),
  }
}

/** Folder of the lock files of processes. */
export const locksOf = ({ home }: Config): string => join(home, 'locks')
const settingsFrom = async (
  started: Config,
  given: GivenSettings,
  eventStore: EventStore,
): Promise<LiveSettings> => {
  const settings = liveSettings(started, given, eventStore)
  try {
    await withTimeout(settings.refresh(), settingsMillis, () => undefined, systemClock)
  } catch (error) {
    if (error instanceof UnavailableError) return settings
    await eventStore.close()
    throw error
  }
  return settings
}

/** Options of the capture index: it caches twice its `maxCacheBytes`, and a quarter of them for tables. */
export const captureOptions = ({ indexingSort, cacheBytes }: Config) => ({
  sort: indexingSort,
  maxCacheBytes: cachesOf({ cacheBytes }).captures / 2.25,
})

export const captureIndexFolderOf = ({ indexingFolder }: Config): string => join(indexingFolder, 'runs')

const remindMillis = 60_000

/** Warns of unavailable places once a minute for each. */
const redelivered = (log: Logger) => {
  const warnedAt = new Map<string, number>()
  return (error: unknown, place?: object) => {
    const key = JSON.stringify(place ?? {})
    const now = performance.now()
    const wasWarned =
      error instanceof UnavailableError &&
      now - (warnedAt.get(key) ?? Number.NEGATIVE_INFINITY) < remindMillis
    if (!wasWarned) warnedAt.set(key, now)
    log[wasWarned ? 'debug' : 'warn']({ err: error, ...place }, 'cannot handle a batch; delivering it again')
  }
}

const openKafka = async (
  config: Config,
  options: BrokerOptions,
  ownLog: OwnLog | undefined,
  log: Logger,
): Promise<Broker> => {
  const { openKafkaBroker } = await import('../infra/broker/kafka/broker.ts')
  const { kafkaSasl: mechanism, kafkaUsername: username, kafkaPassword: password } = config
  const ca = certificates(config, 'kafkaCaFile')
  return openKafkaBroker(
    {
      brokers: config.broker.slice('kafka://'.length).split(','),
      clientId: config.kafkaClientId,
      topicPrefix: config.topicPrefix,
      replication: config.replication,
      compression: config.kafkaCompression,
      lingerMillis: config.kafkaLingerMillis,
      ...(config.kafkaTls === 'on' && {
        tls: { ...(ca && { ca }), ...identity(config, 'kafkaCertFile', 'kafkaKeyFile') },
      }),
      ...(mechanism && username && password && { sasl: { mechanism, username, password } }),
    },
    { ...options, ...(ownLog && { ownLog }), log, onError: redelivered(log) },
  )
}
