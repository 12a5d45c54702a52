import { join } from 'node:path'
import { parseHosts } from '@fonds/download'
import type { Logger } from 'pino'
import { openCaptureIndex } from '../infra/capture-index/capture-index.ts'
import openContent from '../infra/content/open-content.ts'
import { isBucketAddress } from '../infra/content/s3/location.ts'
import { openSpentIds } from '../infra/identity/spent-ids.ts'
import { createEzidMinter } from '../infra/minter/ezid.ts'
import { createNoidMinter } from '../infra/minter/noid.ts'
import { createRequestCounts, requestTotals } from '../infra/s3/request-counts.ts'
import { createRootCounts } from '../infra/s3/root-counts.ts'
import { createRootMeter } from '../infra/s3/root-meter.ts'
import type { Database } from '../infra/sqlite/database.ts'
import { openProcessLock } from '../infra/sqlite/process-lock.ts'
import { noTelemetry } from '../infra/telemetry/none.ts'
import { createWebhook } from '../infra/webhook/webhook.ts'
import { openWorkInProgress } from '../infra/work-in-progress/work-in-progress.ts'
import { bucketCounter } from './app/bucket-counter.ts'
import {
  bucketSettingsOf,
  contentSettingsOf,
  contentSettingsOfThreads,
} from './app/config/bucket-settings.ts'
import { cachesOf } from './app/config/caches.ts'
import { identity } from './app/config/pem-files.ts'
import type { Config } from './app/config/settings.ts'
import { keepApart } from './app/lease-thread/keep-apart.ts'
import { logOf } from './app/open-log.ts'
import { proxySign } from './app/proxy-sign.ts'
import { questionKind } from './app/question-deaths.ts'
import type { RunningGateway, System } from './app/system.ts'
import { rejectUnreadable } from './app/system-streams.ts'
import { createWebClient } from './app/web-client.ts'
import { createCall } from './async/broadcast.ts'
import { InvalidSetting } from './async/errors.ts'
import { systemClock } from './async/system-clock.ts'
import { openEventStoreOn, openFile } from './open-event-store.ts'
import { type BrokerOptions, captureIndexFolderOf, captureOptions, locksOf, openStores } from './open-home.ts'
import { openProof } from './open-proof.ts'
import { openStorage } from './open-storage.ts'
import type { OpenInventory } from './ports/bucket-inventory.ts'
import type { Mailer } from './ports/mailer.ts'
import type { Minter } from './ports/minter.ts'
import type { SpentIds } from './ports/spent-ids.ts'
import type { Webhook } from './ports/webhook.ts'
import { batchExecutor, executor } from './processors/runtime/execute.ts'
import { lockByLog } from './processors/runtime/lock-by-log.ts'
import { messageDeaths } from './processors/runtime/message-deaths.ts'
import { partitionWatch } from './processors/runtime/resting.ts'
import { streamStates } from './processors/runtime/stream-states.ts'
import { workflows } from './workflows/all.ts'
import { hasSignIn } from './workflows/system/contradictions.ts'
import { foldedIn } from './workflows/workflow-model.ts'

interface OpenOptions extends BrokerOptions {
  /** Its metrics may be queried. */
  readonly isMeasured?: boolean
}

/** Dependencies of workers that need no home. */
export const openAlone = async (config: Config) => {
  const index = openCaptureIndex(captureIndexFolderOf(config), captureOptions(config))
  return {
    adapters: { indexing: { captureIndex: () => index } },
    clock: systemClock,
    telemetry: noTelemetry,
    log: logOf(config),
    close: index.close,
  }
}

/**
 * Opens a home with the handlers of its messages, and the rest of the infra. Rejects with `DatabaseError` or
 * `InvalidSetting`.
 */
