import type { Either } from 'fp-ts/lib/Either.js'
import type { Rejection } from '../domain/kernel/rejection.ts'
import type { Mailer } from '../ports/mailer.ts'
import type { GaugeName } from '../ports/telemetry.ts'
import type { Subscription } from '../processors/runtime/leader-subscription.ts'
import type { By, OperatorCommand } from '../processors/runtime/operator-command.ts'
import type { Reaction } from '../processors/runtime/reaction.ts'
import type { Overdue } from '../processors/runtime/ticker.ts'
import type { RunningWorker, WorkerOptions } from '../workers/runtime/worker.ts'
import type { HomeAdapters } from './adapters.ts'
import type { Cause } from './cause.ts'
import type { Finding } from './finding.ts'
import type { HttpAddress } from './http-address.ts'
import type { Intake } from './intake.ts'
import type { KeptFiles } from './kept-files.ts'
import type { Overview } from './overview.ts'
import type { Questions } from './questions.ts'
import type { SystemConfig } from './system/settings.ts'
import type { TaskOffer } from './task-offer.ts'
import type { ProcessingWorkflow, WorkflowContext } from './workflow-context.ts'

/**
 * A kind of worker: `fonds worker <kind>` runs one. Its code is loaded when it starts, so that no other command waits
 * for it.
 */
export interface WorkerKind<Config extends SystemConfig = SystemConfig> {
  readonly kind: string
  readonly description: string
  start(context: WorkflowContext<Config>, options: WorkerOptions): Promise<RunningWorker>
  /** For a kind that needs no home: neither log nor views. */
  startAlone?(context: AloneContext<Config>): Promise<RunningWorker>
}

/** Dependencies that exist without a home. */
export type AloneContext<Config extends SystemConfig = SystemConfig> = Pick<
  WorkflowContext<Config>,
  'config' | 'clock' | 'telemetry' | 'log'
> & {
  readonly adapters: HomeAdapters
}

/** The waiting tasks of a queue. */
export interface Waiting {
  readonly queue: string
  /** Due time of the oldest task that is due. */
  readonly oldest: string | undefined
  /** Tasks of the whole workflow that wait for a person. */
  readonly parked: number
  /** Tasks that wait for a worker, and present workers; for queues that hand out tasks by the number of workers. */
  readonly capacity?: { readonly waiting: number; readonly workers: number }
}

/** Returns the running work. It ends by itself once the term is over; `stop` aborts it. */
export type Duty = (term: { readonly isLeader: () => boolean }) => { stop(): Promise<void> }

/** Amounts of a workflow's things. */
export interface Amounts {
  /** True if a person has paused it. Absent: it cannot be paused. */
  readonly isPaused?: boolean
  readonly inState: readonly { readonly what: string; readonly state: string; readonly count: number }[]
  readonly bytesInProcess: number
}

/** All values of a gauge. */
export interface Measured {
  readonly gauge: GaugeName
  readonly values: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[]
}

/** A command that was given before, as the log has it. */
export interface DoneBefore extends Pick<By, 'actor' | 'reason'> {
  /** `route` gets it. */
  readonly done: unknown
}

/** An operator's command that may have effects outside the log. */
export interface SystemCommand extends OperatorCommand {
  /**
   * Returns what a command with the same cause did; undefined: the log has none. Nothing that was typed for the repetition is kept
   * then, and `carryOut` does not run. Throws `UnavailableError`.
   */
  doneBefore?(cause: string, context: WorkflowContext): Promise<DoneBefore | undefined>
  /** Returns the input by the names that the log has. Nothing is done by it. Throws `UnavailableError`. */
  byLog?(input: unknown, context: WorkflowContext): Promise<unknown>
  /**
   * Runs before the command is recorded; `route` gets its result as input. Must be idempotent under the same key.
   * Its events have `cause` as their cause. Throws `UnavailableError`.
   */
  carryOut?(
    input: unknown,
    context: WorkflowContext,
    by: By & { readonly cause?: string },
  ): Promise<Either<Rejection, unknown>>
  /**
   * Runs with what `route` got, once the log has the command, whether or not it had it before. Throws `UnavailableError`.
   */
  afterwards?(done: unknown, context: WorkflowContext): Promise<void>
}

