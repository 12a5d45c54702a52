import { type Identifier, isIsoDate, type PremisEvent, type PremisObject, term } from '@fonds/premis'
import { isRight } from 'fp-ts/lib/Either.js'
import { isEarlier } from '../../domain/kernel/earlier-event.ts'
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
import type { ViewStore } from '../../ports/view-store.ts'
import type { PremisWorkflow } from '../../workflows/premis-model.ts'
import type { WorkflowModel } from '../../workflows/workflow-model.ts'
import { type Acting, acting, type ExportedEvent, fonds, program } from './agents.ts'
import { exportedEarlier } from './earlier.ts'

/* An event of the log as an event of PREMIS, by the mapping of its workflow. */

/** The mapping of a category, and its events, which are read in their current shape. */
interface Mapped {
  readonly workflow: PremisWorkflow
  readonly events: EventSet<DomainEvent>
}

export interface Mappings {
  readonly byCategory: ReadonlyMap<string, Mapped>
  readonly models: readonly PremisWorkflow[]
  /** The thing that people call so, as the views have it, else under this id alone. */
  readonly thingOf: (id: string) => PremisObject
}

export const mappingsOf = async (
  workflows: readonly WorkflowModel[],
  viewStore: ViewStore,
): Promise<Mappings> => {
  const found = await Promise.all(
    workflows.map(async ({ premis, eventSets }) => {
      const workflow = await premis?.()
      return workflow?.kind === 'exported'
        ? eventSets.map(({ category, events }) => [category, { workflow, events }] as const)
        : []
    }),
  )
  const byCategory = new Map(found.flat())
  const models = [...new Set([...byCategory.values()].map(({ workflow }) => workflow))]
  return { byCategory, models, thingOf: (id) => thingOf(models, viewStore, id) }
}

const thingOf = (models: readonly PremisWorkflow[], viewStore: ViewStore, id: string): PremisObject => {
  for (const model of models)
    for (const object of model.objects(id, viewStore))
      if (object.identifiers.some(({ value }) => value === id)) return object
  return { category: 'intellectualEntity', identifiers: [{ type: 'fonds thing', value: id }] }
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
  const mapped = mappings.byCategory.get(categoryOf(stream))
  const category = mapped?.workflow.mapping[categoryOf(stream)]
  if (!mapped || !category || 'kind' in category) return undefined
  const rule = category.events[type]
  // A part of an event is none of its set.
  const read = about === undefined ? mapped.events.read(stored) : undefined
  const recorded = read && isRight(read) ? { ...stored, data: read.right.data } : stored
  if (isEarlier(recorded)) return exportedEarlier(recorded, mappings.thingOf(idOf(stream)))
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
    type: typeof word === 'string' ? term('eventType', word) : { value: 'own' in word ? word.own : type },
    dateTime: timeOf(recorded, exported),
    ...(note !== undefined && outcome === undefined && { detail: note }),
    ...(outcome && { outcome: { term: term('eventOutcome', outcome), ...(note !== undefined && { note }) } }),
    agents: agents.map(linked),
    objects: objects.map((identifier) => ({ identifier })),
    facts: { id, type, stream, revision: String(revision), recordedAt },
  }
}

const linked = ({ agent, roles }: Acting) => ({ identifier: agent.identifier, roles })

const timeOf = ({ data, recordedAt }: RecordedEvent, { time = 'at' }: Exported): string => {
  const at = fieldOf(data, time)
  return typeof at === 'string' && isIsoDate(at) ? at : recordedAt
}
