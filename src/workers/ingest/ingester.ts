import { hostname } from 'node:os'
import { v7 as uuid } from 'uuid'
import type { BatchWork } from '../../domain/ingest/tasks.ts'
import type { WorkState } from '../../domain/ingest/transitions.ts'
import { isBucketAddress } from '../../domain/kernel/bucket-address.ts'
import { DAY, SECOND } from '../../domain/kernel/time.ts'
import { createHttpClient } from '../http/http-client.ts'
import { createMachineWaits, type MachineWaits } from '../runtime/machine-waits.ts'
import { retryWhileAway } from '../runtime/retry-while-away.ts'
import type { ClaimContext } from '../runtime/run-task.ts'
import type { RunningWorker, WorkerOptions } from '../runtime/worker.ts'
import { startWorkerPool, type WorkerPool } from '../runtime/worker-pool.ts'
import { openBatch } from './batch/open-batch.ts'
import { reportBatch } from './batch/report-batch.ts'
import { sendMail } from './batch/send-mail.ts'
import { startCleaner } from './clean-folders.ts'
import { cleanStages } from './clean-stages.ts'
import { createFileWork } from './files/file-work.ts'
import { batchTasks, type ClaimedTask, type IngestTask, jobTasks } from './ingest-task.ts'
import {
  failFolder,
  type IngesterContext,
  roomOf,
  storageFolders,
  uploadsOf,
  workFolder,
} from './ingester-context.ts'
import { failedBatch, failedStep, reporter } from './ingester-reports.ts'
import { type Tools, toolsOf } from './ingester-tools.ts'
import { watchClaims } from './lost-claims.ts'
import { runJob } from './run-job.ts'
import type { IngesterHooks, IngestServices } from './services.ts'
import { createStepReports, type StepReports } from './step-reports.ts'
import { failIfAsked } from './steps/fail-on-purpose.ts'
import { startStorageWatch } from './storage/watch-storage.ts'
import { openingFolderOf } from './work-folder.ts'

/** Jobs provisioned at once. */
const provisioned = 10
/** Claims of one round are committed together: maximum number, and minimum interval. */
const maxBatch = 50
const roundMillis = 10

/** Runs all tasks of batches and jobs. Any number may run, in any number of processes. */
export const startIngester = (
  context: IngesterContext,
  options: WorkerOptions,
  servicesOf: (hooks: IngesterHooks) => IngestServices,
): RunningWorker => {
  const { config, clock } = context
  logSettings(context)
  const worker = `ingest@${hostname()}/${process.pid}/${uuid().slice(-6)}`
  const stallMillis = config.stallSeconds * SECOND
  const client = createHttpClient({ stallMillis })
  const files = createFileWork(stallMillis, options.concurrency, config.ingestThresholdPercent)
  const reporting = reporter(context, worker)
  const underWay = new Map<number, WorkState>()
  const waits = createMachineWaits({ clock, folders: [workFolder(config), ...storageFolders(config)] })
  const services = servicesOf({
    worker,
    waits,
    room: () => roomOf(workFolder(config)),
    reportJobFailure: ({ job, fence, state }, message, of) =>
      reporting.send([failedStep({ job, fence, state: underWay.get(job) ?? state, message }, of)]),
    reportBatchFailure: (work, reason, of) => reporting.send(failedBatch(work, reason, of)),
  })
  const means = { client, files, failing: failFolder(config), waits }
  const tools = toolsOf(context, means, services, reporting, options.onNewWork)
  const claims = watchClaims(context.viewStore, options.onNewWork)
  const pools = startPools(context, options, waits, services, {
    perform: performer({ tools, reporting, underWay, claims, waits }),
    provide: provider(context, services, reporting),
  })
  const keepers = startKeepers(context, options, services, reporting)

  return {
    name: worker,
    refused: services.storage.last,
    busy: () => pools.reduce((sum, pool) => sum + pool.busy(), 0),
    stop: async (graceMillis) => {
      await Promise.all([
        ...pools.map((pool) => pool.stop(graceMillis)),
        ...keepers.map((keeper) => keeper.stop()),
      ])
      claims.stop()
      await services.provisioning.stop()
      await Promise.all([client.close(), files.close()])
    },
  }
}

/** Logs settings that an operator should notice. */
const logSettings = ({ config, log }: IngesterContext): void => {
  const failing = failFolder(config)
  if (failing !== undefined)
    log.warn({ folder: failing }, 'FONDS_INGEST_FAIL_FOLDER is set: files in it make steps of ingest fail')
  if (config.ingestHosts === undefined)
    log.info(
      'FONDS_INGEST_HOSTS is not set: submissions and sightings over HTTP may only name public addresses',
    )
}

type Perform = (task: IngestTask, running: ClaimContext) => Promise<void>
type Reporting = ReturnType<typeof reporter>

interface PerformerParts {
  readonly tools: Tools
  readonly reporting: Reporting
  /** The present state of each running job. */
  readonly underWay: Map<number, WorkState>
  readonly claims: ReturnType<typeof watchClaims>
  readonly waits: MachineWaits
}

