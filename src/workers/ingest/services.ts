import type { Either } from 'fp-ts/lib/Either.js'
import type { DueMail } from '../../domain/ingest/batch/state.ts'
import type { Job } from '../../domain/ingest/job/state.ts'
import type { RecordedVersion } from '../../domain/ingest/object/decide.ts'
import type { ObjectFacts } from '../../domain/ingest/object/events.ts'
import type { ObjectHolder } from '../../domain/ingest/object/state.ts'
import type { KnownObject } from '../../domain/ingest/object/storage.ts'
import type { ObjectFile } from '../../domain/ingest/payload.ts'
import type { Profile } from '../../domain/ingest/profile/profile.ts'
import type { IngestRejection } from '../../domain/ingest/rejection.ts'
import type { Volume } from '../../domain/ingest/room.ts'
import type { BatchWork, JobTask } from '../../domain/ingest/tasks.ts'
import type { Claimed, InConversation, MachineWaiting, TaskQueue } from '../../ports/task-queue.ts'

/* What the hands ask of the log. All throw `UnavailableError`. */

type Answer<A = void> = Promise<Either<IngestRejection, A>>

interface Identifiers {
  /** Left `taken`: it belongs to another job; choose another one. The same job gets its own again. */
  reserveArk(of: ObjectHolder, ark: string): Answer
  /** Left `held`: another job stores a version of it. */
  claimObject(of: ObjectHolder, ark: string): Answer
  /** The object that the local id means; undefined: none yet, and this job alone may find or mint it. Left `held`. */
  claimLocalId(of: ObjectHolder, owner: string, localId: string): Answer<string | undefined>
  /** Left `other-ark`: it means another object. */
  bindLocalId(of: ObjectHolder, owner: string, localId: string, ark: string): Answer
  /** The object knows the version and its files. Left: it is not this job's to tell. */
  recordVersion(
    of: ObjectHolder,
    version: RecordedVersion,
    files: readonly ObjectFile[],
    facts: ObjectFacts,
  ): Answer
  knownObject(ark: string): Promise<KnownObject>
}

/** A claim that may also be put off: given back, and not offered again before. */
export interface ClaimedJob extends Claimed<JobTask> {
  putOff(reason: string, until: string): Promise<void>
}

export interface JobQueue extends TaskQueue<JobTask> {
  take(limit: number): Promise<readonly ClaimedJob[]>
}

/** Is the storage root that this process was told the archive's? */
interface StorageRight {
  /** Why nothing may be stored from here, and what to do; undefined where it may. */
  readonly refusal: () => Promise<string | undefined>
  /** As it was last found. */
  readonly last: () => string | undefined
}

interface Provisioning {
  /** Jobs that wait for room and have it now. */
  readonly queue: JobQueue
  /** Room for a job at once: false where others wait for it, or where it may not be given out here. */
  mayGoOn(
    claim: { readonly job: number; readonly fence: number; readonly priority: number },
    need: { readonly spaceNeeded: number; readonly sizeKnown: boolean },
  ): Promise<boolean>
  /** Lets another process give out the room. */
  stop(): Promise<void>
}

export interface IngestServices {
  /** Those of this process that are there. */
  readonly sites: () => Promise<readonly string[]>
  /** The site of the work folder. It is made where there is none. */
  readonly workSite: () => Promise<string>
  readonly storage: StorageRight
  /** In the order in which they are looked at. */
  readonly batchQueues: readonly TaskQueue<BatchWork>[]
  /** All but that of provisioning. */
  readonly jobQueues: readonly JobQueue[]
  readonly provisioning: Provisioning
  readonly identifiers: Identifiers
  readonly job: (job: number) => Promise<Job | undefined>
  /** The profile as it was when the batch was submitted. */
  readonly termsOf: (batch: string) => Promise<Profile>
  /** Another system records what is stored: no worker does anything in recording. */
  readonly recordsElsewhere: boolean
  /** Why all ingest is on hold; undefined while it is not. */
  readonly paused: () => Promise<string | undefined>
  /** Said before the first byte goes to the mail server. False: do not send it. */
  readonly startMail: (work: BatchWork, mail: DueMail) => Promise<boolean>
}

/** What the queues need of the worker that polls them. */
export interface IngesterHooks {
  readonly worker: string
  readonly reportJobFailure: (task: JobTask, reason: string, of: InConversation) => Promise<void>
  readonly reportBatchFailure: (work: BatchWork, reason: string, of: InConversation) => Promise<void>
  /** What waits for this machine: `job/<number>` and `batch/<id>`. */
  readonly waits: MachineWaiting
  /** Bytes of the work volume. */
  readonly room: () => Promise<Volume>
}
