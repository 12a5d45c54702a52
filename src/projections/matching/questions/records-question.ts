import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { question } from '../../runtime/question.ts'
import { matching } from '../projection.ts'
import { FieldPair, RecordsAnswer } from './answers.ts'
import { generation, named } from './fields.ts'
import { historyReach } from './history-reach.ts'
import { compareRecords } from './records.ts'
import { recordsBlocks } from './records-lines.ts'
import { knownGeneration, maxWorksFor, noSuchGeneration, noSuchWork, unknownWork } from './rejections.ts'

export const compareQuestion = question({
  name: 'compare',
  operationId: 'compareRecords',
  summary:
    'Two records side by side: what agrees, what differs, what links them, and whether they are merged.',
  description:
    'Field by field, those that differ first; the links from one to the other, the shortest way over others, and ids ' +
    'that both name. `fonds matching compare-generations` compares two indexes.',
  projection: matching,
  history: 'views',
  input: { a: named('work', 'A record.'), b: named('other', 'Another one.'), generation },
  answer: RecordsAnswer,
  returns: 'The two records.',
  rejections: { ...noSuchWork, ...noSuchGeneration },
  ask: (views, { a, b, generation }, asking) =>
    pipe(
      knownGeneration(views, generation),
      E.chainW((of) =>
        pipe(
          compareRecords(views, a, b, { ...of, maxWorks: maxWorksFor(asking) }),
          E.fromNullable(unknownWork(views, [a, b], of)),
        ),
      ),
    ),
  rows: { row: FieldPair, of: ({ fields }) => fields },
  show: (answer, { views, input }) => recordsBlocks(answer, historyReach(views, input.generation)),
  examples: [
    ['compare h3xbcs2m jz8d34qd', 'what agrees, what differs, and what links them'],
    ['compare h3xbcs2m jz8d34qd --format csv > both.csv', 'the fields, for a spreadsheet'],
  ],
})
