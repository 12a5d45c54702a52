import { type Either, right } from 'fp-ts/lib/Either.js'
import { WorkId } from '../../domain/matching/work.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { matching } from '../../projections/matching/projection.ts'
import { TooLarge } from '../../projections/matching/too-large.ts'
import type { Point } from '../../projections/runtime/catch-up.ts'
import { askViews } from '../ask-views.ts'
import type { ApiContext } from '../context.ts'
import type { ParameterSpec, ProblemSpec } from '../documents/route-spec.ts'
import { wholeNumber } from '../http/parameters.ts'
import { type DetailedProblem, refuse } from '../http/refuse.ts'
import { noGeneration, noWork, ofGeneration } from './unknown.ts'

/* What the routes of matching have in common: their parameters, their ways to say no, and how they ask. */

export const work = {
  name: 'work',
  in: 'path',
  description: 'Its id, percent-encoded.',
  codec: WorkId,
  example: 'h3xbcs2m',
} as const satisfies ParameterSpec

export const generation = {
  name: 'generation',
  in: 'query',
  description: 'Which index; the live one unless said.',
  codec: wholeNumber(1e9, 1),
} as const satisfies ParameterSpec

export const limit = {
  name: 'limit',
  in: 'query',
  description: 'Most lines of each kind.',
  codec: wholeNumber(10_000, 1),
} as const satisfies ParameterSpec

export const notReady: ProblemSpec = {
  status: 503,
  code: 'view-not-ready',
  description: 'The views of matching were never folded.',
}
export const noSuchGeneration: ProblemSpec = {
  status: 404,
  code: 'no-such-generation',
  description: 'There is no index of that number.',
}
export const noSuchWork: ProblemSpec = {
  status: 404,
  code: 'no-such-work',
  description: 'Nothing is known of the work, or it is in no graph yet.',
}

/** Questions about every work of a graph hold up all others, so that larger ones are for the command line. */
export const mostWorks = 5000
export const tooLarge: ProblemSpec = {
  status: 422,
  code: 'too-large',
  description: `It is about more than ${mostWorks.toLocaleString('en')} works; the command line answers it.`,
}

interface About {
  /** The works that the question names. */
  readonly works?: readonly string[]
  /** The generations that it names. */
  readonly generations?: readonly (number | undefined)[]
  readonly asOf?: Point | undefined
  readonly signal: AbortSignal
}

/**
 * Asks the views of now, or of then; `undefined` is the answer where a work is in no graph. Left: there is no such
 * generation or work, or nothing was folded yet.
 */
export const asking =
  (context: ApiContext) =>
  async <A>(
    { works = [], generations = [], asOf, signal }: About,
    question: (views: ViewStore) => A | undefined,
  ): Promise<Either<DetailedProblem, A>> => {
    const then = asOf ? `as of ${inWords(asOf)}: ` : ''
    const answer = (views: ViewStore): Either<DetailedProblem, A> => {
      const noSuch = generations.flatMap((one) => noGeneration(views, one) ?? [])[0]
      if (noSuch !== undefined) return refuse(404, 'no-such-generation', `${then}${noSuch}`)
      try {
        const found = question(views)
        return found === undefined
          ? refuse(404, 'no-such-work', `${then}${noWork(views, works, ofGeneration(generations[0]))}`)
          : right(found)
      } catch (error) {
        if (!(error instanceof TooLarge)) throw error
        return refuse(422, 'too-large', `${error.message} here; \`fonds matching\` on the command line does`)
      }
    }
    return askViews(context, matching, { asOf, signal }, answer)
  }

export const inWords = (point: Point): string => ('time' in point ? point.time : `position ${point.position}`)
