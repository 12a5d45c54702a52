import { type Either, right } from 'fp-ts/lib/Either.js'
import { ClipId, EpisodeId } from '../../domain/research/terms.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { research } from '../../projections/research/projection.ts'
import type { Point } from '../../projections/runtime/catch-up.ts'
import { askViews } from '../ask-views.ts'
import type { ApiContext } from '../context.ts'
import type { ParameterSpec, ProblemSpec } from '../documents/route-spec.ts'
import { wholeNumber } from '../http/parameters.ts'
import { type DetailedProblem, refuse } from '../http/refuse.ts'
import { type Named, unknownOf } from './known.ts'

/* What the routes of research have in common: their parameters, their ways to say no, and how they ask. */

export const episode = {
  name: 'episode',
  in: 'path',
  description: 'Its id, percent-encoded.',
  codec: EpisodeId,
  example: 'tbtl-4611',
} as const satisfies ParameterSpec

export const ofEpisode = {
  name: 'episode',
  in: 'query',
  description: 'Of this episode alone.',
  codec: EpisodeId,
} as const satisfies ParameterSpec

export const ofClip = {
  name: 'clip',
  in: 'query',
  description: 'Of this clip alone.',
  codec: ClipId,
} as const satisfies ParameterSpec

export const limit = {
  name: 'limit',
  in: 'query',
  description: 'Most rows; 1000 unless said.',
  codec: wholeNumber(10_000, 1),
} as const satisfies ParameterSpec

export const notReady: ProblemSpec = {
  status: 503,
  code: 'view-not-ready',
  description: 'The views of research were never folded.',
}

export const noSuchClip: ProblemSpec = {
  status: 404,
  code: 'no-such-clip',
  description: 'Nothing is known of the clip.',
}

export const noSuchEpisode: ProblemSpec = {
  status: 404,
  code: 'no-such-episode',
  description: 'Nothing is known of the episode.',
}

/** Asks the views of now, or of then; `now` is the time that deadlines are compared with. */
export const asking =
  (context: ApiContext) =>
  <A>(
    { asOf, signal }: { readonly asOf?: Point | undefined; readonly signal: AbortSignal },
    question: (views: ViewStore, now: string) => A,
  ): Promise<Either<DetailedProblem, A>> =>
    askViews(context, research, { asOf, signal }, (views) => {
      const now = context.system.clock.now()
      return right(question(views, asOf ? timeOf(views, asOf, now) : now))
    })

/** Left, with the parameter at fault, where nobody knows what the question names. */
export const orUnknown = (views: ViewStore, named: Named): Either<DetailedProblem, undefined> => {
  const unknown = unknownOf(views, named)
  if (!unknown) return right(undefined)
  const { subject, says } = unknown
  return refuse(404, `no-such-${subject}`, says, { path: subject })
}

/** A position stands for the time of the last event up to it. */
export const timeOf = (views: ViewStore, point: Point, now: string): string => {
  if ('time' in point) return point.time
  const live = views.live(research.name)
  return (live && views.checkpoint(live).time) ?? now
}
