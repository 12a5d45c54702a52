import { question } from '../../runtime/question.ts'
import { matching } from '../projection.ts'
import { LinkChange, WhatIfAnswer } from './answers.ts'
import { generation, named } from './fields.ts'
import { askOfGraphs, noSuchGeneration, noSuchWork, tooLarge } from './rejections.ts'
import { whatIf } from './what-if.ts'
import { whatIfLines } from './what-if-lines.ts'

export const whatIfQuestion = question({
  name: 'what-if',
  operationId: 'whatIf',
  summary:
    'What would become of the works that a link concerns, if it were dropped or stated. Changes nothing.',
  description: 'Tries it out on the graphs and documents of now.',
  projection: matching,
  input: {
    change: {
      description: 'Drop the link, or add it.',
      codec: LinkChange,
      required: true,
      argument: 'change',
    },
    from: named('from', 'The work that states it.'),
    to: named('to', 'The work it names.'),
    generation,
  },
  answer: WhatIfAnswer,
  returns: 'Graphs before and after.',
  rejections: { ...noSuchWork, ...noSuchGeneration, ...tooLarge },
  ask: (views, { change: kind, from, to, generation }, asking) =>
    askOfGraphs(views, [from], generation, asking, (scope) => whatIf(views, { kind, from, to }, scope)),
  show: whatIfLines,
  examples: [
    ['what-if drop jz8d34qd h3xbcs2m', 'which works would part'],
    ['what-if add nymm52zc h3xbcs2m', 'which works would become one'],
  ],
})
