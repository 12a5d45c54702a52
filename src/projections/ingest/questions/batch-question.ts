import * as E from 'fp-ts/lib/Either.js'
import { type JobState, JobState as JobStates } from '../../../domain/ingest/transitions.ts'
import { jobs, reports } from '../../../domain/ingest/views.ts'
import { count, plural } from '../../../domain/kernel/amounts.ts'
import { is, row, tally } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { question } from '../../runtime/question.ts'
import { columns } from '../../runtime/shown.ts'
import { ingest } from '../projection.ts'
import type { BatchRow } from '../tables.ts'
import { BatchAnswer } from './answers.ts'
import { reasonLine } from './batch-reason.ts'
import { batchReasoner } from './batch-reasons.ts'
import { batchLine } from './batches.ts'
import { theBatch } from './fields.ts'
import { noSuchBatch, unknownBatch } from './known.ts'
import { sizeColumn, stateColumn } from './list-columns.ts'
import { batchNamed, blockersOf } from './reading.ts'
import { mailSentence, reportLine } from './reports.ts'

/** Status of a submission. */
export const batchQuestion = question({
  name: 'batch',
  path: 'ingest/batches/{batch}',
  operationId: 'ingestBatch',
  summary: 'What became of one submission: its jobs by state, its report, and what it waits for.',
  projection: ingest,
  history: 'views',
  input: { batch: theBatch },
  answer: BatchAnswer,
  returns: 'The batch.',
  schemaName: 'IngestBatch',
  rejections: noSuchBatch,
  ask: async (views, { batch: name }, asking) => {
    const batch = batchNamed(views, name)
    if (!batch) return E.left(unknownBatch(name))
    const reasons = await batchReasoner(views, asking)(batch)
    return E.right({ ...batchAnswer(views, batch, asking.now), reasons })
  },
  show: (answer) => [
    ...batchSentences(answer),
    ...(answer.states.length > 0
      ? [{ rows: answer.states, columns: [stateColumn, ...columns('jobs'), sizeColumn] }]
      : []),
  ],
  examples: [
    ['batch 7', 'by its number'],
    ['batch 5b0c6f3e-8a4d-4f0e-9d59-3a1f0c9d7e21', 'by its public id'],
  ],
})

const batchAnswer = (views: Views, batch: BatchRow, now: string): Omit<BatchAnswer, 'reasons'> => {
  const saved = row(views, reports, is('batch', batch.batch), is('report', batch.reports))
  return {
    ...batchLine(batch, now),
    payload: batch.submission.payload.url,
    listed: batch.listed,
    firstJob: batch.firstJob,
    states: statesOf(views, batch.batch),
    blockedBy: [...blockersOf(views, batch)],
    holder: batch.holder,
    heldUntil: batch.heldUntil,
    putOffUntil: batch.putOffUntil,
    putOffFor: batch.putOffFor,
    report: saved ? reportLine(saved, batch.number) : null,
  }
}

const order = Object.keys(JobStates.keys) as readonly JobState[]

const statesOf = (views: Views, batch: string): BatchAnswer['states'] =>
  tally(views, jobs, { by: ['state'], sum: ['spaceNeeded'], where: [is('batch', batch)] })
    .map(({ state, count: number, spaceNeeded }) => ({ state, jobs: number, bytes: spaceNeeded }))
    .toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state))

const nameOfBatch = ({ number, batch }: { number: number | null; batch: string }): string =>
  number === null ? `the batch ${batch}` : `batch ${number}`

const batchSentences = (answer: BatchAnswer): readonly string[] => {
  const { batch, state, submitter, profile, submittedAt, payload, holder, heldUntil, message } = answer
  return [
    `${nameOfBatch(answer)} (${batch}) is ${state}${message === null ? '' : `: ${message}`}`,
    `${submitter} submitted ${payload} to ${profile} on ${submittedAt}`,
    ...progress(answer),
    ...(holder === null ? [] : [`${holder} works on it until ${heldUntil}`]),
    ...putOff(answer),
    ...blocked(answer),
    ...notYetNamed(answer).map(reasonLine),
    ...reportLines(answer),
    ...next(answer),
  ]
}

const progress = (answer: BatchAnswer): readonly string[] => {
  const { state, jobs: all, open, held, completed, failed, deleted, listed } = answer
  if (all === 0 && state !== 'pending') return ['it has no job']
  if (all === 0)
    return [listed === 0 ? 'its payload is not read yet' : `${plural(listed, 'object')} listed, no job yet`]
  const parts = [
    `${count(completed)} completed`,
    `${count(failed)} failed`,
    `${count(open)} open${held > 0 ? `, ${count(held)} of them held` : ''}`,
    ...(deleted > 0 ? [`${count(deleted)} deleted`] : []),
  ]
  return [`${plural(all, 'job')}: ${parts.join(', ')}`]
}

/** Shown after its time, too: a worker whose machine could not do it claims nothing until it can. */
const putOff = ({ putOffUntil: until, putOffFor: reason }: BatchAnswer): readonly string[] =>
  until === null ? [] : [`it is put off until ${until}, and goes on once this is over: ${reason}`]

const blocked = ({ blockedBy, held }: BatchAnswer): readonly string[] =>
  blockedBy.length === 0
    ? []
    : [
        `its report waits for ${plural(held, 'held job')} alone: ${blockedBy.join(', ')}${held > blockedBy.length ? ' …' : ''}; \`fonds do ingest.release-job job=${blockedBy[0]}\` lets one go on`,
      ]

/** Reasons that no other sentence about the batch gives. */
const notYetNamed = ({ reasons, blockedBy }: BatchAnswer): BatchAnswer['reasons'] =>
  reasons.filter(({ kind, job }) =>
    job === null
      ? kind !== 'held' && kind !== 'failed' && kind !== 'put-off'
      : kind !== 'held' || blockedBy.length === 0,
  )

const reportLines = ({ report }: BatchAnswer): readonly string[] => {
  if (report === null) return []
  return [`report ${report.report} was made on ${report.at}; ${mailSentence(report)}`]
}

/** Commands for a person about the batch. */
const next = ({ batch, state, jobs: all, failed }: BatchAnswer): readonly string[] => {
  const command = (name: string) => `\`fonds do ingest.${name} batch=${batch}\``
  if (state === 'held')
    return [`${command('release-batch')} lets it go on, once its collection is not on hold`]
  if (state !== 'failed') return []
  if (all === 0)
    return [
      `${command('resume-batch')} has its payload read again, once it is put right; ${command('delete-batch')} gives it up`,
    ]
  const updateReport = `${command('update-report')} reports anew`
  return failed === 0
    ? [`its failed jobs are settled: ${updateReport}`]
    : [
        `\`fonds ingest jobs --batch ${batch} --state failed\` says what failed; once that is settled, ${updateReport}`,
      ]
}
