import type { DomainEvent, RecordedEvent } from '../domain/kernel/event.ts'
import type { EventSet } from '../domain/kernel/event-set.ts'
import type { TopicSpec } from '../domain/kernel/message.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventStore } from '../ports/event-store.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { ViewStore } from '../ports/view-store.ts'
import type { Finder } from '../projections/runtime/finder.ts'
import type { Projection } from '../projections/runtime/projection.ts'
import type { AskedOf } from '../projections/runtime/question.ts'
import type { Adapters, HomeAdapters } from './adapters.ts'
import type { PremisModel } from './premis-model.ts'
import type { SystemConfig } from './system/settings.ts'

/** An open home, for questions. */
export interface ReadHome<Config extends SystemConfig = SystemConfig> {
  readonly config: Config
  readonly eventStore: EventStore
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly adapters: HomeAdapters
}

/** A workflow's topics, events and views: enough to read it, without its message handlers. */
export interface WorkflowModel {
  readonly name: string
  /** For the help: `fonds <workflow>` as a question; absent if the command line has none. */
  readonly summary?: string
  readonly description: string
  readonly topics: readonly TopicSpec[]
  readonly eventSets: readonly { readonly category: string; readonly events: EventSet<DomainEvent> }[]
  readonly projections: readonly Projection[]
  /** Whether its views are folded, by the settings; absent: always. What is off costs nothing. */
  isFolded?(config: SystemConfig): boolean
  /** Counts its work by time, for home: nothing else waits for it. */
  readonly activity?: Projection
  /** Streams of the thing that a person calls `id`; none if it is not this workflow's. */
  streamsOf(id: string): readonly string[]
  /** Its events in other streams, as far as the views know. */
  elsewhere?(id: string, viewStore: ViewStore): Elsewhere | undefined
  /** Other ids of a thing in this workflow, the wholes that it is a part of, and its origins. */
  related?(id: string, viewStore: ViewStore): readonly Related[]
  /** Absolute paths of a thing's bytes: files, or the folder that holds them. */
  placesOf?(
    id: string,
    viewStore: ViewStore,
    adapters: Adapters,
  ): readonly string[] | Promise<readonly string[]>
  /** Dependencies of its questions, beside those of all. */
  asked?(home: ReadHome): Partial<AskedOf>
  /** For the search over everything; loaded when it is first asked. */
  finders?(): Promise<readonly Finder[]>
  /** Its events and things in PREMIS; loaded when they are exported. */
  premis?(): Promise<PremisModel>
  /** Things at an absolute path, or below it: workflows without a common id identify the same bytes so. */
  thingsAt?(path: string, viewStore: ViewStore): readonly Related[]
}

/** Another thing whose history concerns this one's. */
export interface Related {
  readonly id: string
  /** Its relation to this one: `the job that took it in`. */
  readonly says: string
}

/** Events of a thing that are in no stream of its own: their positions, and the part of each that is about it. */
export interface Elsewhere {
  /** Positions from `from` on, in the order of the log; at most `limit`. */
  positions(from: bigint, limit: number): readonly bigint[]
  /** Positions before `before`, the newest first; at most `limit`. */
  positionsBefore(before: bigint | 'end', limit: number): readonly bigint[]
  /** Undefined if the event is in a stream of its own, or says nothing of the thing. */
  partOf(event: RecordedEvent): RecordedEvent | undefined
}

export const projectionsOf = (workflows: readonly WorkflowModel[]): readonly Projection[] =>
  workflows.flatMap(({ projections, activity }) => [...projections, ...(activity ? [activity] : [])])

export const topicsOf = (workflows: readonly WorkflowModel[]): readonly TopicSpec[] =>
  workflows.flatMap((workflow) => workflow.topics)

const none: readonly never[] = []

/** The workflows as an archive with these settings has them. `config` is asked each time: settings of the log may come late. */
export const foldedIn = <W extends WorkflowModel>(
  workflows: readonly W[],
  config: () => SystemConfig,
): readonly W[] =>
  workflows.map((workflow) => {
    const { isFolded } = workflow
    if (!isFolded) return workflow
    const { projections: _, ...others } = Object.getOwnPropertyDescriptors(workflow)
    const get = () => (isFolded(config()) ? workflow.projections : none)
    return Object.defineProperties({}, { ...others, projections: { enumerable: true, get } }) as W
  })
