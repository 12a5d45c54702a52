import type { Logger } from 'pino'
import type { Call } from '../async/call.ts'
import type { Broker } from '../ports/broker.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventStore } from '../ports/event-store.ts'
import type { Mailer } from '../ports/mailer.ts'
import type { SnapshotStore } from '../ports/snapshot-store.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { ViewStore } from '../ports/view-store.ts'
import type { Webhook } from '../ports/webhook.ts'
import type { WorkInHand } from '../ports/work-in-hand.ts'
import type { ExecuteTogether } from '../processors/runtime/execute-together.ts'
import type { KeepApart } from '../processors/runtime/keep-lease.ts'
import type { MessageDeaths } from '../processors/runtime/message-deaths.ts'
import type { PartitionWatch } from '../processors/runtime/resting.ts'
import type { FoldApart } from '../projections/runtime/fold-all.ts'
import type { HomeAdapters } from '../workflows/adapters.ts'
import type { Workflow } from '../workflows/workflow.ts'
import type { WorkflowContext } from '../workflows/workflow-context.ts'
import type { WorkflowModel } from '../workflows/workflow-model.ts'
import type { Config } from './config/settings.ts'
import type { LiveSettings } from './live-settings.ts'

/** An open home: its log, its topics and its views. Enough to read it, and to put messages on topics. */
export interface Home {
  /** What it is set to, those settings of the log included that were there when it was opened. */
  readonly config: Config
  readonly settings: LiveSettings
  readonly eventStore: EventStore
  readonly broker: Broker
  readonly viewStore: ViewStore
  readonly snapshots: SnapshotStore
  readonly adapters: HomeAdapters
  readonly telemetry: Telemetry
  readonly clock: Clock
  readonly log: Logger
  readonly workflows: readonly WorkflowModel[]
  close(): Promise<void>
}

/** Everything that roles, commands and routes are built on. Made by main.ts alone. */
export interface System extends WorkflowContext {
  readonly config: Config
  readonly settings: LiveSettings
  readonly workflows: readonly Workflow[]
  readonly keepApart: KeepApart
  /** Where the log is embedded: projections may be folded in a thread of their own. */
  readonly foldApart?: FoldApart
  readonly executeTogether?: ExecuteTogether
  /** Called by who waits until all are as far as the log. */
  readonly checkpointsAwaited: Call
  /** What this process's processors are at. */
  readonly partitions: PartitionWatch
  /** What this process has in hand without a claim: it is known when the process has died of it. */
  readonly inHand: WorkInHand
  readonly messageDeaths: MessageDeaths
  /** Another log, on a server or as `sqlite:<file>`, to be closed by who opens it. */
  readonly openEventStore: (address: string) => Promise<EventStore>
  /** Opens the embedded log to EventStoreDB's clients. Rejects where the port is taken. */
  readonly openGateway: (port: number) => Promise<RunningGateway>
  /** Undefined where no mail server is set. */
  readonly mailer: Mailer | undefined
  /** Where notices are posted to. */
  readonly webhook?: Webhook | undefined
  /** Prometheus text of all metrics. */
  readonly metrics: () => Promise<string>
  close(): Promise<void>
}

/** The embedded log speaking EventStoreDB's protocol. */
export interface RunningGateway {
  readonly port: number
  stop(graceMillis?: number): Promise<void>
}
