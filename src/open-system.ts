import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { openEmbeddedBroker } from '../infra/broker/embedded/broker.ts'
import { openFileSystemStore } from '../infra/content/file-system/store.ts'
import { openSqliteEventStore } from '../infra/event-store/sqlite/event-store.ts'
import { openSnapshotStore } from '../infra/snapshots/file-system.ts'
import { type Database, makeFolder, openDatabase } from '../infra/sqlite/database.ts'
import { openProcessLock } from '../infra/sqlite/process-lock.ts'
import { prometheusTelemetry } from '../infra/telemetry/prometheus.ts'
import { openMendingViews } from '../infra/views/sqlite/mending.ts'
import { openEventStoreOn } from './open-event-store.ts'
import type { Broker } from './ports/broker.ts'
import { systemClock } from './ports/clock.ts'
import type { OwnLog } from './ports/group-binding.ts'
import { executor } from './processors/runtime/execute.ts'
import { partitionWatch } from './processors/runtime/resting.ts'
import { streamStates } from './processors/runtime/stream-states.ts'
import { embeddedFile } from './system/config.ts'
import { keepApart } from './system/lease-thread/keep-apart.ts'
import { measure } from './system/measure.ts'
import { notingNewest } from './system/own-log.ts'
import { refuseUnreadable } from './system/own-streams.ts'
import { certificates, identity } from './system/pem-files.ts'
import { proxySign } from './system/proxy-sign.ts'
import type { Config } from './system/settings.ts'
import type { RunningGateway, System } from './system/system.ts'
import { workflows } from './system/workflows.ts'

export interface OpenOptions {
  /** How long a silent member of a consumer group keeps its partitions. */
  readonly sessionMillis?: number
}

/**
 * The one place where the infra is picked and joined to the pure rooms. Servers' clients are loaded where they are
 * used: most commands need neither. Rejects with `DatabaseError` or `UnusableSetting`.
 */
export const openSystem = async (config: Config, options: OpenOptions = {}): Promise<System> => {
  const log = pino({ name: 'fonds', level: config.logLevel }, pino.destination(2))
  const telemetry = prometheusTelemetry()
  const file = embeddedFile(config)
  const db = file === undefined ? undefined : openDatabase(file, { durability: config.durability })
  const opened =
    db && config.eventStore.startsWith('sqlite:')
      ? openSqliteEventStore(db)
      : await openEventStoreOn(config.eventStore, log)
  // Embedded groups are kept beside their topics, and need no marks.
  const { eventStore, ownLog } = config.broker === 'embedded' ? { eventStore: opened } : notingNewest(opened)
  makeFolder(config.home)
  // Before the broker, which keeps the process alive from then on: what cannot be opened must let it end.
  const viewStore = openMendingViews(join(config.home, 'views.db'), {
    onPutAside: (kept) =>
      log.error({ kept }, 'the views are damaged: they are folded anew, the file is kept'),
  })
  const broker =
    db && config.broker === 'embedded'
      ? openEmbeddedBroker(db, { ...options, onError: redelivered(log) })
      : await openKafka(config, options, ownLog, log)
  const states = streamStates(eventStore)
  const processLock = openProcessLock(join(config.home, 'locks'))
  const system: System = {
    config,
    eventStore,
    broker,
    viewStore,
    snapshots: openSnapshotStore(join(config.home, 'snapshots')),
    processLock,
    clock: systemClock,
    telemetry,
    log,
    states,
    execute: executor(eventStore, states),
    keepApart: keepApart({
      config,
      eventStoreModule: new URL('./open-event-store.ts', import.meta.url),
      clock: systemClock,
      log,
    }),
    partitions: partitionWatch({ clock: systemClock, log }),
    workflows,
    openContent: openFileSystemStore,
    contentStoreModule: new URL('../infra/content/file-system/store.ts', import.meta.url),
    openEventStore: (address) => openEventStoreOn(address, log),
    openGateway: (port) => openGatewayOn(config, db, port, log),
    metrics: () => telemetry.metrics(() => measure(system)),
    close: async () => {
      await broker.close()
      viewStore.close()
      await eventStore.close()
      await db?.close()
      processLock.release()
    },
  }
  return system
}

const redelivered = (log: Logger) => (error: unknown, place?: object) =>
  log.warn({ err: error, ...place }, 'a batch will be delivered again')

const openKafka = async (
  config: Config,
  options: OpenOptions,
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

const openGatewayOn = async (
  config: Config,
  db: Database | undefined,
  port: number,
  log: Logger,
): Promise<RunningGateway> => {
  // The file may be there all the same, with the topics and with the log as it was before it moved.
  if (!db || !config.eventStore.startsWith('sqlite:'))
    throw new Error('it opens the embedded log, and this one is on a server: ask that one')
  const { startGateway } = await import('../infra/gateway/gateway.ts')
  const tls = identity(config, 'tlsCertFile', 'tlsKeyFile')
  return startGateway(db, {
    host: config.host,
    port,
    refuse: refuseUnreadable(workflows),
    log,
    ...(tls && { tls }),
    ...(config.token && { token: config.token }),
    proxySign,
  })
}
