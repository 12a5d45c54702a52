import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { visible } from '../../../domain/kernel/visible.ts'
import { generations } from '../../../domain/matching/views.ts'
import type { QuestionRejection, RejectionSpec } from '../../runtime/question.ts'
import { clip } from './dot-text.ts'
import { type Bounded, generationRow, matchStateOf, type OfGeneration } from './reading.ts'
import { TooLarge } from './too-large.ts'

/* Rejections: reasons why there is no answer, for the command line and HTTP alike. */

export const noSuchGeneration = {
  'no-such-generation': { status: 404, description: 'There is no index of that number.' },
} as const satisfies Readonly<Record<string, RejectionSpec>>

export const noSuchWork = {
  'no-such-work': { status: 404, description: 'Nothing is known of the work, or it is in no graph yet.' },
} as const satisfies Readonly<Record<string, RejectionSpec>>

/** Questions about every work of a graph block all others: larger graphs are for the command line. */
const maxSharedWorks = 5000

export const tooLarge = {
  'too-large': {
    status: 422,
    description: `It is about more than ${maxSharedWorks.toLocaleString('en')} works; the command line answers it.`,
  },
} as const satisfies Readonly<Record<string, RejectionSpec>>

export const maxWorksFor = ({ isShared }: { readonly isShared: boolean }): number =>
  isShared ? maxSharedWorks : Number.POSITIVE_INFINITY

type Asked<A, Code extends string> = E.Either<QuestionRejection<Code>, A>

/** A scope with the asked-for fields alone. Generation 1 exists before any event. */
export const knownGeneration = (
  views: Views,
  generation: number | undefined,
): Asked<OfGeneration, 'no-such-generation'> => {
  if (generation === undefined) return E.right({})
  if (generation === 1 || generationRow(views, generation)) return E.right({ generation })
  const all = rows(views, generations).map((row) => row.generation)
  return E.left({
    code: 'no-such-generation',
    message: `there is no generation ${generation}; there ${all.length > 1 ? `are ${all.join(', ')}` : 'is 1'}`,
    hint: '`fonds matching generations` lists them',
  })
}

/** The answer about these works; if it is undefined, the reason. */
export const orNoSuchWork =
  (views: Views, works: readonly string[], of: OfGeneration = {}) =>
  <A>(found: A | undefined): Asked<A, 'no-such-work'> =>
    found === undefined ? E.left(unknownWork(views, works, of)) : E.right(found)

export const unknownWork = (
  views: Views,
  works: readonly string[],
  of: OfGeneration,
): QuestionRejection<'no-such-work'> => ({
  code: 'no-such-work',
  message: whyNoWork(views, works, of),
  ids: works.filter((work) => matchStateOf(views, work, of) === 'unknown'),
  hint: '`fonds matching search` finds works by id or title',
})

const whyNoWork = (views: Views, works: readonly string[], of: OfGeneration): string => {
  const shown = (work: string) => visible(clip(work, 100, 'middle'))
  const where = of.generation === undefined ? '' : ` of generation ${of.generation}`
  const states = works.map((work) => ({ work, state: matchStateOf(views, work, of) }))
  const unknown = states.find(({ state }) => state === 'unknown')
  if (unknown) return `nothing is known of ${shown(unknown.work)}`
  const waiting = states.find(({ state }) => state === 'waiting')
  return waiting
    ? `${shown(waiting.work)} is in no graph${where} yet; the matcher, where it runs, will come to it`
    : `there is no document${where} of ${works.map(shown).join(' and ')} yet; the merger, where it runs, will come to it`
}

/** The answer, unless it throws `TooLarge`. */
const unlessTooLarge = <A>(ask: () => A): Asked<A, 'too-large'> =>
  E.tryCatch(ask, (error) => {
    if (!(error instanceof TooLarge)) throw error
    return {
      code: 'too-large',
      message: `${error.message} here; \`fonds matching\` on the command line does`,
    }
  })

/** Answers a question about works, in the generation that is named. */
export const askOfWorks = <A>(
  views: Views,
  works: readonly string[],
  generation: number | undefined,
  ask: (of: OfGeneration) => A | undefined,
): Asked<A, 'no-such-generation' | 'no-such-work'> =>
  pipe(
    knownGeneration(views, generation),
    E.chainW((of) => pipe(ask(of), orNoSuchWork(views, works, of))),
  )

/** Answers a question about every work of their graphs, which may be too many. */
export const askOfGraphs = <A>(
  views: Views,
  works: readonly string[],
  generation: number | undefined,
  asking: { readonly isShared: boolean },
  ask: (scope: Bounded) => A | undefined,
): Asked<A, 'no-such-generation' | 'no-such-work' | 'too-large'> =>
  pipe(
    knownGeneration(views, generation),
    E.chainW((of) =>
      pipe(
        unlessTooLarge(() => ask({ ...of, maxWorks: maxWorksFor(asking) })),
        E.chainW(orNoSuchWork(views, works, of)),
      ),
    ),
  )
