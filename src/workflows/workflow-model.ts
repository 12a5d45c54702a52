import type { DomainEvent, RecordedEvent } from '../domain/kernel/event.ts'
import type { EventSet } from '../domain/kernel/event-set.ts'
import type { TopicSpec } from '../domain/kernel/message.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventStore } from '../ports/event-store.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { ViewStore } from '../ports/view-store.ts'
import type { Projection } from '../projections/runtime/projection.ts'
import type { AskedOf } from '../projections/runtime/question.ts'
import type { Adapters, HomeAdapters } from './adapters.ts'
import type { Config } from './settings.ts'

/** An open home, for what is asked of it. */
export interface ReadHome {
  readonly config: Config
  readonly eventStore: EventStore
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly adapters: HomeAdapters
}

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
  placesOf?(id: string, viewStore: ViewStore, adapters: Adapters): readonly string[]
  /** What its questions are asked with, beside what all are. */
  asked?(home: ReadHome): Partial<AskedOf>
  /** What this workflow has at an absolute path, or below it: workflows that never met know the same bytes so. */
  thingsAt?(path: string, viewStore: ViewStore): readonly Related[]
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
