import type { Policy } from '@fonds/tlog'
import type { Logger } from 'pino'
import type { Broker } from '../ports/broker.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventStore } from '../ports/event-store.ts'
import type { People } from '../ports/people.ts'
import type { PersonalValues } from '../ports/personal-values.ts'
import type { ProcessLock } from '../ports/process-lock.ts'
import type { GetProofFile } from '../ports/proof-files.ts'
import type { ProofLog } from '../ports/proof-log.ts'
import type { SettingRules } from '../ports/setting-rules.ts'
import type { SnapshotStore } from '../ports/snapshot-store.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { ViewStore } from '../ports/view-store.ts'
import type { Execute } from '../processors/runtime/execute.ts'
import type { OperatorCommand } from '../processors/runtime/operator-command.ts'
import type { Processor } from '../processors/runtime/processor.ts'
import type { StreamStates } from '../processors/runtime/stream-states.ts'
import type { Adapters } from './adapters.ts'
import type { SystemConfig } from './system/settings.ts'
import type { WorkflowModel } from './workflow-model.ts'

/** Dependencies of the parts of all workflows. `Config`: the settings that a workflow sees, its own among them. */
export interface WorkflowContext<Config extends SystemConfig = SystemConfig> {
  readonly config: Config
  readonly adapters: Adapters
  readonly eventStore: EventStore
  readonly broker: Broker
  readonly viewStore: ViewStore
  readonly snapshots: SnapshotStore
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly log: Logger
  readonly states: StreamStates
  readonly execute: Execute
  readonly processLock: ProcessLock
  /** Names and mail addresses, which are in no event. */
  readonly people: People
  /** Values that events have references of. */
  readonly personal: PersonalValues
  /** The files of the log's Merkle tree. Loaded when they are asked for. */
  readonly proofLog: () => Promise<ProofLog>
  /** Whom the archive's own proofs name: witnesses to ask, and how many are enough. Undefined: none. Throws `InvalidSetting`. */
  readonly proofPolicy: () => Promise<Policy | undefined>
  /** Files below an address, over HTTP. */
  readonly proofFilesAt: (address: string) => GetProofFile
  /** Rules for the archive's settings, and their values here. */
  readonly settings: SettingRules
  /** All workflows that run here. */
  readonly workflows: readonly ProcessingWorkflow[]
}

/** A workflow with its message handlers. */
export interface ProcessingWorkflow<Config extends SystemConfig = SystemConfig> extends WorkflowModel {
  processors(context: WorkflowContext<Config>): readonly Processor[]
  readonly commands?: readonly OperatorCommand[]
}
