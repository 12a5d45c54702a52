import { type Either, right } from 'fp-ts/lib/Either.js'
import type { ProblemSpec } from '../app/documents/route-spec.ts'
import { headOf } from '../app/lags.ts'
import type { Projection } from '../projections/runtime/projection.ts'
import type { ApiContext } from './context.ts'
import { type DetailedProblem, refuse } from './http/refuse.ts'
import { positionOf, viewsReach } from './wait-for-views.ts'

/* For writes that ask views first: the views must show what was written just before. */

export const viewBehind: ProblemSpec = {
  status: 503,
  code: 'view-behind',
  description:
    'The views that it has to look into did not reach the end of the log in time: nothing was done.',
}

/** Right once the views show all that the log held when this was called, whoever folds them; left where they do not in time. */
export const viewsUpToDate = async (
  context: ApiContext,
  projections: readonly Projection[],
  signal: AbortSignal,
): Promise<Either<DetailedProblem, undefined>> => {
  const head = await headOf(context.system)
  for (const { name } of projections)
    if (!(await viewsReach(context, name, head, signal)))
      return refuse(503, 'view-behind', behind(name, head, positionOf(context, name)))
  return right(undefined)
}

const behind = (projection: string, head: bigint, position: bigint | undefined): string =>
  `nothing was done: the ${projection} views ${position === undefined ? 'have not been folded yet' : `are at position ${position}`}, ` +
  `the log was at ${head} when this came; ask again in a while, and if it stays so, see that a process with the role ` +
  'projections runs (GET /readyz)'
