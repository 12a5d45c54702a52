import type { Either } from 'fp-ts/lib/Either.js'
import type { Logger } from 'pino'
import type { DomainEvent } from '../domain/kernel/event.ts'
import type { EventSet } from '../domain/kernel/event-set.ts'
import type { TopicSpec } from '../domain/kernel/message.ts'
import type { Rejection } from '../domain/kernel/rejection.ts'
import type { Broker } from '../ports/broker.ts'
import type { Clock } from '../ports/clock.ts'
import type { ContentStore } from '../ports/content-store.ts'
import type { EventStore } from '../ports/event-store.ts'
import type { ProcessLock } from '../ports/process-lock.ts'
import type { SnapshotStore } from '../ports/snapshot-store.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { ViewStore } from '../ports/view-store.ts'
import type { Execute } from '../processors/runtime/execute.ts'
import type { Follower } from '../processors/runtime/follow.ts'
import type { KeepApart } from '../processors/runtime/keep-lease.ts'
import type { OperatorCommand } from '../processors/runtime/operator-command.ts'
import type { Processor } from '../processors/runtime/processor.ts'
import type { Reaction } from '../processors/runtime/reaction.ts'
import type { PartitionWatch } from '../processors/runtime/resting.ts'
import type { StreamStates } from '../processors/runtime/stream-states.ts'
import type { Overdue } from '../processors/runtime/ticker.ts'
import type { Projection } from '../projections/runtime/projection.ts'
import type { Config } from './settings.ts'

/** Everything that roles, commands and routes are built on. Made by main.ts alone. */
export interface System {
  readonly config: Config
  readonly eventStore: EventStore
  readonly broker: Broker
  readonly viewStore: ViewStore
  readonly snapshots: SnapshotStore
  readonly processLock: ProcessLock
  readonly keepApart: KeepApart
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly log: Logger
  readonly states: StreamStates
  readonly execute: Execute
  /** What this process's processors are at. */
  readonly partitions: PartitionWatch
  readonly workflows: readonly Workflow[]
  readonly openContent: (root: string) => ContentStore
  /** Module that opens a content store, for worker threads: its default export is `openContent`. */
  readonly contentStoreModule: URL
  /** A log on a server, to be closed by who opens it. */
  readonly openEventStore: (address: string) => Promise<EventStore>
  /** Opens the embedded log to EventStoreDB's clients. Rejects where the port is taken. */
  readonly openGateway: (port: number) => Promise<RunningGateway>
  /** Prometheus text of all metrics. */
  readonly metrics: () => Promise<string>
  close(): Promise<void>
}

/** The embedded log speaking EventStoreDB's protocol. */
export interface RunningGateway {
  readonly port: number
  stop(graceMillis?: number): Promise<void>
}

/** A work a person or a machine can be given: `fonds worker <kind>`. */
export interface WorkerKind {
  readonly kind: string
  readonly description: string
  start(system: System, options: WorkerOptions): RunningWorker
}

export interface WorkerOptions {
  /** Tasks under way at once. */
  readonly hands: number
  /** Threads that do the heavy part. */
  readonly threads: number
  readonly bytesPerSecond?: number
  readonly itemsPerSecond?: number
  /** Calls back when there may be new work; returns the way to stop it. */
  readonly onNewWork: (listener: () => void) => () => void
}

export interface RunningWorker {
  readonly name: string
  busy(): number
  stop(graceMillis?: number): Promise<void>
}

/** What waits in a queue. */
export interface Waiting {
  readonly queue: string
  /** Due time of the oldest task that is due. */
  readonly oldest: string | undefined
  /** Tasks of the whole workflow that wait for a person. */
  readonly parked: number
  /** Tasks that wait for a worker, and workers that are there, where work is handed out by their number. */
  readonly capacity?: { readonly waiting: number; readonly workers: number }
}

/** An operator's command that may do something outside the log. */
export interface SystemCommand extends OperatorCommand {
  /**
   * Does it before it is recorded, while no process is at work on it; what was done is what `plan` takes. Done once more
   * under the same key, it must do no harm. Throws `Away`.
   */
  carryOut?(input: unknown, system: System): Promise<Either<Rejection, unknown>>
}

/** One archive's job, from its topics to its views. */
export interface Workflow {
  readonly name: string
  readonly description: string
  readonly topics: readonly TopicSpec[]
  readonly eventSets: readonly { readonly category: string; readonly events: EventSet<DomainEvent> }[]
  readonly projections: readonly Projection[]
  readonly commands: readonly SystemCommand[]
  readonly workers: readonly WorkerKind[]
  processors(system: System): readonly Processor[]
  reactions(system: System): readonly Reaction[]
  /** Serial work along the log that is more than a command an event. As reactions, in one process at a time. */
  followers(system: System): readonly Follower[]
  overdue(system: System): readonly Overdue[]
  waiting(system: System): readonly Waiting[]
  /** The streams that hold the life of what a person calls `id`; none when it is not this workflow's. */
  streamsOf(id: string): readonly string[]
}

export const projectionsOf = (workflows: readonly Workflow[]): readonly Projection[] =>
  workflows.flatMap((workflow) => workflow.projections)

export const topicsOf = (workflows: readonly Workflow[]): readonly TopicSpec[] =>
  workflows.flatMap((workflow) => workflow.topics)

export const commandsOf = (workflows: readonly Workflow[]): readonly SystemCommand[] =>
  workflows.flatMap((workflow) => workflow.commands)