/** Runs tasks of batches and jobs. */
const performer = ({ tools, reporting, underWay, claims, waits }: PerformerParts): Perform => {
  const { clock, log } = tools.context

  const performJob = async (
    task: ClaimedTask,
    reports: StepReports,
    running: ClaimContext,
  ): Promise<void> => {
    const { job, fence } = task.task
    const enter = (state: WorkState) => underWay.set(job, state)
    const claim = claims.watch(job, fence)
    const signal = AbortSignal.any([running.signal, claim.signal])
    try {
      await runJob(task, reports, tools.jobs(task.task), { ...running, signal, enter })
    } catch (error) {
      // Nobody waits for its result any more.
      if (claim.signal.aborted) return log.warn({ job, fence }, 'the claim on a job is lost; its work stops')
      // Finished steps are reported before the failure of the next one.
      await reports.flush()
      throw error
    } finally {
      claim.end()
      underWay.delete(job)
    }
  }

  return async (task, running) => {
    const reports = createStepReports(running.correlationId, (report) =>
      retryWhileAway(() => reporting.send(report), running, { clock, log }),
    )
    if (task.kind === 'job') return performJob(task, reports, running)
    await performBatch(task.work, reports, tools, running)
    waits.over(workOf(task))
  }
}

/** Reports that a job has its room, and releases it, for any worker with free capacity: those here may all be busy. */
const provider = ({ config }: IngesterContext, services: IngestServices, reporting: Reporting): Perform => {
  const failing = failFolder(config)
  return async (task, { correlationId }) => {
    if (task.kind !== 'job') return
    const { job, fence } = task.task
    if (failing !== undefined)
      for (const when of ['provisioning', 'provisioning-after'] as const) await failIfAsked(failing, when)
    const result = { site: await services.workSite() }
    const data = { job, fence, state: 'provisioning', result, release: true }
    await reporting.send([{ type: 'step.done', data, correlationId }])
  }
}

/** Starts the worker pools that take tasks from queues. */
const startPools = (
  { config, clock, telemetry, log }: IngesterContext,
  options: WorkerOptions,
  waits: MachineWaits,
  { batchQueues, jobQueues, provisioning }: IngestServices,
  { perform, provide }: { readonly perform: Perform; readonly provide: Perform },
): readonly WorkerPool[] => {
  const shared = {
    maxBatch,
    pace: (_: number, signal: AbortSignal) => clock.sleep(roundMillis, signal),
    stallMillis: (config.stallSeconds + 30) * SECOND,
    folders: [workFolder(config)],
    waits,
    workOf,
    backoff: { minMillis: config.idleMinSeconds * SECOND, maxMillis: config.idleMaxSeconds * SECOND },
    onNewWork: options.onNewWork,
    clock,
    telemetry,
    log,
  }
  return [
    startWorkerPool<IngestTask>({
      ...shared,
      name: 'ingest',
      queues: [...batchQueues.map(batchTasks), ...jobQueues.map(jobTasks)],
      concurrency: options.concurrency,
      perform,
    }),
    startWorkerPool<IngestTask>({
      ...shared,
      name: 'ingest-provisioning',
      queues: [jobTasks(provisioning.queue)],
      concurrency: provisioned,
      perform: provide,
    }),
  ]
}

/** Starts the timers that maintain folders and storage. */
const startKeepers = (
  context: IngesterContext,
  { onNewWork }: WorkerOptions,
  { sites, identifiers, storage, job }: IngestServices,
  { send }: Reporting,
) => {
  const { config } = context
  return [
    startCleaner({
      ...context,
      send,
      home: config.home,
      uploads: async () => ((await storage.isAdopted()) ? uploadsOf(context) : undefined),
      workFolder: workFolder(config),
      sites,
      keepMillis: config.ingestFolderDays * DAY,
      cleanStages: async () => {
        if (!isBucketAddress(config.ingestStorage) || !(await storage.isAdopted())) return
        const { stages } = await context.objectStore()
        if (stages) await cleanStages({ stages, job })
      },
      onNewWork,
    }),
    startStorageWatch({
      ...context,
      send,
      knownObject: identifiers.knownObject,
      refusal: storage.refusal,
      perMinute: config.ingestLookObjects,
    }),
  ]
}

const workOf = (task: IngestTask): string =>
  task.kind === 'job' ? `job/${task.task.job}` : `batch/${task.work.id}`

const performBatch = async (
  work: BatchWork,
  reports: StepReports,
  { reach, services, context }: Tools,
  running: ClaimContext,
): Promise<void> => {
  switch (work.task) {
    case 'open':
      return openBatch(
        work,
        reports,
        {
          ...reach(work.id, work.batch.submission.foreign),
          folder: openingFolderOf(workFolder(context.config), work.id, work.fence),
        },
        running,
      )
    case 'report':
      return reportBatch(work, reports, context.viewStore)
    case 'mail':
      return sendMail(work, reports, { ...context, services }, running)
  }
}
