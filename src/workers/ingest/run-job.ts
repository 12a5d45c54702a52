import type { Logger } from 'pino'
import { diskReason } from '../../async/disk-reasons.ts'
import { errorMessage } from '../../async/errors.ts'
import { keepTrying, levelOf } from '../../async/keep-trying.ts'
import { machineFailure } from '../../async/machine-failure.ts'
import { UnavailableError } from '../../async/unavailable.ts'
import { waitUntil } from '../../async/wait-until.ts'
import type { Job } from '../../domain/ingest/job/state.ts'
import { type WorkState, workStates } from '../../domain/ingest/transitions.ts'
import { clip } from '../../domain/kernel/clip.ts'
import { addMillis } from '../../domain/kernel/time.ts'
import type { MachineWaits } from '../runtime/machine-waits.ts'
import type { ClaimContext } from '../runtime/run-task.ts'
import { UnusableContent } from './files/write-file.ts'
import type { ClaimedTask } from './ingest-task.ts'
import type { StepReports } from './step-reports.ts'
import {
  type JobInProgress,
  type Step,
  type StepContext,
  StepFailure,
  StepPutOff,
  type Steps,
  type StepTools,
} from './steps/step.ts'
import { takeWorkFolder } from './work-folder.ts'

export interface JobRunner {
  readonly steps: Steps
  readonly tools: StepTools
  readonly workFolder: string
  /**
   * Jobs that this machine cannot continue, as `job/<number>`: others, of other sizes or in other steps, may continue.
   */
  readonly waits: MachineWaits
  readonly log: Logger
}

type Outcome =
  | { readonly kind: 'done'; readonly result: object }
  | { readonly kind: 'failed'; readonly message: string; readonly permanent: boolean }
  | { readonly kind: 'put-off'; readonly reason: string; readonly millis: number }

/**
 * Takes a job through its steps, from the state in which it was claimed to its end, under the one claim. Each step is
 * reported a moment after it is done, and the next begins at once; if a holder has died of the job, the next begins once
 * the report is in the log, so that another death counts in the step that it happens in. Throws the reason of the
 * signal: then the job stays in the state that was reported last.
 */
export const runJob = async (
  { task, release }: ClaimedTask,
  reports: StepReports,
  runner: JobRunner,
  running: ClaimContext & { readonly enter: (state: WorkState) => void },
): Promise<void> => {
  const { job: number, fence, facts } = task
  const context = contextOf(number, fence, reports, runner, running)
  const folder = await takeWorkFolder(runner.workFolder, { batch: facts.batch, job: number, fence })
  let job: JobInProgress = { ...task, folder, claimedIn: task.state, correlationId: running.correlationId }
  for (let state: WorkState = task.state; ; ) {
    running.enter(state)
    const done = await attempt(state, job, runner, context)
    if (done.kind === 'done') runner.waits.over(`job/${number}`)
    if (done.kind === 'put-off') {
      await context.jobIn(state)
      return release(done.reason, addMillis(runner.tools.clock.now(), done.millis))
    }
    if (done.kind === 'failed') {
      const { message, permanent } = done
      return reports.report('step.failed', {
        job: number,
        fence,
        state,
        message,
        ...(permanent && { permanent }),
      })
    }
    job = withResult(job, done.result)
    const isReleased = await isGivenBack(state, job, runner)
    reports.done({ job: number, fence }, { state, result: done.result })
    const next = after(state)
    if (isReleased || next === undefined) return running.aside(reports.flush(isReleased))
    if (task.deaths > 0) await context.jobIn(next)
    state = next
  }
}

const after = (state: WorkState): WorkState | undefined => workStates[workStates.indexOf(state) + 1]

const contextOf = (
  job: number,
  fence: number,
  reports: StepReports,
  { tools: { services, clock } }: JobRunner,
  { signal, progress, aside }: ClaimContext,
): StepContext => ({
  signal,
  progress,
  handedOn: {},
  aside,
  jobIn: async (state) => {
    await reports.flush()
    const poll = async () => {
      progress()
      const known = await services.job(job)
      return { known, isDone: isAt(known, fence, state) }
    }
    const seen = await aside(waitUntil(poll, { clock, signal }))
    signal.throwIfAborted()
    return seen.known as Job
  },
})

/** Throws if the claim is lost: the job will not reach that state under it. */
const isAt = (job: Job | undefined, fence: number, state: WorkState): boolean => {
  if (job?.claims.lease?.fence !== fence)
    throw new Error('another process holds the job now, or it has ended')
  return job.state === state
}

/** Runs a step and returns its outcome. Runs it again while a dependency is unavailable: each step may be repeated. */
const attempt = async (
  state: WorkState,
  job: JobInProgress,
  runner: JobRunner,
  context: StepContext,
): Promise<Outcome> => {
  const { steps, tools, log } = runner
  const step = steps[state] as Step<WorkState>
  let outcome: Outcome | undefined
  const work = async () => {
    outcome = await step(job, tools, context).then(
      (result): Outcome => ({ kind: 'done', result }),
      (error: unknown) => asOutcome(error, job.job, runner, context),
    )
  }
  await keepTrying(work, {
    clock: tools.clock,
    signal: context.signal,
    isOver: () => outcome !== undefined || context.signal.aborted,
    onFailure: (failed) => {
      if (!(failed.error instanceof UnavailableError)) throw failed.error
      log[levelOf(failed)]({ err: failed.error, job: job.job, state }, 'a step failed; retrying')
      context.progress()
    },
  })
  if (outcome) return outcome
  context.signal.throwIfAborted()
  throw new Error('the step ended without an outcome')
}

const maxMessageLength = 2000

/** Rethrows errors that do not concern the job: it is stopped, or a dependency is unavailable. */
const asOutcome = async (
  error: unknown,
  job: number,
  { workFolder, waits }: JobRunner,
  { signal }: StepContext,
): Promise<Outcome> => {
  signal.throwIfAborted()
  if (error instanceof UnavailableError) throw error
  if (error instanceof StepPutOff) return { kind: 'put-off', reason: error.message, millis: error.millis }
  const machine = machineFailure(error, [workFolder])
  if (machine)
    return { kind: 'put-off', reason: machine.message, millis: await waits.begin(`job/${job}`, machine) }
  const permanent = error instanceof UnusableContent || (error instanceof StepFailure && error.permanent)
  const message =
    clip(diskReason(error) ?? errorMessage(error), maxMessageLength) || 'it failed without giving a reason'
  return { kind: 'failed', message, permanent }
}

/** The job's state in the log once the report is processed. */
const withResult = (job: JobInProgress, result: object): JobInProgress => {
  const { priority = job.priority, ...rest } = result as { readonly priority?: number }
  const { listed: _, object: __, ...found } = rest as { listed?: unknown; object?: unknown }
  return { ...job, found: { ...job.found, ...found }, priority }
}

/**
 * True if the claim is released after a step: while all ingest is paused, to give out room in order, and to wait for
 * another inventory.
 */
const isGivenBack = async (
  state: WorkState,
  { job, fence, priority, found }: JobInProgress,
  { tools: { services } }: JobRunner,
): Promise<boolean> => {
  if ((await services.paused()) !== undefined) return true
  if (state === 'storing') return services.recordsElsewhere
  if (state !== 'estimating') return false
  const { spaceNeeded = 0, sizeKnown = false, workBytes = sizeKnown ? spaceNeeded : null } = found
  return !(await services.provisioning.mayGoOn({ job, fence, priority }, workBytes))
}
