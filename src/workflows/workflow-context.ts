import type { Logger } from 'pino'
import type { Broker } from '../ports/broker.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventStore } from '../ports/event-store.ts'
import type { ProcessLock } from '../ports/process-lock.ts'
import type { SettingRules } from '../ports/setting-rules.ts'
import type { SnapshotStore } from '../ports/snapshot-store.ts'
import type { ViewStore } from '../ports/view-store.ts'
import type { Execute } from '../processors/runtime/execute.ts'
import type { Processor } from '../processors/runtime/processor.ts'
import type { StreamStates } from '../processors/runtime/stream-states.ts'
import type { CheckerContext } from '../workers/fixity/checker.ts'
import type { IndexingContext } from '../workers/indexing/indexing-context.ts'
import type { IngesterContext } from '../workers/ingest/ingester-context.ts'
import type { ResearcherContext } from '../workers/research/researcher.ts'
import type { WorkflowModel } from './workflow-model.ts'

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
  readonly workflows: readonly ProcessingWorkflow[]
}

/** A workflow with what handles its messages. */
export interface ProcessingWorkflow extends WorkflowModel {
  processors(context: WorkflowContext): readonly Processor[]
}
