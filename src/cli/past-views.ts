import type { System } from '../app/system.ts'
import { orThrow } from '../async/unavailable.ts'
import type { ViewStore } from '../ports/view-store.ts'
import { asOf } from '../projections/runtime/as-of.ts'
import type { Point } from '../projections/runtime/catch-up.ts'
import type { Projection } from '../projections/runtime/projection.ts'
import type { Session } from './context.ts'
import { positionsProgress } from './positions-progress.ts'

/** Folds the views of a projection as they were; they must be closed. Shows a progress bar after a second. */
export const foldPast = async (
  session: Session,
  system: System,
  projection: Projection,
  point: Point,
): Promise<ViewStore> => {
  const end = 'position' in point ? point.position : await orThrow(system.eventStore.head())
  const progress = positionsProgress(session, 'Folding the past', new Map([[projection.name, -1n]]), end)
  try {
    return await asOf([projection], system, point, { signal: session.signal, onProgress: progress.at })
  } finally {
    progress.done()
  }
}
