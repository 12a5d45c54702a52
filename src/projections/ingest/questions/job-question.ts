import * as E from 'fp-ts/lib/Either.js'
import { bytes, plural } from '../../../domain/kernel/amounts.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { question } from '../../runtime/question.ts'
import { ingest } from '../projection.ts'
import type { JobRow } from '../tables.ts'
import { JobAnswer } from './answers.ts'
import { theJob } from './fields.ts'
import { jobLine } from './jobs.ts'
import { noSuchJob, unknownJob } from './known.ts'
import { size } from './list-columns.ts'
import { batchReader, jobRow } from './reading.ts'

export const jobQuestion = question({
  name: 'job',
  path: 'ingest/jobs/{job}',
  operationId: 'ingestJob',
  summary: 'One job: what it makes an object of, where it stands, what came of it.',
  projection: ingest,
  history: 'views',
  input: { job: theJob },
  answer: JobAnswer,
  returns: 'The job.',
  schemaName: 'IngestJob',
  rejections: noSuchJob,
  ask: (views, { job }, { now }) => {
    const row = jobRow(views, job)
    return row ? E.right(jobAnswer(views, row, now)) : E.left(unknownJob(job))
  },
  show: (answer) => jobSentences(answer),
  examples: [['job 12', 'what is known of it']],
})

const jobAnswer = (views: Views, row: JobRow, now: string): JobAnswer => ({
  ...jobLine(row, batchReader(views)(row.batch), now),
  place: row.place,
  profile: row.profile,
  owner: row.owner,
  submitter: row.submitter,
  payload: row.payload.url,
  type: row.payload.type,
  mode: row.mode,
  description: row.description,
  callback: row.callback,
  lastSuccessfulStatus: row.lastSuccessfulStatus,
  retryCount: row.retryCount,
  failedIn: row.failedIn,
  permanent: row.permanent === 1,
  actor: row.actor,
  heldUntil: row.heldUntil,
  putOffUntil: row.putOffFor === null ? null : row.available,
  putOffFor: row.putOffFor,
  version: row.version,
  files: row.files,
  storedBytes: row.bytes,
  createdAt: row.createdAt,
  endedAt: row.endedAt,
})

const jobSentences = (answer: JobAnswer): readonly string[] => {
  const { job, state, message, batchNumber, batch, place, collection, submitter, type, payload, mode } =
    answer
  const { title, ark, localIds, priority, lastSuccessfulStatus, retryCount } = answer
  return [
    `job ${job} is ${state}${message === null ? '' : `: ${message}`}`,
    `place ${place + 1} of batch ${batchNumber} (${batch}), collection ${collection}, of ${submitter}`,
    `${mode} of the ${type} ${payload}${title === null ? '' : `: ${title}`}`,
    `${ark ?? 'no identifier yet'}${localIds.length > 0 ? `; ${localIds.join('; ')}` : ''}`,
    `size ${size(answer.bytes)}, priority ${priority}, last successful step ${lastSuccessfulStatus ?? 'none'}, ${plural(retryCount, 'resume')}`,
    ...stored(answer),
    ...(state === 'completed' || state === 'deleted'
      ? []
      : [`\`fonds ingest why ${job}\` says what it waits for`]),
  ]
}

const stored = ({ version, files, storedBytes }: JobAnswer): readonly string[] =>
  version === null
    ? []
    : [`stored as version ${version}: ${plural(files ?? 0, 'file')}, ${bytes(storedBytes ?? 0)}`]
