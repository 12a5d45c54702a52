import type { ApiContext } from '../context.ts'
import type { Route } from '../http/route.ts'
import { graphRoute } from '../matching/graph-route.ts'
import { operatorRoutes } from '../matching/operator-routes.ts'
import { readerRoute } from '../matching/reader-route.ts'
import { workRoutes } from '../matching/work-routes.ts'

/** Questions about works that are one, for cataloguers, operators and readers. */
export const matchingRoutes = (context: ApiContext): readonly Route[] => [
  graphRoute(context),
  readerRoute(context),
  ...workRoutes(context),
  ...operatorRoutes(context),
]
