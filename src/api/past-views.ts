import type { Either } from 'fp-ts/lib/Either.js'
import type { ProblemSpec } from '../app/documents/route-spec.ts'
import type { System } from '../app/system.ts'
import type { ViewStore } from '../ports/view-store.ts'
import { asOf } from '../projections/runtime/as-of.ts'
import type { Point } from '../projections/runtime/catch-up.ts'
import type { Projection } from '../projections/runtime/projection.ts'
import { type DetailedProblem, refuse } from './http/refuse.ts'

/** Asks views as they were at a point of the log. They are closed when `ask` is done. */
export type AskPast = <A>(
  projections: readonly Projection[],
  at: Point,
  signal: AbortSignal,
  ask: (views: ViewStore) => Either<DetailedProblem, A> | Promise<Either<DetailedProblem, A>>,
) => Promise<Either<DetailedProblem, A>>

/** Does the work; Left where too many others are at it. */
export type FewAtOnce = <A>(
  work: () => Promise<Either<DetailedProblem, A>>,
) => Promise<Either<DetailedProblem, A>>

/** Each question about the past folds the log in memory, which takes much of it. */
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

export const pastViews =
  (stores: Pick<System, 'eventStore' | 'viewStore'>, few: FewAtOnce): AskPast =>
  (projections, at, signal, ask) =>
    few(async () => {
      const views = await asOf(projections, stores, at, { signal, batchSize })
      try {
        return await ask(views)
      } finally {
        views.close()
      }
    })
