import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import type { ViewStore } from '../ports/view-store.ts'
import type { Point } from '../projections/runtime/catch-up.ts'
import type { Projection } from '../projections/runtime/projection.ts'
import type { ApiContext } from './context.ts'
import type { ParameterSpec } from './documents/route-spec.ts'
import { LogPoint } from './http/parameters.ts'
import { type DetailedProblem, refuse } from './http/refuse.ts'
import { type Handled, json } from './http/route.ts'

/* What questions about the views of a workflow have in common. */

export const asOf = {
  name: 'asOf',
  in: 'query',
  description: 'A time or a position of the past.',
  codec: LogPoint,
} as const satisfies ParameterSpec

interface When {
  readonly asOf?: Point | undefined
  readonly signal: AbortSignal
}

/** Asks the views of now, or of then. Left: nothing was folded yet, or the answer says no. */
export const askViews = async <A>(
  { system: { viewStore }, askPast }: ApiContext,
  projection: Projection,
  { asOf, signal }: When,
  answer: (views: ViewStore) => Either<DetailedProblem, A>,
): Promise<Either<DetailedProblem, A>> => {
  if (asOf) return askPast([projection], asOf, signal, answer)
  return viewStore.live(projection.name)
    ? answer(viewStore)
    : refuse(
        503,
        'view-not-ready',
        `the views of ${projection.name} were never folded yet; is a process with the role projections running?`,
      )
}

export const asJson = (answer: Either<DetailedProblem, unknown>): Handled =>
  isLeft(answer) ? answer : json(answer.right)
