import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { v7 as uuid } from 'uuid'
import { type BatchTask, type CheckTask, type FixityTask, isBatch } from '../../domain/fixity/check-task.ts'
import {
  type BatchObservedMessage,
  type ContentObservedMessage,
  observationsTopic,
} from '../../domain/fixity/messages.ts'
import { clip } from '../../domain/kernel/clip.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import type { Broker } from '../../ports/broker.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ContentStore } from '../../ports/content-store.ts'
import type { Correlated, TaskQueue } from '../../ports/task-queue.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { itemPace } from '../runtime/item-pace.ts'
import { reportOnTopic } from '../runtime/report-on-topic.ts'
import type { ClaimContext } from '../runtime/run-task.ts'
import type { RunningWorker, WorkerOptions } from '../runtime/worker.ts'
import { startWorkerPool } from '../runtime/worker-pool.ts'
import { type CheckTools, check, isSound } from './check.ts'
import { checkBatch } from './check-batch.ts'
import { createFolderStores } from './folder-stores.ts'
import { createHashPool, type HashPool } from './hash-pool.ts'
import { place, sightingPublisher } from './publish-sighting.ts'
import { throttleTo } from './throttle.ts'

export interface CheckerContext {
  readonly config: {
    readonly stallSeconds: number
    readonly idleMinSeconds: number
    readonly idleMaxSeconds: number
  }
  readonly broker: Broker
  readonly viewStore: ViewStore
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly log: Logger
  readonly openContent: (root: string) => ContentStore
  /** Module that opens a content store, for worker threads: its default export is `openContent`. */
  readonly contentStoreModule: URL
  /** Second argument of that export; structured-clonable. `openContent` has it already. */
  readonly contentSettings?: unknown
}

/** Parameters of the queues, from the worker that polls them. */
interface CheckerHooks {
  readonly worker: string
  /** Names of the stores whose bytes this worker can read; called at each claim. */
  readonly stores: () => Promise<readonly string[]>
  /** Whether missing or unreadable content is a finding: not while the store itself is unavailable. */
  readonly isReportable: (store: string) => Promise<boolean>
  /** Publishes on the topic that an attempt failed. */
  readonly reportFailure: (task: FixityTask, reason: string, of: Correlated) => Promise<void>
  /** Present if a rate is set, of items or of bytes. */
  readonly throttle?: { readonly itemsPerSecond?: number }
}

/** Reads the bytes of stores, folders and buckets, and reports its observations. Any number may run, in any number of processes. */
export const startChecker = (
  context: CheckerContext,
  options: WorkerOptions,
  queuesOf: (hooks: CheckerHooks) => readonly TaskQueue<FixityTask>[],
): RunningWorker => {
  const { config, clock } = context
  const { bytesPerSecond, itemsPerSecond } = options
  const publish = sightingPublisher(context, `fonds://${workerName()}`)
  const patienceMillis = config.stallSeconds * SECOND
  const stores = createFolderStores({ ...context, place, publish, patienceMillis })
  const throttle = throttleTo(bytesPerSecond)
  const openPool = () =>
    createHashPool({
      threads: options.threads,
      contentStoreModule: context.contentStoreModule,
      contentSettings: context.contentSettings,
      stallMillis: config.stallSeconds * SECOND,
      throttle,
    })
  const pool = openPool()
  if (options.opening) pool.start()
  const pace = itemsPerSecond === undefined ? undefined : itemPace(itemsPerSecond, clock)
  const isThrottled = throttle !== undefined || pace !== undefined
  const of = { stores, pace, options, queuesOf }
  if (!isThrottled) {
    const lane = startLane(context, { ...of, name: 'fixity', poolOf: () => pool })
    return { ...lane, stop: (graceMillis) => lane.stop(graceMillis).then(pool.close) }
  }

  // Urgent tasks never wait behind throttled ones: they have a worker pool and threads of their own, within the same
  // rate.
  const urgentPool = openPool()
  const throttled = { ...of, throttle: { ...(itemsPerSecond !== undefined && { itemsPerSecond }) } }
  const poolOf = (isUrgent: boolean) => (isUrgent ? urgentPool : pool)
  const lanes = [
    startLane(context, { ...throttled, name: 'fixity', poolOf }),
    startLane(context, { ...throttled, name: 'fixity-urgent', poolOf, isForUrgent: true }),
  ] as const
  return {
    name: lanes[0].name,
    busy: () => lanes.reduce((sum, { busy }) => sum + busy(), 0),
    stop: async (graceMillis) => {
      await Promise.all(lanes.map((lane) => lane.stop(graceMillis)))
      await Promise.all([pool.close(), urgentPool.close()])
    },
  }
}

const workerName = () => `fixity@${hostname()}/${process.pid}/${uuid().slice(-6)}`

interface Lane extends Pick<CheckerHooks, 'throttle'> {
  readonly name: string
  readonly stores: ReturnType<typeof createFolderStores>
  readonly poolOf: (isUrgent: boolean) => HashPool
  readonly pace: ReturnType<typeof itemPace> | undefined
  readonly options: WorkerOptions
  readonly queuesOf: (hooks: CheckerHooks) => readonly TaskQueue<FixityTask>[]
  /** The lane takes urgent tasks only. */
  readonly isForUrgent?: boolean
}

