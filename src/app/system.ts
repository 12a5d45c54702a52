import type { Logger } from 'pino'
import type { Call } from '../async/broadcast.ts'
import type { Broker } from '../ports/broker.ts'
import type { ProbeBucket } from '../ports/bucket-prober.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventStore } from '../ports/event-store.ts'
import type { IdentityProvider } from '../ports/identity-provider.ts'
import type { Mailer } from '../ports/mailer.ts'
import type { People } from '../ports/people.ts'
import type { PersonalValues } from '../ports/personal-values.ts'
import type { GetProofFile } from '../ports/proof-files.ts'
import type { ProofLog } from '../ports/proof-log.ts'
import type { SnapshotStore } from '../ports/snapshot-store.ts'
import type { SpentIds } from '../ports/spent-ids.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { TimeStamper } from '../ports/time-stamp.ts'
import type { ViewStore } from '../ports/view-store.ts'
import type { Webhook } from '../ports/webhook.ts'
import type { OpenedWitness, PostCheckpoint } from '../ports/witness.ts'
import type { WorkInProgress } from '../ports/work-in-progress.ts'
import type { ExecuteBatch } from '../processors/runtime/execute.ts'
import type { KeepApart } from '../processors/runtime/keep-lease.ts'
import type { MessageDeaths } from '../processors/runtime/message-deaths.ts'
import type { PartitionWatch } from '../processors/runtime/resting.ts'
import type { HomeAdapters } from '../workflows/adapters.ts'
import type { Workflow } from '../workflows/workflow.ts'
import type { WorkflowContext } from '../workflows/workflow-context.ts'
import type { WorkflowModel } from '../workflows/workflow-model.ts'
import type { Config } from './config/settings.ts'
import type { LiveSettings } from './live-settings.ts'

/** An open home: its log, its topics and its views. Enough to read it, and to put messages on topics. */
export interface Home {
  /** Its configuration, with those settings of the log that existed when it was opened. */
  readonly config: Config
  readonly settings: LiveSettings
  readonly eventStore: EventStore
  readonly broker: Broker
  readonly viewStore: ViewStore
  readonly snapshots: SnapshotStore
  /** Names and mail addresses, which are in no event. */
  readonly people: People
  /** Values that events have references of. */
  readonly personal: PersonalValues
  readonly adapters: HomeAdapters
  readonly telemetry: Telemetry
  readonly clock: Clock
  readonly log: Logger
  readonly workflows: readonly WorkflowModel[]
  close(): Promise<void>
}

/** Dependencies of roles, commands and routes. Made by main.ts alone. */
export interface System extends WorkflowContext<Config> {
  readonly config: Config
  readonly settings: LiveSettings
  readonly workflows: readonly Workflow[]
  readonly keepApart: KeepApart
  readonly executeBatch?: ExecuteBatch
  /** Called by those who wait until all checkpoints reach the end of the log. */
  readonly checkpointsAwaited: Call
  /** Work under way of this process's processors. */
  readonly partitions: PartitionWatch
  /** Work in hand of this process without a claim: it is known if the process dies of it. */
  readonly workInProgress: WorkInProgress
  readonly messageDeaths: MessageDeaths
  /** Opens another log, on a server or as `sqlite:<file>`. The caller closes it. */
  readonly openEventStore: (address: string) => Promise<EventStore>
  /** Opens the embedded log to EventStoreDB's clients. Rejects if the port is taken. */
  readonly openGateway: (port: number) => Promise<RunningGateway>
  readonly postCheckpoint: PostCheckpoint
  /** Undefined if no authority is set. */
  readonly timeStamper: TimeStamper | undefined
  /** Opens a folder that holds a copy of another archive's tree, and reads that tree below an address. */
  readonly openMirror: (address: string, folder: string) => Promise<Mirror>
  /** Text of the program that goes with an export of the log, and checks it. */
  readonly verifierPrograms: () => Promise<Readonly<Record<string, string>>>
  /** The witness of other archives' logs. Opened when it is first asked for. Throws `InvalidSetting` where it is not set. */
  readonly witness: () => Promise<OpenedWitness>
  /** Tries writing to `s3://bucket/prefix`, by the settings of this archive. */
  readonly probeBucket: ProbeBucket
  /** Undefined if no mail server is set. */
  readonly mailer: Mailer | undefined
  /** Receiver of notices. */
  readonly webhook?: Webhook | undefined
  /** Where people sign in; absent: nowhere. */
  readonly identityProvider?: IdentityProvider | undefined
  /** Present where an identity provider is. */
  readonly spentIds?: SpentIds | undefined
  /** Returns all metrics as Prometheus text. */
  readonly metrics: () => Promise<string>
  close(): Promise<void>
}

export interface Mirror {
  readonly files: ProofLog
  readonly get: GetProofFile
}

/** A server of EventStoreDB's protocol for the embedded log. */
export interface RunningGateway {
  readonly port: number
  stop(graceMillis?: number): Promise<void>
}
