import type { Generation, Point, ViewStore } from '../../ports/view-store.ts'
import { addingUp, foldUpTo, type Pace, type Stores } from './catch-up.ts'
import type { Projection } from './projection.ts'

export class NotATime extends Error {
  override readonly name = 'NotATime'
}

/**
 * The views as they stood at a position, or at a time (any ISO 8601 form; events the log took at that very
 * millisecond are in), folded from the beginning of the log. The store is a scratch one, made by `viewStore`: close it when done.
 */
export const asOf = async (
  projections: readonly Projection[],
  stores: Stores,
  at: Point,
  pace: Pace = {},
): Promise<ViewStore> => {
  const point = canonical(at)
  const scratch = stores.viewStore.scratch()
  try {
    for (const projection of projections) {
      const generation = createLive(scratch, projection)
      await foldUpTo({ ...stores, viewStore: scratch }, projection, generation, point, addingUp(pace))
    }
    return scratch
  } catch (error) {
    scratch.close()
    throw error
  }
}

/** Its indexes grow with its rows: made at the end, they would hold up all other work. */
const createLive = (scratch: ViewStore, { name, version, views }: Projection): Generation => {
  const generation = scratch.create(name, version, views)
  scratch.promote(generation)
  return generation
}

/** Recorded times are compared as text, which needs one form. */
export const canonical = (point: Point): Point => {
  if ('position' in point) return point
  const millis = Date.parse(point.time)
  if (Number.isNaN(millis))
    throw new NotATime(`${JSON.stringify(point.time)} is not a time; write 2026-01-31T12:00:00Z`)
  return { time: new Date(millis).toISOString() }
}
