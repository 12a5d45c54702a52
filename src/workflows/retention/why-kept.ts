import { category as leaders } from '../../domain/kernel/leader-lease.ts'
import { category as presence } from '../../domain/kernel/presence.ts'
import { category as retention } from '../../domain/kernel/retention.ts'
import { settledBy } from '../../domain/kernel/settled.ts'
import type { Projection } from '../../projections/runtime/projection.ts'
import { projectionsOf, type WorkflowModel } from '../workflow-model.ts'

/**
 * Why nothing of a category may be removed: a sentence without a full stop. Undefined if it may. It follows from what the workflows
 * declare: other programs' streams, and those of Fonds' own that are settled, where no view needs more than what is left.
 */
export const whyKept = (category: string, workflows: readonly WorkflowModel[]): string | undefined => {
  const own = workflows.find(({ eventSets }) => eventSets.some((set) => set.category === category))
  const types = own?.eventSets.find((set) => set.category === category)?.events.types ?? []
  const views = projectionsOf(workflows)
    .filter((projection) => needs(projection, category, types))
    .map(({ name }) => name)
  if (views.length > 0)
    return `the views ${views.join(', ')} are folded from events of ${category}-…: without these they could not be folded again`
  if (!isNeverRemoved(category, workflows)) return undefined
  return own
    ? `the workflow ${own.name} decides by events of ${category}-…, which must stay`
    : `streams ${category}-… coordinate processes, and keep their newest events alone as it is`
}

/** True for Fonds' own streams that no version of it removes: an event that names one was written by another program. */
export const isNeverRemoved = (category: string, workflows: readonly WorkflowModel[]): boolean =>
  (category === leaders ||
    category === presence ||
    workflows.some(({ eventSets }) => eventSets.some((set) => set.category === category))) &&
  settledBy(category) === undefined

/** An index of all events has to be made again anyway, and a view that folds removals drops what went. */
const needs = (
  { filter: { categories, types } }: Projection,
  category: string,
  ownTypes: readonly string[],
): boolean => {
  if (categories === undefined && types === undefined) return false
  if (categories?.includes(retention)) return categories.includes(category) && !settledBy(category)
  return categories ? categories.includes(category) : ownTypes.some((type) => types?.includes(type))
}
