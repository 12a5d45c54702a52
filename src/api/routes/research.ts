import type { ApiContext } from '../context.ts'
import type { Route } from '../http/route.ts'
import { listRoutes } from '../research/list-routes.ts'
import { nextRoute } from '../research/next-route.ts'
import { questionRoutes } from '../research/question-routes.ts'
import { takeRoute } from '../research/take-route.ts'

/** Questions about research, and the item for whoever asks for one. */
export const researchRoutes = (context: ApiContext): readonly Route[] => [
  ...questionRoutes(context),
  nextRoute(context),
  takeRoute(context),
  ...listRoutes(context),
]
