import { isLeft } from 'fp-ts/lib/Either.js'
import type { BatchCommand } from '#src/domain/ingest/batch/commands.ts'
import { batchDecider } from '#src/domain/ingest/batch/decide.ts'
import type { MailKind } from '#src/domain/ingest/batch/events.ts'
import { jobFacts } from '#src/domain/ingest/batch/job-facts.ts'
import type { EndOfJob } from '#src/domain/ingest/batch/jobs.ts'
import { dueMail } from '#src/domain/ingest/batch/mail.ts'
import type { Batch } from '#src/domain/ingest/batch/state.ts'
import { holdDecider } from '#src/domain/ingest/hold/decide.ts'
import { housekeepingDecider } from '#src/domain/ingest/housekeeping/decide.ts'
import {
  batchStream,
  type HoldScope,
  holdStream,
  housekeepingStream,
  jobStream,
  localIdStream,
  objectStream,
  profileStream,
  volumeStream,
} from '#src/domain/ingest/ids.ts'
import type { JobCommand } from '#src/domain/ingest/job/commands.ts'
import { jobDecider } from '#src/domain/ingest/job/decide.ts'
import type { JobOrNone } from '#src/domain/ingest/job/state.ts'
import { localIdDecider } from '#src/domain/ingest/local-id/decide.ts'
import { type ObjectCommand, objectDecider } from '#src/domain/ingest/object/decide.ts'
import type { ObjectState } from '#src/domain/ingest/object/state.ts'
import type { ListedObject } from '#src/domain/ingest/payload.ts'
import { profileDecider } from '#src/domain/ingest/profile/decide.ts'
import type { Profile } from '#src/domain/ingest/profile/profile.ts'
import type { Submission } from '#src/domain/ingest/submission.ts'
import { type WorkState, workStates } from '#src/domain/ingest/transitions.ts'
import { volumeDecider } from '#src/domain/ingest/volume/decide.ts'
import { type Command, type Decided, type Decider, decisionOf } from '#src/domain/kernel/decider.ts'
import type { DomainEvent, RecordedEvent } from '#src/domain/kernel/event.ts'
import {
  ark,
  batchId,
  findings,
  millis,
  object,
  profile,
  sha256,
  submission,
  t,
} from '../../domain/ingest/samples.ts'

interface Submitted {
  readonly id?: string
  readonly number?: number
  readonly firstJob?: number
  readonly objects?: readonly ListedObject[]
  readonly profile?: Profile
  readonly submission?: Partial<Submission>
}

type Without<C, Keys extends string> = C extends unknown ? Omit<C, Keys> : never

