import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { count, plural } from '../../../domain/kernel/amounts.ts'
import { question } from '../../runtime/question.ts'
import { toTheSecond } from '../../runtime/shown.ts'
import { matching } from '../projection.ts'
import { HistoryAnswer, TurnLine } from './answers.ts'
import { causesInWords } from './cause-words.ts'
import { generation, work } from './fields.ts'
import { history } from './history.ts'
import { historyReach } from './history-reach.ts'
import { askOfWorks, noSuchGeneration, noSuchWork } from './rejections.ts'
import { namesIn, titleReader, titlesOf } from './titles.ts'

export const historyQuestion = question({
  name: 'history',
  path: 'matching/works/{work}/history',
  summary: 'Who joined and who left the graph of a work, when, and by which update.',
  description:
    'Each time the works that are one with this one became others, and why: which update, by which link. ' +
    '`fonds history <work>` shows every event of the record itself.',
  projection: matching,
  history: 'views',
  input: { work, generation },
  answer: HistoryAnswer,
  returns: 'The latest comes last; of more than 1,000 the earlier ones are left out.',
  rejections: { ...noSuchWork, ...noSuchGeneration },
  ask: (views, { work, generation }) =>
    pipe(
      askOfWorks(views, [work], generation, (of) => history(views, work, of)),
      E.map((turns) => ({ work, turns })),
    ),
  prints: 'rows',
  rows: { row: TurnLine, of: ({ turns }) => turns },
  show: ({ work, turns }, { views }) => {
    const nameOf = namesIn(
      Object.assign(titlesOf(titleReader(views), [work]), ...turns.map(({ titles }) => titles)),
    )
    return [nameOf(work), ...turns.flatMap((turn) => linesOf(turn, nameOf))]
  },
  remarks: (_, { views, input }) => historyReach(views, input.generation),
  examples: [['history h3xbcs2m', 'joins and splits, the oldest first']],
})

/** A turn with its whole sentence, which a column would cut. */
const linesOf = (turn: TurnLine, nameOf: NameOf): readonly string[] => [
  `${toTheSecond(turn.at)}  ${inWords(turn, nameOf)}`,
  `  ${causesInWords(turn.causes, turn.caused, nameOf)}`,
]

type NameOf = (id: string) => string

const inWords = ({ what, size, count: moved, some }: TurnLine, nameOf: NameOf): string => {
  const others = size - 1
  const beside = others > 0 ? `with ${plural(others, 'other')}` : 'alone'
  switch (what) {
    case 'first':
      return `came, ${beside}`
    case 'joined':
      return `joined ${plural(others, 'other')}`
    case 'left':
      return `left, and is ${beside}`
    case 'gained':
      return `${plural(moved, 'work')} joined: ${firstOf(some, moved, nameOf)}; ${plural(size, 'work')} then`
    case 'lost':
      return `${plural(moved, 'work')} left: ${firstOf(some, moved, nameOf)}; ${plural(size, 'work')} then`
  }
}

const firstOf = (some: readonly string[], all: number, nameOf: NameOf): string =>
  `${some.map(nameOf).join(', ')}${all > some.length ? ` and ${count(all - some.length)} more` : ''}`
