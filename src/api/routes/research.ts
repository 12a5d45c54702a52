import type { ApiContext } from '../context.ts'
import type { Route } from '../http/route.ts'
import { listRoutes } from '../research/list-routes.ts'
import { questionRoutes } from '../research/question-routes.ts'
import { workRoutes } from '../research/work-routes.ts'

/** Questions about research, and the item for whoever asks for one. */
export const researchRoutes = (context: ApiContext): readonly Route[] => [
  ...questionRoutes(context),
  ...workRoutes(context),
  ...listRoutes(context),
]
