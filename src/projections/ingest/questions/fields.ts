import { CollectionName } from '../../../domain/ingest/ids.ts'
import { anySpelling } from '../../../domain/ingest/spelling.ts'
import { BatchState, JobState, WorkState } from '../../../domain/ingest/transitions.ts'
import { Text } from '../../../domain/kernel/codecs.ts'
import { wholeNumber } from '../../../domain/kernel/text-codecs.ts'
import type { Field } from '../../runtime/field.ts'

/* Inputs that several questions about ingest have. */

const exampleBatch = '5b0c6f3e-8a4d-4f0e-9d59-3a1f0c9d7e21'

export const theBatch = {
  says: 'The batch: its number, or its public id.',
  codec: Text,
  required: true,
  example: exampleBatch,
  argument: 'batch',
} as const satisfies Field

export const theJob = {
  says: 'The job, by its number.',
  codec: wholeNumber(undefined, 1),
  required: true,
  example: 12,
  argument: 'job',
} as const satisfies Field

export const ofBatch = {
  says: 'Of this batch alone: its number, or its public id.',
  codec: Text,
  value: 'id',
} as const satisfies Field

export const ofCollection = {
  says: 'Of this collection alone.',
  codec: CollectionName,
  value: 'name',
} as const satisfies Field

export const inBatchState = {
  says: 'In this state alone.',
  codec: anySpelling(BatchState),
  value: 'state',
} as const satisfies Field

export const inJobState = {
  says: 'In this state alone.',
  codec: anySpelling(JobState),
  value: 'state',
} as const satisfies Field

export const ofQueue = {
  says: 'Of this state alone.',
  codec: anySpelling(WorkState),
  example: 'provisioning',
  argument: 'state',
} as const satisfies Field
