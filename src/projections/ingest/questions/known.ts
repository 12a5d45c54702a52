import type { QuestionRejection, RejectionSpec } from '../../runtime/question.ts'

/* Rejections of questions about unknown batches and jobs. */

export const noSuchBatch = {
  'no-such-batch': { status: 404, description: 'There is no such batch.', dated: 'command-line' },
} as const satisfies Record<string, RejectionSpec>

export const noSuchJob = {
  'no-such-job': { status: 404, description: 'There is no such job.', dated: 'command-line' },
} as const satisfies Record<string, RejectionSpec>

export const unknownBatch = (name: string): QuestionRejection<'no-such-batch'> => ({
  code: 'no-such-batch',
  message: `there is no batch ${name}`,
  path: 'batch',
  ids: [name],
  hint: '`fonds ingest batches` lists all; a batch has a number and a public id',
})

export const unknownJob = (job: number): QuestionRejection<'no-such-job'> => ({
  code: 'no-such-job',
  message: `there is no job ${job}, or it was deleted and its work folder is gone`,
  path: 'job',
  ids: [String(job)],
  hint: `\`fonds history ${job}\` shows whatever happened to it`,
})
