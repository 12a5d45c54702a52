import * as E from 'fp-ts/lib/Either.js'
import { question } from '../../runtime/question.ts'
import { ingest } from '../projection.ts'
import { theJob } from './fields.ts'
import { noSuchJob, unknownJob } from './known.ts'
import { jobRow } from './reading.ts'
import { whyReasons } from './why.ts'
import { WhyAnswer, WhyReason } from './why-answer.ts'

export const whyQuestion = question({
  name: 'why',
  path: 'ingest/jobs/{job}/why',
  operationId: 'whyIngest',
  summary:
    'Why a job does not move: held, claimed, put off, waiting for room or for another inventory, behind others, failed.',
  projection: ingest,
  history: 'views',
  input: { job: theJob },
  answer: WhyAnswer,
  returns: 'The reasons, the one that must go first comes first.',
  schemaName: 'WhyIngest',
  rejections: noSuchJob,
  ask: async (views, { job }, asking) => {
    const row = jobRow(views, job)
    if (!row) return E.left(unknownJob(job))
    const { state, batch, batchNumber } = row
    return E.right({ job, state, batch, batchNumber, reasons: await whyReasons(views, row, asking) })
  },
  rows: { row: WhyReason, of: ({ reasons }) => reasons },
  show: ({ job, state, batchNumber, reasons }) => [
    `job ${job} of batch ${batchNumber} is ${state}`,
    ...reasons.map(({ says }) => `  ${says}`),
  ],
  examples: [['why 12', 'what it waits for, and what to do']],
})
