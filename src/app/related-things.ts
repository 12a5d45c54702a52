import type { ViewStore } from '../ports/view-store.ts'
import type { Adapters } from '../workflows/adapters.ts'
import type { Related, WorkflowModel } from '../workflows/workflow-model.ts'

interface Known {
  readonly workflows: readonly WorkflowModel[]
  readonly viewStore: ViewStore
  readonly adapters: Adapters
}

/** So many are named. */
const maxRelated = 100

/**
 * The things whose lives concern that of `id`, as far as the views know: by its own workflow's word, and what other workflows have
 * where its bytes lie.
 */
export const relatedThings = async (
  { workflows, viewStore, adapters }: Known,
  id: string,
): Promise<readonly Related[]> => {
  const own = workflows.flatMap((workflow) => workflow.related?.(id, viewStore) ?? [])
  const places = await Promise.all(
    workflows.map((workflow) => workflow.placesOf?.(id, viewStore, adapters) ?? []),
  )
  const there = [...new Set(places.flat())].flatMap((place) =>
    workflows.flatMap((workflow) => workflow.thingsAt?.(place, viewStore) ?? []),
  )
  const found = new Map<string, Related>()
  for (const one of [...own, ...there]) if (one.id !== id && !found.has(one.id)) found.set(one.id, one)
  return [...found.values()].slice(0, maxRelated)
}
