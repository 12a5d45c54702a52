import type { Either } from 'fp-ts/lib/Either.js'
import type { Logger } from 'pino'
import type { DomainEvent, RecordedEvent } from '../domain/kernel/event.ts'
import type { EventSet } from '../domain/kernel/event-set.ts'
import type { TopicSpec } from '../domain/kernel/message.ts'
import type { Rejection } from '../domain/kernel/rejection.ts'
import type { Broker } from '../ports/broker.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventStore } from '../ports/event-store.ts'
import type { ProcessLock } from '../ports/process-lock.ts'
import type { SettingRules } from '../ports/setting-rules.ts'
import type { SnapshotStore } from '../ports/snapshot-store.ts'
import type { GaugeName } from '../ports/telemetry.ts'
import type { ViewStore } from '../ports/view-store.ts'
import type { Execute } from '../processors/runtime/execute.ts'
import type { Subscription } from '../processors/runtime/leader-subscription.ts'
import type { By, OperatorCommand } from '../processors/runtime/operator-command.ts'
import type { Processor } from '../processors/runtime/processor.ts'
import type { Reaction } from '../processors/runtime/reaction.ts'
import type { StreamStates } from '../processors/runtime/stream-states.ts'
import type { Overdue } from '../processors/runtime/ticker.ts'
import type { Projection } from '../projections/runtime/projection.ts'
import type { Question } from '../projections/runtime/question.ts'
import type { CheckerContext } from '../workers/fixity/checker.ts'
import type { IndexingContext } from '../workers/indexing/indexing-context.ts'
import type { IngesterContext } from '../workers/ingest/ingester-context.ts'
import type { ResearcherContext } from '../workers/research/researcher.ts'
import type { RunningWorker, WorkerOptions } from '../workers/runtime/worker.ts'
import type { HttpAddress } from './http-address.ts'
import type { Intake } from './intake.ts'
import type { TaskOffer } from './task-offer.ts'

/** What the parts of a workflow are made with. */
export interface WorkflowContext extends CheckerContext, ResearcherContext, IngesterContext, IndexingContext {
  readonly config: CheckerContext['config'] &
    ResearcherContext['config'] &
    IngesterContext['config'] &
    IndexingContext['config'] & { readonly claimSeconds: number; readonly maxDeaths: number }
  readonly eventStore: EventStore
  readonly broker: Broker
  readonly viewStore: ViewStore
  readonly snapshots: SnapshotStore
  readonly clock: Clock
  readonly log: Logger
  readonly states: StreamStates
  readonly execute: Execute
  readonly processLock: ProcessLock
  /** What the archive's settings may be, and what they are here. */
  readonly settings: SettingRules
  /** All that run here. */
  readonly workflows: readonly Workflow[]
}

/** A kind of worker: `fonds worker <kind>` runs one. Its code is loaded when it starts, so that no other command waits for that. */
export interface WorkerKind {
  readonly kind: string
  readonly description: string
  start(context: WorkflowContext, options: WorkerOptions): Promise<RunningWorker>
  /** For one that needs no home: neither log nor views. */
  startAlone?(context: AloneContext): Promise<RunningWorker>
}

/** What there is without a home. */
export type AloneContext = Pick<WorkflowContext, 'config' | 'captureIndex' | 'clock' | 'telemetry' | 'log'>

/** What waits in a queue. */
export interface Waiting {
  readonly queue: string
  /** Due time of the oldest task that is due. */
  readonly oldest: string | undefined
  /** Tasks of the whole workflow that wait for a person. */
  readonly parked: number
  /** Tasks that wait for a worker, and workers that are present; where tasks are handed out by the number of workers. */
  readonly capacity?: { readonly waiting: number; readonly workers: number }
}

/** How much there is of what a workflow works on. */
export interface Amounts {
  /** A person has paused it. Absent: nobody can. */
  readonly isPaused?: boolean
  readonly inState: readonly { readonly what: string; readonly state: string; readonly count: number }[]
  readonly bytesInProcess: number
}

/** All that a gauge is to show. */
export interface Measured {
  readonly gauge: GaugeName
  readonly values: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[]
}

/** An operator's command that may do something outside the log. */
export interface SystemCommand extends OperatorCommand {
  /**
   * Done before the command is recorded; `route` gets its result as input. It must be idempotent under the same key.
   * Throws `UnavailableError`.
   */
  carryOut?(input: unknown, context: WorkflowContext, by: By): Promise<Either<Rejection, unknown>>
}

