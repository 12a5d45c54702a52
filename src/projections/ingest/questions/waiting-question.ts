import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { whole } from '../../runtime/field.ts'
import { question } from '../../runtime/question.ts'
import { columns } from '../../runtime/shown.ts'
import { ingest } from '../projection.ts'
import { stateColumn } from './list-columns.ts'
import { ReasonedBatch, reasonsBelow } from './reasoned-batch.ts'
import { waitingBatches } from './waiting.ts'

const WaitingBatch = t.intersection([
  ReasonedBatch,
  t.type({
    /** Something of it failed, is held, or can never fit: it does not go on by itself. */
    needsPerson: t.boolean,
  }),
])

export const waitingQuestion = question({
  name: 'waiting',
  operationId: 'waitingIngest',
  summary: 'Submissions that do not go on, whole or in part, each with the reasons of its jobs.',
  description:
    'What failed, is held, was put off, or can never fit: one row a batch, the oldest first. ' +
    'What waits for its turn alone, or for room that others give back, is not among them: `fonds ingest lanes` says that.',
  projection: ingest,
  history: 'views',
  input: {
    limit: { ...whole(1, 100), description: 'So many batches at most; 20 unless said.', default: 20 },
  },
  answer: t.type({ at: t.string, batches: t.readonlyArray(WaitingBatch), more: t.boolean }),
  returns: 'The batches, and whether there are more.',
  schemaName: 'WaitingIngest',
  ask: async (views, { limit }, asking) =>
    E.right({ at: asking.now, ...(await waitingBatches(views, asking, limit)) }),
  rows: { row: WaitingBatch, of: ({ batches }) => batches },
  show: ({ batches, more }) => [
    {
      rows: batches,
      columns: [...columns('number'), stateColumn, ...columns('title', 'jobs', 'open', 'held', 'failed')],
    },
    ...reasonsBelow(batches),
    ...(more ? ['and more: --limit shows up to 100'] : []),
  ],
  nothing: ({ batches }) =>
    batches.length === 0 ? 'no submission waits for a person, or for what is not there' : undefined,
  examples: [['waiting', 'what is stuck, why, and what to do']],
})