export const openSystem = async (
  started: Config,
  { isMeasured = true, ...options }: OpenOptions = {},
): Promise<System> => {
  const metrics = isMeasured ? await prometheus() : undefined
  const telemetry = metrics ?? noTelemetry
  const processLock = openProcessLock(locksOf(started))
  const workInProgress = openWorkInProgress(locksOf(started), processLock, [questionKind])
  const stores = await openStores(started, { ...options, processLock })
  const { config, settings, db, eventStore, broker, viewStore, snapshots, people, personal, adapters, log } =
    stores
  const states = streamStates(eventStore, cachesOf(config).states)
  const execute = executor(eventStore, states)
  const counts = createRequestCounts()
  const countBuckets = bucketCounter(() => requestTotals(counts), telemetry)
  const withCounts = <S extends { readonly s3: object }>(given: S) => ({
    ...given,
    s3: { ...given.s3, counts },
  })
  const countsByRoot = createRootCounts()
  /** For fixity alone: what others ask of the same bucket is no use of a store. */
  const withStoreCounts = <S extends { readonly s3: object }>(given: S) => ({
    ...given,
    s3: { ...given.s3, counts, countsByRoot },
  })
  const storage = openStorage({
    address: () => config.ingestStorage,
    s3: () => ({ ...bucketSettingsOf(config), counts }),
    clientEndpoint: config.ingestUploadEndpoint,
    processLock,
    guard: (root) => lockByLog(root, { execute, states, processLock, clock: systemClock, log }),
  })
  const webClient = createWebClient(config)
  const spentIds = openSpentIds(join(started.home, 'sign-in.db'), systemClock)
  const opening = (counting: typeof withCounts) => (root: string) =>
    isBucketAddress(root)
      ? openContent(root, counting(contentSettingsOf(config)))
      : openContent(root, {}, webClient)
  const openContentHere = opening(withCounts)
  const content = {
    openContent: opening(withStoreCounts),
    contentStoreModule: new URL('../infra/content/open-content.ts', import.meta.url),
    get contentSettings() {
      const given = contentSettingsOfThreads(config)
      return given && withStoreCounts(given)
    },
    bucketTotals: () => requestTotals(counts),
    bucketMeter: createRootMeter(countsByRoot, systemClock),
    inspectBucket: async (address: string, signal?: AbortSignal) => {
      const { inspectBucket } = await import('../infra/content/s3/inspect.ts')
      return inspectBucket(address, withCounts(contentSettingsOf(config)).s3, signal)
    },
    openVersion: async (address: string, versionId: string) => {
      const { openVersion } = await import('../infra/content/s3/version.ts')
      return openVersion(address, versionId, withStoreCounts(contentSettingsOf(config)))
    },
    openRestorer: async (address: string) => {
      const { openRestorer } = await import('../infra/content/s3/restorer.ts')
      return openRestorer(address, withStoreCounts(contentSettingsOf(config)).s3)
    },
    openInventory: ((place, asked) => async () => {
      const { inventoryOpener } = await import('../infra/content/s3/inventory/open-inventory.ts')
      return inventoryOpener(withStoreCounts(contentSettingsOf(config)))(place, asked)()
    }) satisfies OpenInventory,
  }
  const proof = openProof(config, systemClock)
  // Its settings may be known only when the log responds, and then stay: they take effect at a start.
  let mailer: Mailer | undefined
  const system: System = {
    config,
    settings,
    eventStore,
    broker,
    viewStore,
    snapshots,
    processLock,
    clock: systemClock,
    telemetry,
    log,
    states,
    execute,
    ...(eventStore.appendEach && { executeBatch: batchExecutor(eventStore, states) }),
    keepApart: keepApart({
      config,
      eventStoreModule: new URL('./open-event-store.ts', import.meta.url),
      clock: systemClock,
      log,
    }),
    partitions: partitionWatch({ clock: systemClock, log }),
    workInProgress,
    messageDeaths: messageDeaths({ workInProgress, maxDeaths: config.maxDeaths }),
    checkpointsAwaited: createCall(),
    workflows: foldedIn(workflows, () => config),
    adapters: {
      fixity: content,
      indexing: {
        ...adapters.indexing,
        openContent: (root) => {
          const hosts = config.ingestHosts === undefined ? undefined : (parseHosts(config.ingestHosts) ?? [])
          return isBucketAddress(root)
            ? openContentHere(root)
            : openContent(root, { http: { hosts } }, webClient)
        },
        contentStoreModule: content.contentStoreModule,
        get contentSettings() {
          const given = contentSettingsOfThreads(config)
          return given && withCounts(given)
        },
        captureIndexFolder: captureIndexFolderOf(config),
        runWriterModule: new URL('../infra/capture-index/run-writer.ts', import.meta.url),
      },
      ingest: {
        objectStore: storage.objectStore,
        openContent: openContentHere,
        openUploads: storage.openUploads,
        get storageRoot() {
          return storage.storageRoot()
        },
        get minter() {
          return minterOf(config)
        },
        get mailer() {
          return system.mailer
        },
        placeOfObject: storage.placeOfObject,
        inspectBucket: content.inspectBucket,
      },
      research: { openContent: openContentHere, inspectBucket: content.inspectBucket },
    },
    get mailer() {
      mailer ??= mailerOf(config)
      return mailer
    },
    get webhook() {
      return webhookOf(config)
    },
    openEventStore: (address) =>
      address.startsWith('sqlite:')
        ? openFile(address.slice('sqlite:'.length), config)
        : openEventStoreOn(address, log),
    openGateway: (port) => openGatewayOn(config, db, port, log),
    probeBucket: async (address, options) => {
      const { probeBucket } = await import('../infra/object-store/ocfl-s3/probe.ts')
      return probeBucket(address, options, { ...bucketSettingsOf(config), counts })
    },
    ...signInOf(config, spentIds),
    people,
    personal,
    ...proof.parts,
    metrics: async () => {
      countBuckets()
      return (await metrics?.metrics(async () => (await import('./app/measure.ts')).measure(system))) ?? ''
    },
    close: async () => {
      await broker.close()
      await webClient.close()
      await storage.close()
      spentIds.close()
      await proof.close()
      await stores.close()
      workInProgress.close()
      processLock.release()
    },
  }
  return system
}

