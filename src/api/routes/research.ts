import type { ApiContext } from '../context.ts'
import type { Route } from '../http/route.ts'
import { keptBoard } from '../research/kept-board.ts'
import { listRoutes } from '../research/list-routes.ts'
import { nextRoute } from '../research/next-route.ts'
import { questionRoutes } from '../research/question-routes.ts'
import { simulateRoute } from '../research/simulate-route.ts'
import { takeRoute } from '../research/take-route.ts'

/** Questions about research, and the item for whoever asks for one. */
export const researchRoutes = (context: ApiContext): readonly Route[] => {
  const board = keptBoard(context)
  return [
    ...questionRoutes(context),
    nextRoute(context, board),
    simulateRoute(context, board),
    takeRoute(context),
    ...listRoutes(context),
  ]
}
