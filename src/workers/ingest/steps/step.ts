import type { Logger } from 'pino'
import type { Hold } from '../../../async/hold.ts'
import type { Job } from '../../../domain/ingest/job/state.ts'
import type { ObjectFile } from '../../../domain/ingest/payload.ts'
import type { DoneStep } from '../../../domain/ingest/step-messages.ts'
import type { JobTask } from '../../../domain/ingest/tasks.ts'
import type { WorkState } from '../../../domain/ingest/transitions.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Minter } from '../../../ports/minter.ts'
import type { ObjectStore } from '../../../ports/object-store.ts'
import type { InConversation } from '../../../ports/task-queue.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import type { Tool } from '../characterise/tool.ts'
import type { Fetcher } from '../fetch/fetcher.ts'
import type { FileWork } from '../files/file-work.ts'
import type { IngestServices } from '../services.ts'
import type { StorageManifest } from '../storage-manifest.ts'
import type { WorkFolder } from '../work-folder.ts'
import type { Callbacks } from './callbacks.ts'

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

/** It cannot be done now, as another job has what it needs: it is tried again at a time. */
export class StepPutOff extends Error {
  override readonly name = 'StepPutOff'
  readonly millis: number

  constructor(message: string, millis: number) {
    super(message)
    this.millis = millis
  }
}

/** A job in a worker's hands, with all that its steps have found out so far. */
export type JobInHand = Omit<JobTask, 'state'> &
  InConversation & {
    readonly folder: WorkFolder
    /** In which state this worker took it: what was done before, another one did. */
    readonly claimedIn: WorkState
  }

export interface StepTools {
  readonly services: IngestServices
  readonly fetcher: Fetcher
  readonly files: FileWork
  /** Beneath which folders are submitted; any, where there are none. */
  readonly folders: readonly string[] | undefined
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly objectStore: () => Promise<ObjectStore>
  readonly minter: Minter
  /** Where identifiers are minted, unless the profile names another: `ark:/99999/fk4`. */
  readonly shoulder: string
  /** Calls back when views have moved on; returns how to stop that. */
  readonly onViewChange: (listener: () => void) => () => void
  readonly clock: Clock
  readonly log: Logger
  /** Files of one job that are fetched at once. */
  readonly fetches: number
  /** Says of which format files are; undefined where none is set. */
  readonly characteriser: Tool | undefined
  readonly callbacks: Callbacks
  /** Tells other systems of a callback, and of its answer. */
  readonly callbackMade: (made: CallbackMade) => Promise<void>
}

interface CallbackMade {
  readonly job: number
  readonly batch: string
  readonly callback: string
  readonly status: number
  readonly ok: boolean
}

/** What steps hand on to the next under one claim. Under another one it is read from the work folder. */
export interface HandedOn {
  producer?: readonly ObjectFile[] | undefined
  manifest?: StorageManifest
}

/** What a step gets for one job. */
export interface StepContext extends Hold {
  readonly handedOn: HandedOn
  /** To be waited for what others do: the job takes no hand meanwhile. */
  readonly aside: <A>(wait: Promise<A>) => Promise<A>
  /** The job, once the log knows it in that state. */
  readonly jobIn: (state: WorkState) => Promise<Job>
}

type ResultOf<State extends WorkState> = Extract<DoneStep, { state: State }>['result']

export type Step<State extends WorkState> = (
  job: JobInHand,
  tools: StepTools,
  context: StepContext,
) => Promise<ResultOf<State>>

export type Steps = { readonly [State in WorkState]: Step<State> }
