import { question } from '../../runtime/question.ts'
import { matching } from '../projection.ts'
import { WhyAnswer } from './answers.ts'
import { generation, named } from './fields.ts'
import { historyReach } from './history-reach.ts'
import { askOfGraphs, noSuchGeneration, noSuchWork, tooLarge } from './rejections.ts'
import { why } from './why.ts'
import { whyLines } from './why-lines.ts'

export const whyQuestion = question({
  name: 'why',
  operationId: 'whyMatched',
  summary: 'Why two works are one, and which links alone hold them together; or since when they are not.',
  description:
    'The shortest way from one to the other, each step with its reason and the record that states it; and the links ' +
    'without any one of which they would part.',
  projection: matching,
  history: 'views',
  input: { a: named('work', 'A work.'), b: named('other', 'Another one.'), generation },
  answer: WhyAnswer,
  returns: 'The way from one to the other.',
  rejections: { ...noSuchWork, ...noSuchGeneration, ...tooLarge },
  ask: (views, { a, b, generation }, asking) =>
    askOfGraphs(views, [a, b], generation, asking, (scope) => why(views, a, b, scope)),
  show: (answer, { views, input }) => whyLines(answer, historyReach(views, input.generation)),
  examples: [
    ['why h3xbcs2m jz8d34qd', 'what links them'],
    ['why h3xbcs2m jz8d34qd --as-of 2026-01-31T12:00:00Z', 'what linked them that noon'],
  ],
})