/** A log of ingest, of events that the deciders made. Each command comes a minute behind the one before. */
export const ingestLog = () => {
  const events: RecordedEvent[] = []
  const states = new Map<string, unknown>()
  const revisions = new Map<string, bigint>()
  let minutes = 0

  const now = () => t(minutes)

  const run = <
    S,
    C extends Command,
    E extends DomainEvent,
    R extends { code: string; message: string },
    Result,
  >(
    decider: Decider<S, C, E, R, Result>,
    stream: string,
    command: C,
  ): void => {
    const before = (states.has(stream) ? states.get(stream) : decider.initial) as S
    const decided = decider.decide(command, before)
    if (isLeft(decided)) throw new Error(`${command.type}: ${decided.left.code}: ${decided.left.message}`)
    let state = before
    for (const event of decisionOf<E, Result>(decided.right as Decided<E, Result>).events) {
      const revision = (revisions.get(stream) ?? -1n) + 1n
      revisions.set(stream, revision)
      const position = BigInt(events.length)
      const metadata = { actor: command.actor, causationId: 'c', correlationId: 'c', schema: 1 }
      events.push({
        ...event,
        id: String(position),
        stream,
        revision,
        position,
        recordedAt: command.at,
        metadata,
      })
      state = decider.evolve(state, event)
    }
    states.set(stream, state)
  }

  const by = (actor = 'ada') => {
    minutes += 1
    return { actor, at: now() }
  }

  const batchOf = (id: string) => states.get(batchStream(id)) as Batch
  const jobOf = (job: number) => states.get(jobStream(job)) as NonNullable<JobOrNone>
  const lease = (holder = 'worker-1') => ({ holder, deadline: t(minutes + 10), millis })

  const log = {
    events,
    now,
    /** Nothing happens for so many minutes. */
    wait: (more: number) => {
      minutes += more
    },
    batch: (id: string, command: Without<BatchCommand, 'actor' | 'at'>, actor?: string) =>
      run(batchDecider, batchStream(id), { ...command, ...by(actor) } as BatchCommand),
    job: (job: number, command: Without<JobCommand, 'actor' | 'at'>, actor?: string) =>
      run(jobDecider, jobStream(job), { ...command, ...by(actor) } as JobCommand),
    object: (of: string, command: Without<ObjectCommand, 'actor' | 'at' | 'ark'>) =>
      run(objectDecider, objectStream(of), { ...command, ark: of, ...by() } as ObjectCommand),
    hold: (
      scope: HoldScope,
      type: 'SetHold' | 'ReleaseHold' | 'ReleaseJobs',
      reason: string,
      actor = 'olga',
    ) => run(holdDecider, holdStream(scope), { type, reason, ...by(actor) }),
    setProfile: (set: Profile) =>
      run(profileDecider, profileStream(set.name), { type: 'SetProfile', profile: set, ...by() }),
    sweep: (before: string) =>
      run(housekeepingDecider, housekeepingStream, { type: 'RequestSweep', before, reason: 'room', ...by() }),
    claimVolume: (name: string) =>
      run(volumeDecider, volumeStream(name), { type: 'ClaimVolume', ...lease(), ...by() }),
    releaseVolume: (name: string, fence: number) =>
      run(volumeDecider, volumeStream(name), { type: 'ReleaseClaim', fence, reason: 'done', ...by() }),

    submit: ({ id = batchId, number = 7, profile: terms = profile, ...more }: Submitted = {}) => {
      const asked = { ...submission, profile: terms.name, ...more.submission }
      log.batch(id, { type: 'SubmitBatch', submission: asked, profile: terms }, 'depositor')
      log.batch(id, { type: 'NumberBatch', number })
      return id
    },
    claimBatch: (id: string, task: 'open' | 'report' | 'mail') => {
      log.batch(id, { type: 'ClaimBatch', task, holds: {}, ...lease() })
      return batchOf(id).claims.lastFence
    },
    /** Read to its end; its jobs are pending. */
    open: (given: Submitted = {}) => {
      const { objects = [object(0)], firstJob = 12 } = given
      const id = log.submit(given)
      const fence = log.claimBatch(id, 'open')
      log.batch(id, { type: 'ListObjects', fence, from: 0, objects })
      const { length: count } = objects
      log.batch(id, { type: 'EndListing', fence, count, payloadType: 'batch-manifest' })
      objects.forEach((each, i) => {
        const facts = jobFacts({ id, batch: batchOf(id), firstJob }, i, each)
        log.job(firstJob + i, { type: 'CreateJob', facts })
      })
      log.batch(id, { type: 'OpenBatch', firstJob })
      return id
    },
    claim: (job: number, holder?: string) => {
      log.job(job, { type: 'ClaimJob', state: jobOf(job).state as WorkState, holds: {}, ...lease(holder) })
      return jobOf(job).claims.lastFence
    },
    complete: (job: number, changes?: object, release = false) => {
      const { state, claims } = jobOf(job)
      const done = changes ?? findings(state as WorkState)
      log.job(job, {
        type: 'CompleteStep',
        state: state as WorkState,
        fence: claims.lastFence,
        changes: done,
        release,
      })
    },
    fail: (job: number, message = 'it broke', permanent?: boolean) => {
      const { state, claims } = jobOf(job)
      log.job(job, {
        type: 'FailStep',
        state: state as WorkState,
        fence: claims.lastFence,
        message,
        permanent,
      })
    },
    /** On from a job's state to another one, under one claim, given back at the end. `completed`: to its end. */
    walk: (job: number, to: WorkState | 'completed', of: string = ark, changes: object = {}) => {
      const fence = log.claim(job)
      const way = workStates.slice(workStates.indexOf(jobOf(job).state as WorkState))
      for (const state of way) {
        if (state === to) break
        const found = {
          ...findings(state),
          ...((state === 'processing' || state === 'storing') && { ark: of }),
          ...(state === 'processing' && { localIds: jobOf(job).facts.localIds }),
        }
        if (state === 'processing') log.object(of, { type: 'ReserveArk', job, fence })
        if (state === 'storing') log.store(of, job, fence)
        log.complete(job, { ...found, ...changes }, way[way.indexOf(state) + 1] === to)
      }
    },
    /** The step that it is at, whatever that needs. */
    finish: (job: number, of: string, release = false) => {
      const { state, claims, facts } = jobOf(job)
      const { lastFence: fence } = claims
      if (state === 'processing' && claims.lease) log.object(of, { type: 'ReserveArk', job, fence })
      if (state === 'storing' && claims.lease) log.store(of, job, fence)
      const found = findings(state as WorkState)
      const named = 'ark' in found ? { ark: of } : {}
      const localIds = 'localIds' in found ? { localIds: facts.localIds } : {}
      const later = state === 'estimating' ? { priority: job % 10 } : {}
      log.complete(job, { ...found, ...named, ...localIds, ...later }, release)
    },
    fenceOf: (job: number) => jobOf(job).claims.lastFence,
    store: (
      of: string,
      job: number,
      fence: number,
      version = 1,
      paths: readonly string[] = ['a.tif', 'b.tif', 'c.tif'],
    ) => {
      const { batch, profile: name, collection, owner, localIds, mode } = jobOf(job).facts
      // Whoever held it is done with it.
      const { holder: over } = (states.get(objectStream(of)) ?? {}) as ObjectState
      log.object(of, { type: 'ClaimObject', job, fence, over })
      log.object(of, {
        type: 'RecordVersion',
        job,
        fence,
        version,
        inventoryDigest: `d${version}`,
        files: paths.length,
        bytes: paths.length * 100,
        listed: paths.map((path) => ({ path, size: 100, sha256 })),
        object: { batch, profile: name, collection, owner, localIds, mode },
      })
    },
    bind: (owner: string, localId: string, job: number, to: string = ark) => {
      const fence = jobOf(job).claims.lastFence
      const stream = localIdStream(owner, localId)
      run(localIdDecider, stream, { type: 'ClaimLocalId', job, fence, ...by() })
      run(localIdDecider, stream, { type: 'BindLocalId', job, fence, ark: to, ...by() })
    },
    /** The batch is told what became of its jobs, by their places. */
    note: (id: string, ...ends: readonly (readonly [place: number, end: EndOfJob])[]) => {
      const { firstJob = 0 } = batchOf(id)
      const notes = ends.map(([index, end]) => {
        return { index, end, revision: Number(revisions.get(jobStream(firstJob + index))) }
      })
      log.batch(id, { type: 'NoteJobs', notes })
    },
    /** What became of these jobs by now. */
    noteAll: (id: string, numbers: readonly number[]) =>
      log.note(
        id,
        ...numbers.map((job) => {
          const { state, facts } = jobOf(job)
          const end = state === 'completed' || state === 'failed' || state === 'deleted' ? state : 'open'
          return [facts.index, end] as const
        }),
      ),
    /** The first that is due is sent, or is not. */
    mail: (id: string, command: (sending: { fence: number; mail: MailKind; report?: number }) => object) => {
      const fence = log.claimBatch(id, 'mail')
      const { mail, report } = dueMail(batchOf(id), now())!
      const sending = { fence, mail, ...(report !== undefined && { report }) }
      log.batch(id, { type: 'StartMail', ...sending })
      log.batch(id, command(sending) as BatchCommand)
    },
    report: (id: string, failures: readonly { job: number; message: string }[] = []) => {
      const fence = log.claimBatch(id, 'report')
      log.batch(id, { type: 'SaveReport', fence, failures })
    },
  }
  return log
}

export type IngestLog = ReturnType<typeof ingestLog>
