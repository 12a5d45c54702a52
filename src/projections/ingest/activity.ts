import * as t from 'io-ts'
import { categories } from '../../domain/ingest/ids.ts'
import { BatchState, JobState } from '../../domain/ingest/transitions.ts'
import { activityProjection, counted } from '../runtime/activity.ts'

/** Jobs completed; jobs and batches that failed are wrong. */
export const ingestActivity = activityProjection('ingest', 1, [
  counted(categories.job, 'JobMoved', t.type({ to: JobState }), ({ to }) =>
    to === 'completed' ? { done: 1 } : to === 'failed' ? { wrong: 1 } : undefined,
  ),
  counted(categories.batch, 'BatchMoved', t.type({ to: BatchState }), ({ to }) =>
    to === 'failed' ? { wrong: 1 } : undefined,
  ),
])
