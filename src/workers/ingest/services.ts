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
import type { Correlated, MachineWaiting, TaskQueue } from '../../ports/task-queue.ts'

/* Requests of workers to the log. All throw `UnavailableError`. */

type Answer<A = void> = Promise<Either<IngestRejection, A>>

interface Identifiers {
  /** Left `taken`: it belongs to another job; choose another ARK. The same job gets its own again. */
  reserveArk(of: ObjectHolder, ark: string): Answer
  /** Left `held`: another job stores a version of it. */
  claimObject(of: ObjectHolder, ark: string): Answer
  /** Returns the object of the local id; undefined: none yet, and this job alone may find or mint it. Left `held`. */
  claimLocalId(of: ObjectHolder, owner: string, localId: string): Answer<string | undefined>
  /** Left `other-ark`: it is bound to another object. */
  bindLocalId(of: ObjectHolder, owner: string, localId: string, ark: string): Answer
  /** Adds the version and its files to the object. Left: this job may not do that. */
  recordVersion(
    of: ObjectHolder,
    version: RecordedVersion,
    files: readonly ObjectFile[],
    facts: ObjectFacts,
  ): Answer
  knownObject(ark: string): Promise<KnownObject>
}

/** Whether the storage root of this process is the archive's. */
interface StorageRight {
  /** Why nothing may be stored from here, and what to do; undefined if it may. */
  readonly refusal: () => Promise<string | undefined>
  /** True if the archive has adopted a root, and this is it. */
  readonly isAdopted: () => Promise<boolean>
  /** The result of the last check. */
  readonly last: () => string | undefined
}

interface Provisioning {
  /** Jobs that waited for room and have it now. */
  readonly queue: TaskQueue<JobTask>
  /** Gives a job room at once. False if others wait for room, or if it may not be given out here. */
  mayGoOn(
    claim: { readonly job: number; readonly fence: number; readonly priority: number },
    need: number | null,
  ): Promise<boolean>
  /** Leaves giving out room to another process. */
  stop(): Promise<void>
}

export interface IngestServices {
  /** Existing sites of this process. */
  readonly sites: () => Promise<readonly string[]>
  /** The site of the work folder. Created if missing. */
  readonly workSite: () => Promise<string>
  readonly storage: StorageRight
  /** In the order in which they are polled. */
  readonly batchQueues: readonly TaskQueue<BatchWork>[]
  /** All queues but that of provisioning. */
  readonly jobQueues: readonly TaskQueue<JobTask>[]
  readonly provisioning: Provisioning
  readonly identifiers: Identifiers
  readonly job: (job: number) => Promise<Job | undefined>
  /** The profile as of the submission of the batch. */
  readonly termsOf: (batch: string) => Promise<Profile>
  /** Another system records stored versions: no worker does anything in recording. */
  readonly recordsElsewhere: boolean
  /** Why all ingest is paused; undefined if it is not. */
  readonly paused: () => Promise<string | undefined>
  /** Called before the first byte goes to the mail server. False: do not send it. */
  readonly startMail: (work: BatchWork, mail: DueMail) => Promise<boolean>
}

/** Parameters of the queues, from the worker that polls them. */
export interface IngesterHooks {
  readonly worker: string
  readonly reportJobFailure: (task: JobTask, reason: string, of: Correlated) => Promise<void>
  readonly reportBatchFailure: (work: BatchWork, reason: string, of: Correlated) => Promise<void>
  /** Tasks that wait for this machine: `job/<number>` and `batch/<id>`. */
  readonly waits: MachineWaiting
  /** Size and use of the work volume, in bytes. */
  readonly room: () => Promise<Volume>
}
