import type { Profile } from '../../../domain/ingest/profile/profile.ts'
import { Text } from '../../../domain/kernel/codecs.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { list } from '../../runtime/question.ts'
import { columns } from '../../runtime/shown.ts'
import { ingest } from '../projection.ts'
import {
  BatchLine,
  HoldLine,
  IdLine,
  JobLine,
  ProfileLine,
  QueueLine,
  ReportLine,
  SummaryLine,
} from './answers.ts'
import { batchLines, countBatches } from './batches.ts'
import { inBatchState, inJobState, ofBatch, ofCollection, ofQueue } from './fields.ts'
import { countHolds, holdLines } from './holds.ts'
import { idLines } from './ids.ts'
import { countJobs, jobLines } from './jobs.ts'
import { noSuchBatch, unknownBatch } from './known.ts'
import {
  ageColumn,
  lateColumn,
  listed,
  sizeColumn,
  stateColumn,
  timeColumn,
  titleColumn,
  toneOf,
} from './list-columns.ts'
import { ObjectLine } from './object-answers.ts'
import { countObjects, objectLines } from './objects.ts'
import { profileLines } from './profiles.ts'
import { queueLines } from './queue.ts'
import { batchNamed } from './reading.ts'
import { reportLines } from './reports.ts'
import { summaryLines } from './summary.ts'

const common = { projection: ingest, history: 'views' } as const

/** The public id of a batch, from its number or public id. */
const idOf = (views: Views, name: string | undefined) => {
  const batch = name === undefined ? undefined : batchNamed(views, name)?.batch
  return batch === undefined ? {} : { batch }
}

export const batchesQuestion = list({
  ...common,
  name: 'batches',
  operationId: 'listIngestBatches',
  summary:
    'The submissions, the latest first: where each stands, and how many of its jobs are open and ended.',
  input: {
    state: inBatchState,
    collection: ofCollection,
    submitter: { description: 'Of this submitter alone.', codec: Text, value: 'name' },
  },
  row: BatchLine,
  ask: (views, scope, { now }) => batchLines(views, now, scope),
  total: countBatches,
  columns: [
    { key: 'number', title: 'batch' },
    stateColumn,
    ...columns('jobs', 'open', 'held', 'failed'),
    lateColumn,
    ...columns('profile', 'type', 'submitter', 'creator'),
    { ...titleColumn, show: (title, { file }) => String(title ?? file) },
  ],
  none: 'there is no batch: `fonds ingest submit <file|folder|manifest|url>` makes one',
  examples: [
    ['batches', 'the latest first'],
    ['batches --state failed', 'those that wait for somebody'],
  ],
})

export const jobsQuestion = list({
  ...common,
  name: 'jobs',
  operationId: 'listIngestJobs',
  summary: 'The jobs: state, size and age of each, and held ones that keep a batch from its report.',
  input: { state: inJobState, collection: ofCollection, batch: ofBatch },
  row: JobLine,
  rejections: noSuchBatch,
  reject: (views, { batch }) =>
    batch !== undefined && !batchNamed(views, batch) ? unknownBatch(batch) : undefined,
  ask: (views, { batch, ...scope }, { now }) => jobLines(views, now, { ...scope, ...idOf(views, batch) }),
  total: (views, { batch, ...scope }) => countJobs(views, { ...scope, ...idOf(views, batch) }),
  columns: [
    { key: 'job' },
    { key: 'batchNumber', title: 'batch' },
    stateColumn,
    ...columns('priority', 'collection'),
    sizeColumn,
    ageColumn,
    titleColumn,
    { key: 'holder', leaveOut: 'middle' },
    {
      key: 'blocksReport',
      title: 'blocks report',
      show: (value) => (value === true ? 'yes' : ''),
      tone: (value) => (value === true ? 'warning' : undefined),
    },
    { key: 'message' },
  ],
  none: 'there is no such job',
  examples: [
    ['jobs --batch 7', 'the jobs of a batch'],
    ['jobs --state failed --collection letters', 'what failed in a collection'],
  ],
})

export const summaryQuestion = list({
  ...common,
  name: 'summary',
  operationId: 'ingestSummary',
  summary: 'How many jobs each collection has in each state, and what they need.',
  input: { collection: ofCollection },
  row: SummaryLine,
  ask: (views, scope) => summaryLines(views, scope),
  columns: [
    { key: 'collection' },
    stateColumn,
    { key: 'jobs' },
    sizeColumn,
    { key: 'unknown', title: 'unknown size' },
  ],
  none: 'there is no job',
  examples: [['summary', 'a line a collection and state']],
})