/** A workflow, from its topics to its views. `Config`: the settings that it sees, its own among them. */
export interface Workflow<Config extends SystemConfig = SystemConfig> extends ProcessingWorkflow<Config> {
  /** `fonds <workflow> <question>` and `GET /api/v1/<workflow>/<question>`, in the order of the help. */
  readonly questions: Questions
  readonly commands: readonly SystemCommand[]
  readonly workers: readonly WorkerKind<Config>[]
  /** Tasks that may be taken over HTTP. */
  readonly offers?: readonly TaskOffer[]
  /** Intakes over HTTP, with files. */
  readonly intakes?: readonly Intake[]
  /** HTTP addresses that other systems' programs expect. */
  readonly addresses?: readonly HttpAddress[]
  reactions(context: WorkflowContext<Config>): readonly Reaction[]
  /** Subscriptions that do more than a command for each event. Like reactions, they run in one process at a time. */
  subscriptions(context: WorkflowContext<Config>): readonly Subscription[]
  overdue(context: WorkflowContext<Config>): readonly Overdue[]
  /** Work that one process at a time does, for as long as its term lasts, and that may take long. */
  duties?(context: WorkflowContext<Config> & { readonly mailer: Mailer | undefined }): readonly Duty[]
  waiting(context: WorkflowContext<Config>): readonly Waiting[]
  /** Causes that wait for a person, by its views: notices and doctor report them. Throws `UnavailableError`. */
  attention?(context: WorkflowContext<Config>): Promise<readonly Cause[]>
  /**
   * Causes that were given to a person, by the person's reference. Those whose last one was settled of late are there, too, with
   * none. Throws `UnavailableError`.
   */
  assigned?(context: WorkflowContext<Config>): Promise<ReadonlyMap<string, readonly Cause[]>>
  /** A sentence without a full stop for a cause of `attention` that is over; undefined: none of its own. */
  endOf?(key: string): string | undefined
  /** Its work and its needs, for home. */
  readonly overview?: {
    /** A thing of its activity, and several: `check`, `checks`. */
    readonly counts: readonly [one: string, many: string]
    /** Undefined if its views are not folded; throws `ViewQueryError` while they are of an earlier program. */
    ask(context: WorkflowContext<Config>): Promise<Overview | undefined>
  }
  /** Lines of doctor. Throws `UnavailableError`. */
  checks?(context: WorkflowContext<Config>): Promise<readonly Finding[]>
  /** Folders that it writes to, beside the home, whether or not they exist. */
  folders?(config: Config): readonly string[]
  /** Files beside the log that a backup copies. */
  kept?(config: Config): readonly KeptFiles[]
  /** For monitoring; absent: nothing is counted. */
  amounts?(context: WorkflowContext<Config>): Amounts
  /** For monitoring, too: read at each scrape. Throws `UnavailableError`, and `InvalidSetting` if it is damaged. */
  measures?(context: WorkflowContext<Config>): Promise<readonly Measured[]>
}

export const commandsOf = (workflows: readonly Workflow[]): readonly SystemCommand[] =>
  workflows.flatMap((workflow) => workflow.commands)

/** A workflow without parts: spread it, and add those that it has. */
export const emptyWorkflow = {
  topics: [],
  eventSets: [],
  projections: [],
  questions: {},
  commands: [],
  workers: [],
  processors: () => [],
  reactions: () => [],
  subscriptions: () => [],
  overdue: () => [],
  waiting: () => [],
  streamsOf: () => [],
} satisfies Omit<Workflow, 'name' | 'description'>