/** The folder of an object of the storage of ingest; undefined where that is not there. */
export type PlaceOfObject = (object: string) => string | undefined

/** What a workflow takes in, keeps and shows: enough to read it, without what handles its messages. */
export interface WorkflowModel {
  readonly name: string
  /** For the help: `fonds <workflow>` as a question; absent where the command line has none. */
  readonly summary?: string
  readonly description: string
  readonly topics: readonly TopicSpec[]
  readonly eventSets: readonly { readonly category: string; readonly events: EventSet<DomainEvent> }[]
  readonly projections: readonly Projection[]
  /** The streams that hold the life of what a person calls `id`; none when it is not this workflow's. */
  streamsOf(id: string): readonly string[]
  /** Where else the log tells of it, as far as the views know. */
  elsewhere?(id: string, viewStore: ViewStore): Elsewhere | undefined
  /** What else this workflow knows a thing by, what it is a part of, and what it came from. */
  related?(id: string, viewStore: ViewStore): readonly Related[]
  /** Where the bytes of a thing lie: absolute paths of files, or of the folder that holds them. */
  placesOf?(id: string, viewStore: ViewStore, placeOfObject: PlaceOfObject): readonly string[]
  /** What this workflow has at an absolute path, or below it: workflows that never met know the same bytes so. */
  thingsAt?(path: string, viewStore: ViewStore): readonly Related[]
}

/** A workflow, from its topics to its views. */
export interface Workflow extends WorkflowModel {
  /** `fonds <workflow> <question>` and `GET /api/v1/<workflow>/<question>`, in the order of the help. */
  readonly questions: readonly Question[]
  readonly commands: readonly SystemCommand[]
  readonly workers: readonly WorkerKind[]
  /** Tasks that may be taken over HTTP. */
  readonly offers?: readonly TaskOffer[]
  /** What may be handed in over HTTP, with files. */
  readonly intakes?: readonly Intake[]
  /** What programs of others expect over HTTP. */
  readonly addresses?: readonly HttpAddress[]
  processors(context: WorkflowContext): readonly Processor[]
  reactions(context: WorkflowContext): readonly Reaction[]
  /** Subscriptions that do more than a command for each event. Like reactions, they run in one process at a time. */
  subscriptions(context: WorkflowContext): readonly Subscription[]
  overdue(context: WorkflowContext): readonly Overdue[]
  waiting(context: WorkflowContext): readonly Waiting[]
  /** For monitoring; absent: nothing is counted. */
  amounts?(context: WorkflowContext): Amounts
  /** For monitoring, too: asked for at each scrape. Throws `UnavailableError`, and `InvalidSetting` for what is damaged. */
  measures?(context: WorkflowContext): Promise<readonly Measured[]>
}

/** Another thing whose life concerns this one's. */
export interface Related {
  readonly id: string
  /** What it is to this one: `the job that took it in`. */
  readonly says: string
}

/** Events of a thing that stand in no stream of its own: where they are, and the part of each that tells of it. */
export interface Elsewhere {
  /** From a position on, in the order of the log; at most so many. */
  positions(from: bigint, limit: number): readonly bigint[]
  /** Before a position, the newest first; at most so many. */
  positionsBefore(before: bigint | 'end', limit: number): readonly bigint[]
  /** Undefined where the event is in a stream of its own, or tells nothing of it. */
  partOf(event: RecordedEvent): RecordedEvent | undefined
}

export const projectionsOf = (workflows: readonly WorkflowModel[]): readonly Projection[] =>
  workflows.flatMap((workflow) => workflow.projections)

export const topicsOf = (workflows: readonly WorkflowModel[]): readonly TopicSpec[] =>
  workflows.flatMap((workflow) => workflow.topics)

export const commandsOf = (workflows: readonly Workflow[]): readonly SystemCommand[] =>
  workflows.flatMap((workflow) => workflow.commands)

/** A workflow without parts: spread it, and add those that there are. */
export const emptyWorkflow = {
  topics: [],
  eventSets: [],
  projections: [],
  questions: [],
  commands: [],
  workers: [],
  processors: () => [],
  reactions: () => [],
  subscriptions: () => [],
  overdue: () => [],
  waiting: () => [],
  streamsOf: () => [],
} satisfies Omit<Workflow, 'name' | 'description'>