export const queueQuestion = list({
  ...common,
  name: 'queue',
  operationId: 'ingestQueue',
  summary: 'What waits for a worker, in the exact order in which it is claimed, state by state.',
  description: 'The lower priority number goes first, then the older job.',
  input: { state: ofQueue },
  row: QueueLine,
  ask: (views, scope, { now }) => queueLines(views, now, scope),
  columns: [
    stateColumn,
    ...columns('place', 'job', 'priority'),
    { key: 'batchNumber', title: 'batch' },
    { key: 'collection' },
    sizeColumn,
    titleColumn,
  ],
  none: 'nothing waits for a worker',
  examples: [
    ['queue', 'every state'],
    ['queue provisioning --limit 10', 'what gets room next'],
  ],
})

export const holdsQuestion = list({
  ...common,
  name: 'holds',
  operationId: 'ingestHolds',
  summary: 'What is on hold, by whom and why: all ingest, collections, batches, jobs.',
  row: HoldLine,
  ask: holdLines,
  total: countHolds,
  columns: [
    ...columns('kind', 'name', 'reason', 'actor'),
    timeColumn('since', 'since'),
    { key: 'batches', title: 'held batches' },
    { key: 'jobs', title: 'held jobs' },
  ],
  none: 'nothing is on hold',
  examples: [['holds', 'all ingest first, then collections, batches and jobs']],
})

export const profilesQuestion = list({
  ...common,
  name: 'profiles',
  operationId: 'listIngestProfiles',
  summary: 'The profiles: how the submissions of each collection are taken in.',
  row: ProfileLine,
  ask: (views, { limit }) => profileLines(views, limit),
  columns: [
    ...columns('profile', 'collection', 'owner'),
    { key: 'terms', title: 'description', show: (_, { terms }) => (terms as Profile).description ?? '' },
  ],
  none: 'there is no profile',
  examples: [['profiles', 'those that a submission may name']],
})

export const objectsQuestion = list({
  ...common,
  name: 'objects',
  operationId: 'listIngestObjects',
  summary: 'The objects: identifier, latest version, files and bytes.',
  input: { collection: ofCollection },
  row: ObjectLine,
  ask: objectLines,
  total: countObjects,
  columns: [
    { key: 'object' },
    titleColumn,
    ...columns('version', 'files'),
    sizeColumn,
    { key: 'localIds', title: 'local ids', show: listed },
    { key: 'collection' },
    timeColumn('storedAt', 'stored'),
  ],
  none: 'there is no object yet: `fonds ingest submit` makes some',
  examples: [['objects --collection letters', 'those of a collection']],
})

export const idsQuestion = list({
  ...common,
  name: 'ids',
  operationId: 'ingestIds',
  summary: 'What else something is called: public id and number of a batch, ARK of a local id and back.',
  input: {
    id: {
      description: 'A public id, a number, an ARK or a local id.',
      codec: Text,
      required: true,
      example: '5b0c6f3e-8a4d-4f0e-9d59-3a1f0c9d7e21',
      argument: 'id',
    },
  },
  row: IdLine,
  ask: (views, { id, limit }) => idLines(views, id, limit),
  columns: columns('kind', 'id', 'also', 'owner'),
  none: 'nothing is called so',
  examples: [
    ['ids 7', 'batch 7 and job 7'],
    ['ids letters-1912-03', 'the object of a local id'],
  ],
})

export const reportsQuestion = list({
  ...common,
  name: 'reports',
  operationId: 'listIngestReports',
  summary: 'The reports of batches, the latest first, and what became of their mails.',
  input: { batch: ofBatch },
  row: ReportLine,
  rejections: noSuchBatch,
  reject: (views, { batch }) =>
    batch !== undefined && !batchNamed(views, batch) ? unknownBatch(batch) : undefined,
  ask: (views, { batch, limit }) => reportLines(views, { limit, ...idOf(views, batch) }),
  columns: [
    { key: 'batchNumber', title: 'batch' },
    ...columns('report', 'kind'),
    timeColumn('at', 'at'),
    ...columns('completed', 'failed', 'deleted'),
    { key: 'newlyCompleted', title: 'newly completed' },
    { key: 'mail', tone: toneOf },
    timeColumn('mailedAt', 'mailed'),
    { key: 'error' },
  ],
  none: 'no report was made yet',
  examples: [['reports --batch 7', 'those of a batch']],
})
