import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { count, plural } from '../../../domain/kernel/amounts.ts'
import { question } from '../../runtime/question.ts'
import { type Column, toTheSecond } from '../../runtime/shown.ts'
import { matching } from '../projection.ts'
import { HistoryAnswer, TurnLine } from './answers.ts'
import { causesInWords } from './cause-words.ts'
import { generation, work } from './fields.ts'
import { history } from './history.ts'
import { historyReach } from './history-reach.ts'
import { askOfWorks, noSuchGeneration, noSuchWork } from './rejections.ts'

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
  show: ({ turns }) => [
    {
      rows: turns.map((turn) => ({
        ...turn,
        happened: inWords(turn),
        why: causesInWords(turn.causes, turn.caused),
      })),
      columns,
    },
  ],
  remarks: (_, { views, input }) => historyReach(views, input.generation),
  examples: [['history h3xbcs2m', 'joins and splits, the oldest first']],
})

const columns: readonly Column[] = [
  { key: 'at', title: 'when', show: toTheSecond },
  { key: 'happened', title: 'what happened' },
  { key: 'size', title: 'works' },
  { key: 'why', title: 'why' },
]

const inWords = ({ what, size, count: moved, some }: TurnLine): string => {
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
      return `${plural(moved, 'work')} joined: ${firstOf(some, moved)}`
    case 'lost':
      return `${plural(moved, 'work')} left: ${firstOf(some, moved)}`
  }
}

const firstOf = (some: readonly string[], all: number): string =>
  `${some.join(', ')}${all > some.length ? ` and ${count(all - some.length)} more` : ''}`
