import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { parseHosts } from '@fonds/download'
import { v7 as uuid } from 'uuid'
import type { IndexingTask } from '../../domain/indexing/indexing-task.ts'
import { outcomesTopic } from '../../domain/indexing/messages.ts'
import type { JobOutcome } from '../../domain/indexing/outcome.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import type { Correlated, MachineWaiting, TaskQueue } from '../../ports/task-queue.ts'
import { atHome } from '../runtime/at-home.ts'
import { createMachineWaits } from '../runtime/machine-waits.ts'
import { reportOnTopic } from '../runtime/report-on-topic.ts'
import { retryWhileAway } from '../runtime/retry-while-away.ts'
import type { ClaimContext } from '../runtime/run-task.ts'
import type { RunningWorker, WorkerOptions } from '../runtime/worker.ts'
import { startWorkerPool } from '../runtime/worker-pool.ts'
import { compareJob } from './compare-job.ts'
import { indexJob } from './index-job.ts'
import type { IndexingContext } from './indexing-context.ts'
import type { JobTools, JobWatch } from './job-tools.ts'
import { createRemoteFiles } from './remote/remote-files.ts'
import { createStreams } from './streams/streams.ts'
import { createIndexPool } from './threads/index-pool.ts'

interface IndexerHooks {
  readonly worker: string
  /** Files that wait for this machine: `<repository>/<name>`. */
  readonly waits: MachineWaiting
  /** Publishes on the topic that a job failed. */
  readonly reportFailure: (task: IndexingTask, reason: string, of: Correlated) => Promise<void>
}

/**
 * Reads archive files, as many at once as there are threads (W12), and reports the outcome of each. Any number may run.
 */
export const startIndexer = (
  context: IndexingContext,
  options: WorkerOptions,
  queueOf: (hooks: IndexerHooks) => TaskQueue<IndexingTask>,
): RunningWorker => {
  const { config, clock, telemetry, log } = context
  const worker = `indexer@${hostname()}/${process.pid}/${uuid().slice(-6)}`
  const stallMillis = config.stallSeconds * SECOND
  const pool = createIndexPool(options.threads, context.runWriterModule, stallMillis)
  const fetched = join(resolve(atHome(config.indexingFolder)), '.fetched')
  const remote = createRemoteFiles({
    folder: fetched,
    hosts: config.ingestHosts,
    stallMillis,
    clock,
    roomPercent: config.ingestThresholdPercent,
  })
  // A comparison reads two files.
  const streams = createStreams(2 * options.threads, context)
  const hosts = config.ingestHosts === undefined ? undefined : (parseHosts(config.ingestHosts) ?? [])
  const http = { ...(hosts && { hosts }), stallMillis }
  const tools: JobTools = {
    pool,
    elsewhere: { streams, remote, http },
    runs: context.captureIndexFolder,
    format: config.indexingFormat,
    requestKeys: config.indexingRequestKeys === 'on',
    clock,
    graceMillis: config.indexingGraceSeconds * SECOND,
  }
  const report = ({ file, fence }: IndexingTask, outcome: JobOutcome, { correlationId }: Correlated) => {
    const data = { ...file, worker, fence, outcome }
    const processed = { type: 'file.processed', data, correlationId }
    return reportOnTopic(context, outcomesTopic, `fonds://${worker}`, [processed])
  }
  const folders = [context.captureIndexFolder, fetched]
  const waits = createMachineWaits({ clock, folders })
  const workers = startWorkerPool<IndexingTask>({
    name: 'indexer',
    queues: [
      queueOf({
        worker,
        waits,
        reportFailure: async (task, reason, of) => {
          await report(task, { status: 'failed', code: 'broken', reason }, of)
        },
      }),
    ],
    perform: async (task, running) => {
      const outcome = await outcomeOf(task, tools, running)
      waits.over(workOf(task))
      // A written run must become known: the report is retried until the broker accepts it.
      if (outcome)
        await retryWhileAway(async () => void (await report(task, outcome, running)), running, context)
    },
    concurrency: options.threads,
    stallMillis: stallMillis + 30 * SECOND,
    folders,
    waits,
    workOf,
    backoff: { minMillis: config.idleMinSeconds * SECOND, maxMillis: config.idleMaxSeconds * SECOND },
    onNewWork: options.onNewWork,
    clock,
    telemetry,
    log,
  })
  return {
    name: worker,
    busy: workers.busy,
    stop: async (graceMillis) => {
      await workers.stop(graceMillis)
      await pool.close()
      await streams.close()
      await remote.close()
    },
  }
}

const workOf = ({ file: { repository, name } }: IndexingTask): string => `${repository}/${name}`

const outcomeOf = (
  task: IndexingTask,
  tools: JobTools,
  watch: ClaimContext & JobWatch,
): Promise<JobOutcome | undefined> =>
  task.job.kind === 'index' ? indexJob(task, task.job, tools, watch) : compareJob(task.job, tools, watch)
