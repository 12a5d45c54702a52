import type { DomainEvent } from '../domain/kernel/event.ts'
import type { EventSet } from '../domain/kernel/event-set.ts'
import { topicsOf, type WorkflowModel } from '../workflows/workflow-model.ts'

/** The topic to which the relay copies a workflow's events, for other systems. */
export interface EventTopic {
  readonly name: string
  readonly workflow: string
  readonly description: string
  readonly categories: readonly string[]
  readonly sets: readonly EventSet<DomainEvent>[]
}

interface ListedTopic {
  readonly name: string
  readonly description: string
  readonly types: readonly string[]
  readonly madeBy: 'fonds' | 'anybody'
}

/** The topics that take messages, then those that the relay writes. */
export const listedTopics = (workflows: readonly WorkflowModel[]): readonly ListedTopic[] => [
  ...topicsOf(workflows).map(({ name, description, messages, madeBy = 'anybody' as const }) => ({
    name,
    description,
    types: messages.map(({ type }) => type),
    madeBy,
  })),
  ...eventTopicsOf(workflows).map(({ name, description, sets }) => ({
    name,
    description,
    types: sets.flatMap(({ types }) => types),
    madeBy: 'fonds' as const,
  })),
]

/** `fonds.<workflow>.events` for each workflow. Fonds writes them and never reads them, so no workflow may take messages there. */
export const eventTopicsOf = (workflows: readonly WorkflowModel[]): readonly EventTopic[] => {
  const taken = new Set(topicsOf(workflows).map(({ name }) => name))
  return workflows.map(({ name: workflow, eventSets }) => {
    const name = `fonds.${workflow}.events`
    if (taken.has(name)) throw new Error(`${name} is the relay's: a workflow cannot take messages there`)
    return {
      name,
      workflow,
      description: `What happened in ${workflow}: every event, as the relay copies it from the log.`,
      categories: eventSets.map(({ category }) => category),
      sets: eventSets.map(({ events }) => events),
    }
  })
}
