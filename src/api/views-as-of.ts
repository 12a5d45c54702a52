import { type Either, map } from 'fp-ts/lib/Either.js'
import type { ProblemSpec } from '../app/documents/route-spec.ts'
import { HistoryNotFolded } from '../domain/kernel/view.ts'
import type { ViewStore, ViewsAsOf } from '../ports/view-store.ts'
import { asOf } from '../projections/runtime/as-of.ts'
import { askHistory } from '../projections/runtime/history.ts'
import type { Projection } from '../projections/runtime/projection.ts'
import type { ApiContext, AskAsOf, FewAtOnce } from './context.ts'
import { type DetailedProblem, refuse } from './http/refuse.ts'
import type { Handled, Reply } from './http/route.ts'
import { viewsReach } from './wait-for-views.ts'

/** A question as of a moment that views keep no history of folds the log in memory, which takes much of it. */
const maxAtOnce = 2
/** Other requests are answered between two transactions: these are small. */
const batchSize = 1000

export const busy: ProblemSpec = {
  status: 503,
  code: 'busy',
  description: 'Too many questions about the past at once.',
}

export const fewAtOnce = (): FewAtOnce => {
  let underWay = 0
  return async (work) => {
    if (underWay >= maxAtOnce)
      return refuse(503, 'busy', 'other questions about the past are being answered; ask again in a while')
    underWay++
    try {
      return await work()
    } finally {
      underWay--
    }
  }
}

export const behindMoment: ProblemSpec = {
  status: 503,
  code: 'view-behind',
  description: 'It did not reach the position, or the moment that it is asked as of, in time.',
}

/** Adds a header to an answer as of a moment if the log was folded for it. */
export const sayingFolded = (views: ViewStore | ViewsAsOf, handled: Handled): Handled =>
  'scanned' in views
    ? handled
    : map((reply: Reply) => ({ ...reply, headers: { ...reply.headers, 'fonds-folded': 'true' } }))(handled)

type Watch = Pick<ApiContext, 'system' | 'running' | 'patienceMillis'>

/** Asks, and asks again once views that were behind the moment have reached it: no answer is given before. */
export const onceFolded = async <A>(
  watch: Watch,
  { name }: Projection,
  signal: AbortSignal,
  ask: () => Promise<Either<DetailedProblem, A>>,
): Promise<Either<DetailedProblem, A>> => {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof HistoryNotFolded)) throw error
    if (await viewsReach(watch, name, error.position, signal)) return ask()
    return refuse(
      503,
      'view-behind',
      `${error.message}, the moment is at ${error.position}; ask again in a while, and if it stays so, see that a process with the role projections runs (GET /readyz)`,
    )
  }
}

export const createAskAsOf =
  (watch: Watch, few: FewAtOnce): AskAsOf =>
  (projection, at, signal, ask) => {
    const { system } = watch
    const askFolded = () =>
      few(async () => {
        const views = await asOf([projection], system, at, { signal, batchSize })
        try {
          return await ask(views)
        } finally {
          views.close()
        }
      })
    return onceFolded(watch, projection, signal, () =>
      askHistory(projection, system, at, async (views) => ask(views), askFolded),
    )
  }