const prometheus = async () => (await import('../infra/telemetry/prometheus.ts')).createPrometheusTelemetry()

const minterOf = ({ ezidServer: server, ezidUsername: username, ezidPassword: password }: Config): Minter =>
  server && username && password ? createEzidMinter({ server, username, password }) : createNoidMinter()

/** The client is loaded with the first mail: most processes send none. */
const mailerOf = (config: Config): Mailer | undefined => {
  const { mailServer: server, mailFrom: from, mailUsername: username, mailPassword: password } = config
  if (!server || !from) return undefined
  const loaded = once(async () =>
    (await import('../infra/mail/smtp.ts')).createSmtpMailer({
      server,
      from,
      stallMillis: config.stallSeconds * 1000,
      ...(username && password && { login: { username, password } }),
    }),
  )
  return { send: (mail) => async () => (await loaded()).send(mail)() }
}

/** The client is loaded when somebody signs in: most processes never need it. */
const signInOf = (config: Config, spentIds: SpentIds): Pick<System, 'identityProvider' | 'spentIds'> => {
  const {
    oidcIssuer: issuer,
    oidcClientId: clientId,
    oidcClientSecret: clientSecret,
    oidcScopes: scopes,
  } = config
  if (!issuer || !clientId || !clientSecret) return {}
  const loaded = once(async () =>
    (await import('../infra/identity/openid-provider.ts')).createOpenIdProvider({
      ...{ issuer, clientId, clientSecret, scopes },
    }),
  )
  return {
    spentIds,
    identityProvider: {
      issuer,
      begin: (back) => async () => (await loaded()).begin(back)(),
      finish: (answer, secrets) => async () => (await loaded()).finish(answer, secrets)(),
      leave: (back) => async () => (await loaded()).leave(back)(),
    },
  }
}

const once = <A>(make: () => Promise<A>): (() => Promise<A>) => {
  let made: Promise<A> | undefined
  return () => {
    made ??= make()
    return made
  }
}

const webhookOf = ({ noticesWebhook: address, stallSeconds }: Config): Webhook | undefined =>
  address === undefined ? undefined : createWebhook({ address, timeoutMillis: stallSeconds * 1000 })

const openGatewayOn = async (
  config: Config,
  db: Database | undefined,
  port: number,
  log: Logger,
): Promise<RunningGateway> => {
  // The file may exist, with the topics, and with the log as it was before it moved.
  if (!db || !config.eventStore.startsWith('sqlite:'))
    throw new Error('it opens the embedded log, and this one is on a server: ask that one')
  const { token } = config
  if (token === undefined && hasSignIn(config))
    throw new InvalidSetting(
      'token: the gateway needs one where people sign in, who cannot do that there (FONDS_TOKEN)',
    )
  const { startGateway } = await import('../infra/gateway/gateway.ts')
  const tls = identity(config, 'tlsCertFile', 'tlsKeyFile')
  return startGateway(db, {
    host: config.host,
    port,
    reject: rejectUnreadable(workflows),
    log,
    ...(tls && { tls }),
    ...(token && { token }),
    proxySign,
  })
}
