import type { ViewStore } from '../ports/view-store.ts'
import { asOf } from '../projections/runtime/as-of.ts'
import type { Point } from '../projections/runtime/catch-up.ts'
import type { Projection } from '../projections/runtime/projection.ts'
import type { System } from '../system/system.ts'
import type { ProblemSpec } from './documents/route-spec.ts'
import { refuse } from './http/refuse.ts'
import type { Handled } from './http/route.ts'

/** Asks views as they were at a point of the log. */
export type AskPast = (
  projections: readonly Projection[],
  at: Point,
  signal: AbortSignal,
  ask: (views: ViewStore) => Handled,
) => Promise<Handled>

/** Each question about the past folds the log in memory. */
const mostAtOnce = 2

export const busy: ProblemSpec = {
  status: 503,
  code: 'busy',
  description: 'Too many questions about the past at once.',
}

export const pastViews = (stores: Pick<System, 'eventStore' | 'viewStore'>): AskPast => {
  let underWay = 0
  return async (projections, at, signal, ask) => {
    if (underWay >= mostAtOnce)
      return refuse(503, 'busy', 'other questions about the past are being answered; ask again in a while')
    underWay++
    try {
      const views = await asOf(projections, stores, at, { signal })
      try {
        return ask(views)
      } finally {
        views.close()
      }
    } finally {
      underWay--
    }
  }
}
