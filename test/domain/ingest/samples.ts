import { type Either, isRight } from 'fp-ts/lib/Either.js'
import type { BatchCommand } from '#src/domain/ingest/batch/commands.ts'
import { batchDecider } from '#src/domain/ingest/batch/decide.ts'
import type { BatchEvent } from '#src/domain/ingest/batch/events.ts'
import type { BatchOrNone } from '#src/domain/ingest/batch/state.ts'
import type { JobCommand } from '#src/domain/ingest/job/commands.ts'
import { jobDecider } from '#src/domain/ingest/job/decide.ts'
import type { JobEvent } from '#src/domain/ingest/job/events.ts'
import type { JobChanges, JobFacts } from '#src/domain/ingest/job/facts.ts'
import type { JobOrNone } from '#src/domain/ingest/job/state.ts'
import type { ListedObject } from '#src/domain/ingest/payload.ts'
import type { Profile } from '#src/domain/ingest/profile/profile.ts'
import type { Submission } from '#src/domain/ingest/submission.ts'
import { type JobState, type WorkState, workStates } from '#src/domain/ingest/transitions.ts'
import { type Command, type Decided, type Decider, decisionOf } from '#src/domain/kernel/decider.ts'
import type { DomainEvent } from '#src/domain/kernel/event.ts'
import { addMillis, MINUTE } from '#src/domain/kernel/time.ts'
import { specify } from '../../given.ts'

export const t = (minutes: number) => addMillis('2026-01-31T12:00:00.000Z', minutes * MINUTE)
export const by = (minutes = 0) => ({ actor: 'ada', at: t(minutes) })

export const batchId = '5b0c6f3e-8a4d-4f0e-9d59-3a1f0c9d7e21'
export const ark = 'ark:/99999/fk4abc'
export const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
export const millis = 10 * MINUTE

export const profile: Profile = { name: 'letters', collection: 'letters', notifyTo: ['curator@example.org'] }
export const submission: Submission = {
  profile: 'letters',
  submitter: 'bob@example.org',
  payload: { url: 'file:///drop/letters.checkm', type: 'batch-manifest' },
  mode: 'add',
}
export const object = (n: number): ListedObject => ({
  payload: { url: `file:///drop/${n}.tif`, type: 'file' },
  localIds: [`loc${n}`],
})
export const facts: JobFacts = {
  batch: batchId,
  batchNumber: 7,
  job: 12,
  index: 0,
  profile: 'letters',
  collection: 'letters',
  owner: 'none',
  submitter: 'bob@example.org',
  payload: { url: 'file:///drop/0.tif', type: 'file' },
  mode: 'add',
  localIds: [],
  priority: 5,
}

/** The events of some commands, one after the other; each must be taken. */
const played =
  <S, C extends Command, E extends DomainEvent, R extends { code: string; message: string }, Result>(
    decider: Decider<S, C, E, R, Result>,
  ) =>
  (events: readonly E[], ...commands: readonly C[]): readonly E[] => {
    const history = [...events]
    for (const command of commands) {
      const state = history.reduce(decider.evolve, decider.initial)
      const decided = decider.decide(command, state) as Either<R, Decided<E, Result>>
      if (!isRight(decided)) throw new Error(`${command.type}: ${decided.left.code}: ${decided.left.message}`)
      history.push(...decisionOf<E, Result>(decided.right).events)
    }
    return history
  }

/* Jobs. */

export const givenJob = specify(jobDecider)
export const playJob = played(jobDecider)
export const jobAfter = (events: readonly JobEvent[]): NonNullable<JobOrNone> =>
  events.reduce(jobDecider.evolve, jobDecider.initial)!

export const create: JobCommand = { type: 'CreateJob', facts, ...by() }
export const claimJob = (state: WorkState, minutes = 1, holder = 'worker-1'): JobCommand => ({
  type: 'ClaimJob',
  state,
  holds: {},
  holder,
  deadline: t(minutes + 10),
  millis,
  ...by(minutes),
})

/** What a step must find out. */
export const findings = (state: WorkState): JobChanges => {
  if (state === 'processing') return { ark, localIds: [] }
  if (state === 'storing') return { ark, version: 1, inventoryDigest: 'd1', files: 3, bytes: 300 }
  return state === 'estimating' ? { spaceNeeded: 1000, sizeKnown: true } : {}
}
export const complete = (
  state: WorkState,
  fence = 1,
  changes: JobChanges = findings(state),
  more: Partial<JobCommand> = {},
): JobCommand =>
  ({ type: 'CompleteStep', state, fence, changes, ...by(2), ...more }) as Extract<
    JobCommand,
    { type: 'CompleteStep' }
  >
