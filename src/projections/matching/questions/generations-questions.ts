import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import * as views from '../../../domain/matching/views.ts'
import { whole } from '../../runtime/field.ts'
import { list, type QuestionRejection, question } from '../../runtime/question.ts'
import { matching } from '../projection.ts'
import { Comparison, GenerationLine } from './answers.ts'
import { compareGenerations } from './compare-generations.ts'
import { comparisonLines } from './comparison-lines.ts'
import { generationOf } from './reading.ts'
import { knownGeneration, noSuchGeneration } from './rejections.ts'

/** Nobody switches twice a minute; so there is room for the reason. */
const toTheMinute = (time: unknown): string =>
  typeof time === 'string' ? `${time.slice(0, 16).replace('T', ' ')}Z` : ''

export const generationsQuestion = list({
  name: 'generations',
  summary: 'The indexes that there are, and which one readers get.',
  projection: matching,
  history: 'views',
  row: GenerationLine,
  ask: (store, { limit }) => rows(store, views.generations, { limit }),
  columns: [
    { key: 'generation' },
    { key: 'status', tone: (status) => (status === 'live' ? 'good' : undefined) },
    { key: 'listedAt', title: 'built', show: toTheMinute },
    { key: 'switchedAt', title: 'switched to', show: toTheMinute },
    { key: 'reason' },
  ],
  none: 'generation 1 is live, and nothing has come in yet',
  examples: [['generations', 'which is live, which is built beside it']],
})

export const compareGenerationsQuestion = question({
  name: 'compare-generations',
  path: 'matching/generations/compare',
  operationId: 'compareGenerations',
  summary: 'How the documents of two generations differ.',
  description: 'Before a switch: which works would be shown differently. Versions are not compared.',
  projection: matching,
  history: 'views',
  input: {
    first: {
      description: 'A generation; the live one unless said.',
      ...whole(1, 1e9),
      required: 'http',
      argument: 'first',
    },
    second: {
      description: 'Another one; the newest unless said.',
      ...whole(1, 1e9),
      required: 'http',
      argument: 'second',
    },
  },
  answer: Comparison,
  returns: 'Counts, and the first few that differ.',
  rejections: {
    ...noSuchGeneration,
    'no-other-generation': { status: 404, description: 'There is nothing to compare it with.' },
  },
  ask: (store, { first, second }) =>
    pipe(
      knownGeneration(store, first),
      E.chain(() => knownGeneration(store, second)),
      E.chainW(() => twoOf(store, first, second)),
      TE.fromEither,
      TE.chainTaskK(
        ({ one, other }) =>
          () =>
            compareGenerations(store, one, other),
      ),
    )(),
  show: comparisonLines,
  examples: [
    ['compare-generations', 'the live generation with the newest one'],
    ['compare-generations 1 3', 'these two'],
  ],
})

const twoOf = (
  store: Views,
  first: number | undefined,
  second: number | undefined,
): E.Either<QuestionRejection<'no-other-generation'>, { readonly one: number; readonly other: number }> => {
  const one = first ?? generationOf(store, {})
  const newest = () =>
    rows(store, views.generations).findLast(
      ({ generation, status }) => generation !== one && status !== 'dropped',
    )?.generation
  const other = second ?? newest()
  return other === undefined
    ? E.left({
        code: 'no-other-generation',
        message: `there is nothing to compare generation ${one} with`,
        hint: '`fonds matching reindex` builds another',
      })
    : E.right({ one, other })
}
