import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { BatchCommand } from '../../domain/ingest/batch/commands.ts'
import { batchDecider } from '../../domain/ingest/batch/decide.ts'
import { holdDecider } from '../../domain/ingest/hold/decide.ts'
import { housekeepingDecider } from '../../domain/ingest/housekeeping/decide.ts'
import {
  BatchId,
  BatchName,
  batchStream,
  CollectionName,
  type HoldScope,
  holdStream,
  housekeepingStream,
  JobNumber,
  jobStream,
  scopeId,
} from '../../domain/ingest/ids.ts'
import type { JobCommand } from '../../domain/ingest/job/commands.ts'
import { jobDecider } from '../../domain/ingest/job/decide.ts'
import { anySpelling } from '../../domain/ingest/spelling.ts'
import { WorkState } from '../../domain/ingest/transitions.ts'
import { batches, holds } from '../../domain/ingest/views.ts'
import { Time } from '../../domain/kernel/codecs.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { addMillis, DAY } from '../../domain/kernel/time.ts'
import { exactlyOne } from '../runtime/exactly-one.ts'
import {
  type By,
  operatorCommand,
  type RejectionByViews,
  type ResolvedByViews,
} from '../runtime/operator-command.ts'
import { routeTo } from '../runtime/route.ts'

const batch = { batch: BatchName }
const job = { job: JobNumber }
const collection = { collection: CollectionName }
/** Confirmation, required if somebody will not be notified. */
const confirmed = t.partial({ confirmed: t.boolean })

const JobOrBatch = exactlyOne(t.partial({ ...job, ...batch, confirmed: t.boolean }), ['job', 'batch'])

const exampleBatch = { batch: '5b0c6f3e-8a4d-4f0e-9d59-3a1f0c9d7e21' }
const exampleJob = { job: 12 }
const exampleCollection = { collection: 'letters' }

const onBatch = (id: string, command: BatchCommand) => routeTo(batchDecider, batchStream(id), command)
const onJob = (number: number, command: JobCommand) => routeTo(jobDecider, jobStream(number), command)
const onHold = (scope: HoldScope, type: 'SetHold' | 'ReleaseHold' | 'ReleaseJobs', by: By) =>
  routeTo(holdDecider, holdStream(scope), { type, ...by })
const onHousekeeping = (type: 'RequestSweep' | 'RequestCleaning', before: string, by: By) =>
  routeTo(housekeepingDecider, housekeepingStream, { type, before, ...by })

interface OfBatch {
  readonly batch: string
}

/** Resolves the number of a batch to its public id, by the views. Undefined if the input is a public id. */
const byNumber = <Input extends OfBatch>(input: Input): ResolvedByViews<Input> | undefined =>
  BatchId.is(input.batch)
    ? undefined
    : (views) => {
        const number = Number(input.batch)
        const [found] = rowsIfFolded(views, batches, { where: [is('number', number)], limit: 1 })
        return found
          ? E.right({ ...input, batch: found.batch })
          : E.left({
              code: 'unknown',
              message: `there is no batch ${number}; \`fonds ingest batches\` lists all`,
            })
      }

/** I5: a batch is released only once its collection is not on hold. */
const collectionIsFree =
  (id: string): RejectionByViews =>
  (views) => {
    const [found] = rowsIfFolded(views, batches, { where: [is('batch', id)] })
    if (!found) return undefined
    const scope = scopeId({ collection: found.collection })
    const [hold] = rowsIfFolded(views, holds, { where: [is('scope', scope)] })
    return (
      hold && {
        code: 'on-hold',
        message: `collection ${found.collection} is on hold (${hold.reason}); release it before the batch`,
      }
    )
  }

/** Work folders of jobs that ended longer ago are removed, unless a person states another time. */
export const folderDays = 30

