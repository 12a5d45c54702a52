import type { Generation, Point, ViewStore } from '../../ports/view-store.ts'
import { addingUp, foldUpTo, type Pace, type Stores } from './catch-up.ts'
import type { Projection } from './projection.ts'

export class NotATime extends Error {
  override readonly name = 'NotATime'
}

/**
 * Folds views as of a position, or of a time (any ISO 8601 form; events that the log appended in that very millisecond
 * are included), from the beginning of the log. Returns a scratch store of `viewStore`: close it when done.
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

/**
 * Creates the indexes with the tables, so that they grow with the rows: created at the end, they would block all other
 * work.
 */
const createLive = (scratch: ViewStore, { name, version, views }: Projection): Generation => {
  const generation = scratch.create(name, version, views)
  scratch.promote(generation)
  return generation
}

/** Normalises a point: recorded times are compared as text, which needs one form. */
export const canonical = (point: Point): Point => {
  if ('position' in point) return point
  const millis = Date.parse(point.time)
  if (Number.isNaN(millis))
    throw new NotATime(`${JSON.stringify(point.time)} is not a time; write 2026-01-31T12:00:00Z`)
  return { time: new Date(millis).toISOString() }
}