/** Starts a worker pool that takes checks, under a worker name of its own. */
const startLane = (context: CheckerContext, lane: Lane): RunningWorker => {
  const { config, clock, telemetry, log } = context
  const { stores, options, pace, poolOf, throttle, isForUrgent = false } = lane
  const worker = workerName()
  const { report, reportFailure } = reporter(context, worker)
  const { readable, isReportable } = stores
  const urgent = new WeakSet<FixityTask>()
  const queues = lane
    .queuesOf({ worker, stores: readable, isReportable, reportFailure, ...(throttle && { throttle }) })
    .map((queue) => (queue.name === 'high' ? noting(queue, urgent) : queue))
  const workers = startWorkerPool<FixityTask>({
    name: lane.name,
    queues: isForUrgent ? queues.filter(({ name }) => name === 'high') : queues,
    perform: async (task, running) => {
      const tools = { stores, pool: poolOf(urgent.has(task)), telemetry, clock, worker }
      if (isBatch(task)) return report('batch.observed', await checkFiles(task, running, tools), running)
      return report('content.observed', await checkTask(task, running, tools), running)
    },
    concurrency: options.concurrency,
    stallMillis: (config.stallSeconds + 30) * SECOND,
    backoff: { minMillis: config.idleMinSeconds * SECOND, maxMillis: config.idleMaxSeconds * SECOND },
    ...(pace && { pace }),
    ...(options.opening && { opening: options.opening }),
    onNewWork: options.onNewWork,
    clock,
    telemetry,
    log,
  })
  return { name: worker, busy: workers.busy, stop: workers.stop }
}

/** A queue that adds the tasks it takes to `taken`. */
const noting = (queue: TaskQueue<FixityTask>, taken: WeakSet<FixityTask>): TaskQueue<FixityTask> => ({
  ...queue,
  take: async (concurrency) => {
    const claimed = await queue.take(concurrency)
    for (const { task } of claimed) taken.add(task)
    return claimed
  },
})

/** Characters. */
const maxBatchError = 500

/** Publishes observations on their topic, with the worker as their source. */
const reporter = (context: CheckerContext, worker: string) => {
  const report = async (type: string, data: unknown, { correlationId }: Correlated): Promise<void> => {
    const observed = { type, data, correlationId }
    await reportOnTopic(context, observationsTopic, `fonds://${worker}`, [observed])
  }
  const reportFailure: CheckerHooks['reportFailure'] = (task, error, of) => {
    const failed = {
      content: { status: 'failed', error },
      storage: { status: 'missing' },
      observedAt: context.clock.now(),
    }
    if (!isBatch(task))
      return report('content.observed', { ...task.item, ...failed, worker, fence: task.fence }, of)
    const { batch, store, files } = task
    // Repeated for each item: the message must stay within a broker's size limit.
    const content = { ...failed.content, error: clip(error, maxBatchError) }
    const observations = files.map(({ path }) => ({ path, ...failed, content }))
    return report('batch.observed', { batch, store, worker, observations }, of)
  }
  return { report, reportFailure }
}

interface CheckTaskTools extends Omit<CheckTools, 'content'> {
  readonly stores: ReturnType<typeof createFolderStores>
  readonly telemetry: Telemetry
}

/** Opens the task's store and checks its item. */
const checkTask = async (
  { item, checksums, fence }: CheckTask,
  { signal, progress }: ClaimContext,
  { stores, telemetry, ...tools }: CheckTaskTools,
): Promise<ContentObservedMessage> => {
  const { root, content } = openedStore(stores, item.store)
  const count = countBytes(telemetry)
  const onProgress = (bytes: number) => {
    progress()
    count(bytes)
  }
  const job = { item, root, checksums, fence }
  const checkItem = () =>
    check(job, { ...tools, content: stores.opened(item.store)?.content ?? content }, { signal, onProgress })
  const observed = await unlessAway(stores, item.store, checkItem)
  if (observed.content.status === 'read') count(observed.content.size)
  return observed
}

/**
 * Missing or failed content may mean that the whole store is unavailable: then this throws, and nothing is reported of
 * the item. If the store is available, missing content is checked once more, as it may just have come back.
 */
const unlessAway = async (
  { isReportable }: Pick<ReturnType<typeof createFolderStores>, 'isReportable'>,
  store: string,
  checkItem: () => Promise<ContentObservedMessage>,
): Promise<ContentObservedMessage> => {
  const observed = await checkItem()
  if (isSound(observed)) return observed
  if (!(await isReportable(store))) throw new Error(`store ${store} is away`)
  return observed.storage.status === 'missing' ? checkItem() : observed
}

/** Opens the batch's store and checks its items. */
const checkFiles = async (
  task: BatchTask,
  running: ClaimContext,
  { stores, telemetry, ...tools }: CheckTaskTools,
): Promise<BatchObservedMessage> => {
  const { root, content } = openedStore(stores, task.store)
  const watch = { signal: running.signal, onProgress: running.progress }
  const opened = () => stores.opened(task.store)?.content ?? content
  const observed = await checkBatch(
    task,
    root,
    { ...tools, opened, isReportable: stores.isReportable },
    watch,
  )
  const bytes = observed.observations.reduce(
    (sum, { content }) => (content.status === 'read' ? sum + content.size : sum),
    0,
  )
  telemetry.count('bytes_read', { worker: 'fixity' }, bytes)
  return observed
}

const openedStore = (stores: CheckTaskTools['stores'], name: string) => {
  const store = stores.opened(name)
  if (!store) throw new Error(`the root of store ${name} cannot be opened`)
  return store
}

/**
 * Returns a counter of the bytes read of one item, which takes their running total. A reading that starts over counts
 * its bytes again.
 */
const countBytes = (telemetry: Telemetry) => {
  let seen = 0
  return (bytes: number) => {
    telemetry.count('bytes_read', { worker: 'fixity' }, bytes >= seen ? bytes - seen : bytes)
    seen = bytes
  }
}
