import type { ViewQuery } from '../domain/kernel/view.ts'
import type { Generation, ViewStore } from '../ports/view-store.ts'

interface Kept {
  readonly position: bigint
  readonly total: number
}

const keptOf = new WeakMap<ViewStore, Map<string, Kept>>()
const maxKept = 100

interface Asked {
  readonly view: string
  readonly where: NonNullable<ViewQuery['where']>
}

/**
 * How many rows a question has, counted once for each position of its view: who scrolls through a list of a million rows asks with each
 * step, and counting is most of the work.
 */
export const totalOf = (
  store: ViewStore,
  { id, version }: Generation,
  position: bigint,
  { view, where }: Asked,
): number => {
  const kept = keptOf.get(store) ?? new Map<string, Kept>()
  keptOf.set(store, kept)
  const question = JSON.stringify([view, version, id, where])
  const known = kept.get(question)
  if (known?.position === position) return known.total
  const total = Number(store.tally(view, { by: [], where })[0]?.count ?? 0)
  if (kept.size >= maxKept) kept.clear()
  kept.set(question, { position, total })
  return total
}
