import { batchEvents } from '../../domain/ingest/batch/events.ts'
import { holdEvents } from '../../domain/ingest/hold/events.ts'
import { housekeepingEvents } from '../../domain/ingest/housekeeping/events.ts'
import { categories } from '../../domain/ingest/ids.ts'
import { jobEvents } from '../../domain/ingest/job/events.ts'
import { localIdEvents } from '../../domain/ingest/local-id/events.ts'
import { objectEvents } from '../../domain/ingest/object/events.ts'
import { profileEvents } from '../../domain/ingest/profile/events.ts'
import { views } from '../../domain/ingest/views.ts'
import { volumeEvents } from '../../domain/ingest/volume/events.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { projection } from '../runtime/projection.ts'
import { batchHandlers } from './batch-rows.ts'
import { localIdHandlers } from './identifier-rows.ts'
import { jobHandlers } from './job-rows.ts'
import { objectHandlers } from './object-rows.ts'
import { holdHandlers, housekeepingHandlers, profileHandlers } from './policy-rows.ts'
import { volumeHandlers } from './volume-rows.ts'

/** Weight of an event: a row for each file. */
const weigh = ({ data }: RecordedEvent): number => {
  const { files, listed } = data as { readonly files?: unknown; readonly listed?: unknown }
  const list = Array.isArray(files) ? files : listed
  return 1 + (Array.isArray(list) ? list.length : 0)
}

/** One projection for all views of ingest, so that they always show the same moment. */
export const ingest = projection(
  {
    name: 'ingest',
    version: 9,
    description: 'Batches, jobs and their queues, objects and what they are called, reports, holds, claims.',
    views,
    weigh,
  },
  (on) => [
    on(categories.batch, batchEvents, batchHandlers),
    on(categories.job, jobEvents, jobHandlers),
    on(categories.object, objectEvents, objectHandlers),
    on(categories.localId, localIdEvents, localIdHandlers),
    on(categories.profile, profileEvents, profileHandlers),
    on(categories.hold, holdEvents, holdHandlers),
    on(categories.volume, volumeEvents, volumeHandlers),
    on(categories.housekeeping, housekeepingEvents, housekeepingHandlers),
  ],
)
