import { catchUp } from '../projections/runtime/catch-up.ts'
import { orAway } from '../projections/runtime/fold.ts'
import type { Projection } from '../projections/runtime/projection.ts'
import { bindViews } from '../system/bind-views.ts'
import { projectionsOf, type System } from '../system/system.ts'
import type { Session } from './context.ts'
import { positionsProgress } from './positions-progress.ts'

/**
 * Folds what was written so far into the views, so that reads see it, whether or not a server runs beside. Shows a
 * progress bar when it takes longer than a second.
 */
export const freshViews = async (
  session: Session,
  system: System,
  projections: readonly Projection[] = projectionsOf(system.workflows),
): Promise<void> => {
  const { eventStore, viewStore } = system
  await bindViews(system)
  const head = await orAway(eventStore.head())
  const starts = new Map(
    projections.map(({ name }) => {
      const live = viewStore.live(name)
      return [name, live ? viewStore.checkpoint(live).position : -1n] as const
    }),
  )
  const progress = positionsProgress(session, 'Bringing the views up to date', starts, head)
  try {
    await catchUp({ eventStore, viewStore, projections, signal: session.signal, onProgress: progress.at })
  } finally {
    progress.done()
  }
}
