import { CollectionName } from '../../../domain/ingest/ids.ts'
import { anySpelling } from '../../../domain/ingest/spelling.ts'
import { BatchState, JobState, WorkState } from '../../../domain/ingest/transitions.ts'
import { Text } from '../../../domain/kernel/codecs.ts'
import { wholeNumber } from '../../../domain/kernel/text-codecs.ts'
import type { Field } from '../../runtime/field.ts'

/* Inputs that several questions about ingest have. */

const exampleBatch = '5b0c6f3e-8a4d-4f0e-9d59-3a1f0c9d7e21'

export const theBatch = {
  description: 'The batch: its number, or its public id.',
  codec: Text,
  required: true,
  example: exampleBatch,
  argument: 'batch',
} as const satisfies Field

export const theJob = {
  description: 'The job, by its number.',
  codec: wholeNumber(undefined, 1),
  required: true,
  example: 12,
  argument: 'job',
} as const satisfies Field

export const ofBatch = {
  description: 'Of this batch alone: its number, or its public id.',
  codec: Text,
  value: 'id',
} as const satisfies Field

export const ofCollection = {
  description: 'Of this collection alone.',
  codec: CollectionName,
  value: 'name',
} as const satisfies Field

export const inBatchState = {
  description: 'In this state alone.',
  codec: anySpelling(BatchState),
  value: 'state',
} as const satisfies Field

export const inJobState = {
  description: 'In this state alone.',
  codec: anySpelling(JobState),
  value: 'state',
} as const satisfies Field

export const ofQueue = {
  description: 'Of this state alone.',
  codec: anySpelling(WorkState),
  example: 'provisioning',
  argument: 'state',
} as const satisfies Field
