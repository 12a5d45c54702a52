import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { question } from '../../runtime/question.ts'
import { matching } from '../projection.ts'
import { SummaryAnswer } from './answers.ts'
import { generation } from './fields.ts'
import { knownGeneration, noSuchGeneration } from './rejections.ts'
import { summary } from './summary.ts'
import { summaryLines } from './summary-lines.ts'

export const summaryQuestion = question({
  name: 'summary',
  summary: 'How many works, links and graphs there are, how large they are, and what waits.',
  projection: matching,
  history: 'views',
  input: { generation },
  answer: SummaryAnswer,
  returns: 'Counts.',
  rejections: noSuchGeneration,
  ask: (views, { generation }) =>
    pipe(
      knownGeneration(views, generation),
      E.map((of) => summary(views, of)),
    ),
  show: summaryLines,
  examples: [['summary', 'of the live generation']],
})
