import type { Logger } from 'pino'
import type { TaskContext } from '../../../async/task-context.ts'
import type { Job } from '../../../domain/ingest/job/state.ts'
import type { ObjectFile } from '../../../domain/ingest/payload.ts'
import type { DoneStep } from '../../../domain/ingest/step-messages.ts'
import type { JobTask } from '../../../domain/ingest/tasks.ts'
import type { WorkState } from '../../../domain/ingest/transitions.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Minter } from '../../../ports/minter.ts'
import type { ObjectStore, Stages } from '../../../ports/object-store.ts'
import type { Correlated } from '../../../ports/task-queue.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import type { Tool } from '../characterise/tool.ts'
import type { Fetcher } from '../fetch/fetcher.ts'
import type { FileWork } from '../files/file-work.ts'
import type { IngestServices } from '../services.ts'
import type { StorageManifest } from '../storage-manifest.ts'
import type { AnnouncedDigests } from '../submit/announced-digests.ts'
import type { WorkFolder } from '../work-folder.ts'
import type { Callbacks } from './callbacks.ts'
import type { Staged } from './staged.ts'

/** The step failed; the job waits for a person, who reads the message. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure'
  /** Only a new submission helps. */
  readonly permanent: boolean

  constructor(
    message: string,
    { permanent = false, ...options }: { permanent?: boolean } & ErrorOptions = {},
  ) {
    super(message, options)
    this.permanent = permanent
  }
}

/** The step is impossible at present, as another job has what it needs: it is retried after a time. */
export class StepPutOff extends Error {
  override readonly name = 'StepPutOff'
  readonly millis: number

  constructor(message: string, millis: number) {
    super(message)
    this.millis = millis
  }
}

/** A claimed job, with all that its steps have found so far. */
export type JobInProgress = Omit<JobTask, 'state'> &
  Correlated & {
    readonly folder: WorkFolder
    /** The state in which this worker claimed it: earlier steps were another worker's. */
    readonly claimedIn: WorkState
  }

export interface StepTools {
  readonly services: IngestServices
  readonly fetcher: Fetcher
  readonly files: FileWork
  /** Folders beneath which submissions may lie; undefined: any. */
  readonly folders: readonly string[] | undefined
  readonly announced: AnnouncedDigests
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly objectStore: () => Promise<ObjectStore>
  /** Takes bytes in before their version; undefined if storage does not, as in a folder. */
  readonly stages: () => Promise<Stages | undefined>
  readonly minter: Minter
  /** Where ARKs are minted, unless the profile names another: `ark:/99999/fk4`. */
  readonly shoulder: string
  /** Calls the listener when views have changed; returns a function that unsubscribes it. */
  readonly onViewChange: (listener: () => void) => () => void
  readonly clock: Clock
  readonly log: Logger
  /** Files of one job fetched at once. */
  readonly fetches: number
  /** Files of one job staged at once. */
  readonly stagings: number
  /** Identifies file formats; undefined if none is set. */
  readonly characteriser: Tool | undefined
  readonly callbacks: Callbacks
  /** Publishes a callback, and its answer. */
  readonly callbackMade: (made: CallbackMade) => Promise<void>
}

interface CallbackMade {
  readonly job: number
  readonly batch: string
  readonly callback: string
  readonly status: number
  readonly ok: boolean
}

/** The files that the depositor submitted, in the work folder. */
export interface BroughtFiles {
  readonly files: readonly ObjectFile[]
  /** Sentences on what the payload has beside them. */
  readonly warnings: readonly string[]
}

/** Results that steps pass to the next under one claim. Under another claim they are read from the work folder. */
export interface HandedOn {
  producer?: BroughtFiles | undefined
  manifest?: StorageManifest
  staged?: Staged
  /** Storage may have bytes of this claim that no version has adopted. */
  hasStage?: true
}

/** Context of the steps of one job. */
export interface StepContext extends TaskContext {
  readonly handedOn: HandedOn
  /** Awaits work of others: the job uses no concurrency meanwhile. */
  readonly aside: <A>(wait: Promise<A>) => Promise<A>
  /** Returns the job, once the log has it in that state. */
  readonly jobIn: (state: WorkState) => Promise<Job>
}

type ResultOf<State extends WorkState> = Extract<DoneStep, { state: State }>['result']

export type Step<State extends WorkState> = (
  job: JobInProgress,
  tools: StepTools,
  context: StepContext,
) => Promise<ResultOf<State>>

export type Steps = { readonly [State in WorkState]: Step<State> }