/** Operators' commands of ingest. Each needs an actor and a reason. */
export const ingestCommands = [
  operatorCommand({
    name: 'ingest.pause',
    description: 'Pauses all ingest: nothing more is begun, what runs finishes.',
    codec: t.type({}),
    example: {},
    route: (_, by) => onHold('all', 'SetHold', by),
  }),
  operatorCommand({
    name: 'ingest.unpause',
    description: 'Lets all ingest go on.',
    codec: t.type({}),
    example: {},
    route: (_, by) => onHold('all', 'ReleaseHold', by),
  }),
  operatorCommand({
    name: 'ingest.hold-collection',
    description:
      'Puts a collection on hold: its batches and jobs are held while they are pending, others finish.',
    codec: t.type(collection),
    example: exampleCollection,
    route: (input, by) => onHold({ collection: input.collection }, 'SetHold', by),
  }),
  operatorCommand({
    name: 'ingest.release-collection',
    description:
      'Ends the hold on a collection. What was held meanwhile is released apart: its batches, its jobs.',
    codec: t.type(collection),
    example: exampleCollection,
    route: (input, by) => onHold({ collection: input.collection }, 'ReleaseHold', by),
  }),
  operatorCommand({
    name: 'ingest.release-jobs',
    description: 'Releases all held jobs of a collection.',
    codec: t.type(collection),
    example: exampleCollection,
    route: (input, by) => onHold({ collection: input.collection }, 'ReleaseJobs', by),
  }),
  operatorCommand({
    name: 'ingest.hold-batch',
    description: 'Holds a batch that is pending.',
    codec: t.type(batch),
    example: exampleBatch,
    resolve: byNumber,
    route: (input, by) => onBatch(input.batch, { type: 'HoldBatch', ...by }),
  }),
  operatorCommand({
    name: 'ingest.release-batch',
    description: 'Releases a held batch, once its collection is not on hold any more.',
    codec: t.type(batch),
    example: exampleBatch,
    resolve: byNumber,
    route: (input, by) => onBatch(input.batch, { type: 'ReleaseBatch', ...by }),
    rejection: (input) => collectionIsFree(input.batch),
  }),
  operatorCommand({
    name: 'ingest.resume-batch',
    description: 'Has the payload of a failed batch read again, where it failed before it had jobs.',
    codec: t.type(batch),
    example: exampleBatch,
    resolve: byNumber,
    route: (input, by) => onBatch(input.batch, { type: 'ResumeBatch', ...by }),
  }),
  operatorCommand({
    name: 'ingest.delete-batch',
    description: 'Deletes a held or a failed batch, with all of its jobs. The depositor is not told.',
    codec: t.intersection([t.type(batch), confirmed]),
    example: exampleBatch,
    resolve: byNumber,
    route: (input, by) =>
      onBatch(input.batch, { type: 'DeleteBatch', confirmed: input.confirmed === true, ...by }),
  }),
  operatorCommand({
    name: 'ingest.update-report',
    description: 'Has a new report made of a failed batch: its troubleshooting has ended.',
    codec: t.type(batch),
    example: exampleBatch,
    resolve: byNumber,
    route: (input, by) => onBatch(input.batch, { type: 'UpdateReport', ...by }),
  }),
  operatorCommand({
    name: 'ingest.sweep-batch',
    description: 'Clears away a completed batch, with its jobs. What was stored stays.',
    codec: t.type(batch),
    example: exampleBatch,
    resolve: byNumber,
    route: (input, by) => onBatch(input.batch, { type: 'SweepBatch', by: 'admin', ...by }),
  }),
  operatorCommand({
    name: 'ingest.sweep',
    description:
      'Clears away all completed batches, or those that were done before a time. What was stored stays.',
    codec: t.partial({ before: Time }),
    example: { before: '2026-01-31T12:00:00.000Z' },
    route: (input, by) => onHousekeeping('RequestSweep', input.before ?? by.at, by),
  }),
  operatorCommand({
    name: 'ingest.clean-folders',
    description: `Removes the work folders of jobs that ended before a time: ${folderDays} days ago unless it is said.`,
    codec: t.partial({ before: Time }),
    example: { before: '2026-01-31T12:00:00.000Z' },
    route: (input, by) =>
      onHousekeeping('RequestCleaning', input.before ?? addMillis(by.at, -folderDays * DAY), by),
  }),
  operatorCommand({
    name: 'ingest.hold-job',
    description: 'Holds a job that is pending.',
    codec: t.type(job),
    example: exampleJob,
    route: (input, by) => onJob(input.job, { type: 'HoldJob', ...by }),
  }),
  operatorCommand({
    name: 'ingest.release-job',
    description: 'Releases a held job. Where its collection is on hold still, it is held again.',
    codec: t.type(job),
    example: exampleJob,
    route: (input, by) => onJob(input.job, { type: 'ReleaseJob', ...by }),
  }),
  operatorCommand({
    name: 'ingest.resume-job',
    description: 'Puts a failed job back to work, at the step that it failed in.',
    codec: t.intersection([t.type(job), t.partial({ to: anySpelling(WorkState) })]),
    example: exampleJob,
    route: (input, by) => onJob(input.job, { type: 'ResumeJob', to: input.to, ...by }),
  }),
  operatorCommand({
    name: 'ingest.delete-job',
    description: 'Deletes a held or a failed job. No report will name it.',
    codec: t.intersection([t.type(job), confirmed]),
    example: exampleJob,
    route: (input, by) => onJob(input.job, { type: 'DeleteJob', confirmed: input.confirmed === true, ...by }),
  }),
  operatorCommand({
    name: 'ingest.force-fail',
    description:
      'Fails a job, or all jobs of a batch that have not ended, whatever they are at and whoever holds them: for what hangs, and for ' +
      'jobs of a node that is gone for good. They can be resumed.',
    codec: JobOrBatch,
    example: exampleJob,
    resolve: (input) => (input.batch === undefined ? undefined : byNumber({ ...input, batch: input.batch })),
    route: ({ job: number, batch: id, confirmed: isConfirmed }, by) => {
      const command = { confirmed: isConfirmed === true, ...by }
      return id === undefined
        ? onJob(number!, { type: 'ForceFail', ...command })
        : onBatch(id, { type: 'FailJobs', ...command })
    },
  }),
]
