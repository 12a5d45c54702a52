import { bindViews } from '../app/bind-views.ts'
import type { Home } from '../app/system.ts'
import { livePosition } from '../async/caught-up.ts'
import { orThrow } from '../async/unavailable.ts'
import { catchUp } from '../projections/runtime/catch-up.ts'
import type { Projection } from '../projections/runtime/projection.ts'
import { projectionsOf } from '../workflows/workflow-model.ts'
import type { Session } from './context.ts'
import { positionsProgress } from './positions-progress.ts'

/**
 * Folds what was written so far into the views, so that reads see it, whether or not a server runs beside. Shows a
 * progress bar when it takes longer than a second.
 */
export const freshViews = async (
  session: Session,
  home: Home,
  projections: readonly Projection[] = projectionsOf(home.workflows),
): Promise<void> => {
  const { eventStore, viewStore } = home
  await bindViews(home)
  const head = await orThrow(eventStore.head())
  const starts = new Map(projections.map(({ name }) => [name, livePosition(viewStore, name)] as const))
  const progress = positionsProgress(session, 'Bringing the views up to date', starts, head)
  try {
    await catchUp({ eventStore, viewStore, projections, signal: session.signal, onProgress: progress.at })
  } finally {
    progress.done()
  }
}
