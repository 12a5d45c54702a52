import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { count, plural } from '../../../domain/kernel/amounts.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { type Question, type QuestionRejection, question } from '../../runtime/question.ts'
import { matching } from '../projection.ts'
import { Verified } from './answers.ts'
import { generation } from './fields.ts'
import { generationOf, generationRow, type OfGeneration } from './reading.ts'
import { knownGeneration, noSuchGeneration } from './rejections.ts'
import { namesIn } from './titles.ts'
import { type LocalPosition, verifyGraphs } from './verify-graphs.ts'

export const verifyQuestion = (localPosition: LocalPosition): Question =>
  question({
    name: 'verify',
    summary: 'Prove that the graphs are what the records say.',
    description:
      'Reads the latest word on every work from the log, finds the works that links connect by a plain search, and ' +
      'holds the graphs against it. What came after the last change of the graphs is left out. Exit code 1 when ' +
      'they differ.',
    only: 'command-line',
    projection: matching,
    input: { generation },
    answer: Verified,
    returns: 'Counts, and the first few graphs that differ.',
    rejections: {
      ...noSuchGeneration,
      dropped: { status: 409, description: 'Nothing is added to the generation any more.' },
      'not-built': { status: 409, description: 'The generation is still being built.' },
    },
    ask: (viewStore, { generation }, { eventStore, signal }) =>
      pipe(
        knownGeneration(viewStore, generation),
        E.chainW((of) => builtGeneration(viewStore, of)),
        TE.fromEither,
        TE.chainTaskK((built) => () => verifyGraphs({ eventStore, viewStore, localPosition }, built, signal)),
      )(),
    show: lines,
    alarm: ({ generation, differences }) =>
      differences === 0
        ? undefined
        : {
            message: `${plural(differences, 'graph')} of generation ${generation} not as the records say`,
            hint: '`fonds rebuild matching --verify` tells whether the views are at fault; `fonds matching resend <work>` tells a graph anew',
          },
    examples: [['verify', 'the graphs of the live generation']],
  })

const builtGeneration = (
  views: Views,
  of: OfGeneration,
): E.Either<QuestionRejection<'dropped' | 'not-built'>, number> => {
  const generation = generationOf(views, of)
  switch (generationRow(views, generation)?.status) {
    case 'dropped':
      return E.left({
        code: 'dropped',
        message: `generation ${generation} was dropped: nothing is added to it`,
      })
    case 'building':
      return E.left({
        code: 'not-built',
        message: `generation ${generation} is still being built`,
        hint: 'try again when it is ready',
      })
    default:
      return E.right(generation)
  }
}

const lines = ({ components, works, differences, examples, titles }: Verified): readonly string[] => {
  const nameOf = namesIn(titles)
  return differences === 0
    ? [`${plural(components, 'graph')} of ${plural(works, 'work')}, all equal`]
    : examples.flatMap(({ expected, found }) => [
        `the records say  ${named(expected, nameOf)}`,
        `the graphs say   ${named(found, nameOf)}`,
      ])
}

const maxNamed = 20

const named = (ids: readonly string[], nameOf: (id: string) => string): string =>
  ids.length === 0
    ? 'nothing'
    : `${ids.slice(0, maxNamed).map(nameOf).join(', ')}${ids.length > maxNamed ? ` and ${count(ids.length - maxNamed)} more` : ''}`
