import type { Home } from '../../app/system.ts'
import { orThrow } from '../../async/unavailable.ts'
import type { Point, ViewStore } from '../../ports/view-store.ts'
import { asOf } from '../../projections/runtime/as-of.ts'
import type { Projection } from '../../projections/runtime/projection.ts'
import type { Session } from '../context.ts'
import { positionsProgress } from '../positions-progress.ts'

/** Folds the views that describe objects, as of a moment. Close them when done. Shows a progress bar after a second. */
export const viewsThen = async (session: Session, home: Home, point: Point): Promise<ViewStore> => {
  const projections = await describing(home)
  const end = 'position' in point ? point.position : await orThrow(home.eventStore.head())
  const starts = new Map(projections.map(({ name }) => [name, -1n] as const))
  const progress = positionsProgress(session, 'Folding the past', starts, end)
  return asOf(projections, home, point, { signal: session.signal, onProgress: progress.at }).finally(
    progress.done,
  )
}

const describing = async ({ workflows }: Home): Promise<readonly Projection[]> => {
  const found = await Promise.all(
    workflows.map(async ({ premis, projections }) =>
      (await premis?.())?.kind === 'exported' ? projections : [],
    ),
  )
  return found.flat()
}
