import { type Identifier, isIsoDate, type PremisEvent, type PremisObject, term } from '@fonds/premis'
import { isRight } from 'fp-ts/lib/Either.js'
import { categoryOf, type DomainEvent, idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { EventSet } from '../../domain/kernel/event-set.ts'
import {
  decided,
  type Exported,
  fieldOf,
  noteOf,
  outcomeOf,
  type ThingKind,
} from '../../domain/kernel/premis.ts'
import type { PremisWorkflow } from '../../workflows/premis.ts'
import type { WorkflowModel } from '../../workflows/workflow-model.ts'
import { type Acting, acting, fonds, program } from './agents.ts'

/* An event of the log as an event of PREMIS, by the mapping of its workflow. */

export interface ExportedEvent {
  readonly event: PremisEvent
  readonly agents: readonly Acting[]
  /** The least that is known of its objects: kind and identifier. */
  readonly objects: readonly PremisObject[]
}

/** The mapping of a category, and its events, which are read in their current shape. */
interface Mapped {
  readonly workflow: PremisWorkflow
  readonly events: EventSet<DomainEvent>
}

/** By category. */
export type Mappings = ReadonlyMap<string, Mapped>

export const mappingsOf = async (workflows: readonly WorkflowModel[]): Promise<Mappings> => {
  const found = await Promise.all(
    workflows.map(async ({ premis, eventSets }) => {
      const workflow = await premis?.()
      return workflow?.kind === 'exported'
        ? eventSets.map(({ category, events }) => [category, { workflow, events }] as const)
        : []
    }),
  )
  return new Map(found.flat())
}

/**
 * Returns undefined for an event that is not exported. `about`: the id of the thing that this is a part of an event about; absent:
 * the event is about its stream.
 */
export const exportedEvent = (
  mappings: Mappings,
  stored: RecordedEvent,
  about?: string,
): ExportedEvent | undefined => {
  const { stream, type } = stored
  const mapped = mappings.get(categoryOf(stream))
  const category = mapped?.workflow.mapping[categoryOf(stream)]
  if (!mapped || !category || 'kind' in category) return undefined
  const rule = category.events[type]
  // A part of an event is none of its set.
  const read = about === undefined ? mapped.events.read(stored) : undefined
  const recorded = read && isRight(read) ? { ...stored, data: read.right.data } : stored
  const exported = rule && decided(rule, recorded.data)
  if (!exported) return undefined
  const ids = about === undefined ? (mapped.workflow.thingsOf?.(stored) ?? [idOf(stream)]) : [about]
  // A batch of checks may have found none as recorded: each other item has an event of its own.
  if (ids.length === 0) return undefined
  const agents = agentsOf(recorded, exported)
  return {
    agents,
    objects: ids.map((id) => leastOf(category.thing, id)),
    event: eventOf(
      recorded,
      exported,
      agents,
      ids.map((id) => identified(category.thing, id)),
    ),
  }
}

const identified = ({ type }: ThingKind, value: string): Identifier => ({ type, value })

const leastOf = (thing: ThingKind, id: string): PremisObject => ({
  category: thing.category,
  identifiers: [identified(thing, id)],
})

const agentsOf = ({ metadata, data }: RecordedEvent, exported: Exported): readonly Acting[] => {
  const named = exported.program === undefined ? undefined : fieldOf(data, exported.program)
  return [fonds, acting(metadata.actor), ...(isProgram(named) ? [program(named)] : [])]
}

const isProgram = (value: unknown): value is { readonly name: string; readonly version: string } =>
  typeof fieldOf(value, 'name') === 'string' && typeof fieldOf(value, 'version') === 'string'

const eventOf = (
  recorded: RecordedEvent,
  exported: Exported,
  agents: readonly Acting[],
  objects: readonly Identifier[],
): PremisEvent => {
  const { id, type, stream, revision, recordedAt, data } = recorded
  const word = exported.type
  const outcome = outcomeOf(exported, data)
  const note = noteOf(exported, data)
  return {
    identifier: { type: 'UUID', value: id },
    type: typeof word === 'string' ? term('eventType', word) : { value: word.own },
    dateTime: timeOf(recorded, exported),
    ...(note !== undefined && outcome === undefined && { detail: note }),
    ...(outcome && { outcome: { term: term('eventOutcome', outcome), ...(note !== undefined && { note }) } }),
    agents: agents.map(({ agent, role }) => ({ identifier: agent.identifier, role })),
    objects: objects.map((identifier) => ({ identifier })),
    facts: { type, stream, revision: String(revision), recordedAt },
  }
}

const timeOf = ({ data, recordedAt }: RecordedEvent, { time = 'at' }: Exported): string => {
  const at = fieldOf(data, time)
  return typeof at === 'string' && isIsoDate(at) ? at : recordedAt
}
