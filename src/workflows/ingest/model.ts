import { normaliseArk } from '../../domain/ingest/ark.ts'
import { batchEvents } from '../../domain/ingest/batch/events.ts'
import { bucketEventsTopic } from '../../domain/ingest/bucket-events.ts'
import { counterEvents } from '../../domain/ingest/counter/events.ts'
import { dropEvents } from '../../domain/ingest/drop/events.ts'
import { holdEvents } from '../../domain/ingest/hold/events.ts'
import { housekeepingEvents } from '../../domain/ingest/housekeeping/events.ts'
import { BatchId, batchStream, categories, jobStream, objectStream } from '../../domain/ingest/ids.ts'
import { jobEvents } from '../../domain/ingest/job/events.ts'
import { localIdEvents } from '../../domain/ingest/local-id/events.ts'
import { topics } from '../../domain/ingest/messages.ts'
import { objectEvents } from '../../domain/ingest/object/events.ts'
import { profileEvents } from '../../domain/ingest/profile/events.ts'
import { storageEvents } from '../../domain/ingest/storage/events.ts'
import { volumeEvents } from '../../domain/ingest/volume/events.ts'
import { ingestActivity } from '../../projections/ingest/activity.ts'
import { ingest } from '../../projections/ingest/projection.ts'
import { workAreaOf } from '../../workers/ingest/work-area.ts'
import type { ReadHome, WorkflowModel } from '../workflow-model.ts'
import { ingestRelated, objectPlaces, objectsAt } from './related.ts'
import type { IngestConfig } from './settings.ts'

export const ingestModel: WorkflowModel = {
  name: 'ingest',
  description:
    'Takes submissions in: each object is identified, stored and recorded, and its depositor exported.',
  topics: [...topics, bucketEventsTopic],
  eventSets: [
    { category: categories.batch, events: batchEvents },
    { category: categories.ids, events: counterEvents },
    { category: categories.drop, events: dropEvents },
    { category: categories.hold, events: holdEvents },
    { category: categories.housekeeping, events: housekeepingEvents },
    { category: categories.job, events: jobEvents },
    { category: categories.localId, events: localIdEvents },
    { category: categories.object, events: objectEvents },
    { category: categories.profile, events: profileEvents },
    { category: categories.storage, events: storageEvents },
    { category: categories.volume, events: volumeEvents },
  ],
  projections: [ingest],
  activity: ingestActivity,
  finders: async () => (await import('../../projections/ingest/finders.ts')).ingestFinders,
  streamsOf: (id) => {
    if (BatchId.is(id)) return [batchStream(id)]
    if (/^\d{1,15}$/.test(id)) return [jobStream(Number(id))]
    const ark = normaliseArk(id)
    return ark === undefined ? [] : [objectStream(ark)]
  },
  premis: async () => (await import('./premis.ts')).ingestPremis,
  related: ingestRelated,
  placesOf: objectPlaces,
  asked: ({ config }: ReadHome<IngestConfig>) => ({ ingest: workAreaOf(config) }),
  thingsAt: objectsAt,
}
