import type { Home } from '../app/system.ts'
import { orThrow } from '../async/unavailable.ts'
import { HistoryNotFolded } from '../domain/kernel/view.ts'
import type { Point, ViewStore, ViewsAsOf } from '../ports/view-store.ts'
import { asOf } from '../projections/runtime/as-of.ts'
import { askHistory, keepsHistory } from '../projections/runtime/history.ts'
import type { Projection } from '../projections/runtime/projection.ts'
import type { Session } from './context.ts'
import { freshViews } from './fresh-views.ts'
import { positionsProgress } from './positions-progress.ts'

/** Asks the views of a projection as of a moment. If they keep no history of it, the log is folded, and the reason is given. */
export const askAsOf = async <A>(
  session: Session,
  home: Home,
  projection: Projection,
  point: Point,
  ask: (views: ViewStore | ViewsAsOf) => Promise<A>,
): Promise<A> => {
  const otherwise = (why: string) => {
    session.say(`${why}. Events are folded up to there, which takes longer`)
    return askFolded(session, home, projection, point, ask)
  }
  if (!keepsHistory(projection)) return otherwise(`the views of ${projection.name} keep no history`)
  for (;;) {
    await freshViews(session, home, [projection])
    try {
      return await askHistory(projection, home, point, ask, otherwise)
    } catch (error) {
      // The log has grown meanwhile.
      if (!(error instanceof HistoryNotFolded)) throw error
    }
  }
}

/** Shows a progress bar after a second. */
const askFolded = async <A>(
  session: Session,
  home: Home,
  projection: Projection,
  point: Point,
  ask: (views: ViewStore) => Promise<A>,
): Promise<A> => {
  const end = 'position' in point ? point.position : await orThrow(home.eventStore.head())
  const progress = positionsProgress(session, 'Folding the past', new Map([[projection.name, -1n]]), end)
  const fold = () => asOf([projection], home, point, { signal: session.signal, onProgress: progress.at })
  const views = await fold().finally(progress.done)
  try {
    return await ask(views)
  } finally {
    views.close()
  }
}