export const fail = (state: WorkState, fence = 1, permanent?: boolean): JobCommand => ({
  type: 'FailStep',
  state,
  fence,
  message: 'it broke',
  permanent,
  ...by(2),
})
export const resume = (to?: WorkState): JobCommand => ({ type: 'ResumeJob', reason: 'mended', to, ...by(3) })
export const reason = { reason: 'the depositor asked' }

/** A job in a state, on the straight way; `claimed`: under its first claim. */
export const jobIn = (state: JobState, claimed = false): readonly JobEvent[] => {
  const held = (events: readonly JobEvent[]) => playJob(events, { type: 'HoldJob', ...reason, ...by() })
  const created = playJob([], create)
  if (state === 'held') return held(created)
  if (state === 'failed') return playJob(created, claimJob('pending'), fail('pending'))
  if (state === 'deleted')
    return playJob(held(created), { type: 'DeleteJob', confirmed: true, ...reason, ...by() })
  const way = workStates.slice(0, state === 'completed' ? workStates.length : workStates.indexOf(state))
  const events = playJob(created, claimJob('pending'), ...way.map((step) => complete(step)))
  if (claimed || state === 'completed') return events
  return playJob(events, { type: 'ReleaseClaim', fence: 1, reason: 'stopping', ...by(2) })
}

/** Failed in a state. */
export const failedIn = (state: WorkState, permanent?: boolean) =>
  playJob(jobIn(state, true), fail(state, 1, permanent))

/* Batches. */

export const givenBatch = specify(batchDecider)
export const playBatch = played(batchDecider)
export const batchAfter = (events: readonly BatchEvent[]): NonNullable<BatchOrNone> =>
  events.reduce(batchDecider.evolve, batchDecider.initial)!

export const submit: BatchCommand = { type: 'SubmitBatch', submission, profile, ...by() }
export const number: BatchCommand = { type: 'NumberBatch', number: 7, ...by() }
export const claimBatch = (
  task: 'open' | 'report' | 'mail',
  minutes = 1,
  holds: { all?: string; collection?: string } = {},
): BatchCommand => ({
  type: 'ClaimBatch',
  task,
  holds,
  holder: 'worker-1',
  deadline: t(minutes + 10),
  millis,
  ...by(minutes),
})
export const note = (
  index: number,
  end: 'open' | 'completed' | 'failed' | 'deleted',
  revision: number,
): BatchCommand => ({ type: 'NoteJobs', notes: [{ index, end, revision }], ...by(5) })

export const submitted = playBatch([], submit, number)
/** Read to its end: `jobs` objects are listed. */
export const read = (jobs: number, asked: BatchCommand = submit) =>
  playBatch(
    [],
    asked,
    number,
    claimBatch('open'),
    {
      type: 'ListObjects',
      fence: 1,
      from: 0,
      objects: Array.from({ length: jobs }, (_, i) => object(i)),
      ...by(1),
    },
    { type: 'EndListing', fence: 1, count: jobs, payloadType: 'batch-manifest', ...by(1) },
  )
export const openBatch: BatchCommand = { type: 'OpenBatch', firstJob: 12, ...by(2) }
export const opened = (jobs: number, asked?: BatchCommand) => playBatch(read(jobs, asked), openBatch)
export const saveReport = (fence = 2): BatchCommand => ({ type: 'SaveReport', fence, failures: [], ...by(6) })
/** Every job has ended so. */
export const reporting = (...ends: ('completed' | 'failed' | 'deleted')[]) =>
  playBatch(opened(ends.length), ...ends.map((end, i) => note(i, end, 9)))
export const reported = (...ends: ('completed' | 'failed' | 'deleted')[]) =>
  playBatch(reporting(...ends), claimBatch('report', 5), saveReport())
/** What was moved, as `from→to row`. */
export const moves = (events: readonly (JobEvent | BatchEvent)[]): readonly string[] =>
  events.flatMap((event) =>
    event.type === 'JobMoved' || event.type === 'BatchMoved'
      ? [`${event.data.from} → ${event.data.to} ${event.data.cause}`]
      : [],
  )
