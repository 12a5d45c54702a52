import { category as bagCategory, bagEvents, bagStream } from '../../domain/fixity/bags/events.ts'
import { category as batchCategory, batchEvents, batchStream } from '../../domain/fixity/batch/events.ts'
import { bucketEventsTopic } from '../../domain/fixity/bucket-events.ts'
import { category as bucketUseCategory, bucketUseEvents } from '../../domain/fixity/bucket-use/events.ts'
import {
  category as comparisonCategory,
  comparisonEvents,
  comparisonStream,
} from '../../domain/fixity/comparison/events.ts'
import { events } from '../../domain/fixity/events.ts'
import { category, type Item, itemOf, itemStream } from '../../domain/fixity/item.ts'
import { topics } from '../../domain/fixity/messages.ts'
import { category as reportCategory, reportEvents } from '../../domain/fixity/reports/events.ts'
import { category as requestCategory, requestEvents } from '../../domain/fixity/requests/events.ts'
import { category as storeCategory, storeEvents, storeStream } from '../../domain/fixity/store/events.ts'
import { isUuid } from '../../domain/kernel/uuid.ts'
import { fixityActivity } from '../../projections/fixity/activity.ts'
import { fixity } from '../../projections/fixity/projection.ts'
import type { WorkflowModel } from '../workflow-model.ts'
import { checksInBatches } from './checks-in-batches.ts'
import { itemPlaces, itemsAt } from './item-places.ts'

export const fixityModel: WorkflowModel = {
  name: 'fixity',
  description: 'Checks that content is still what it was.',
  topics: [...topics, bucketEventsTopic],
  eventSets: [
    { category, events },
    { category: batchCategory, events: batchEvents },
    { category: requestCategory, events: requestEvents },
    { category: storeCategory, events: storeEvents },
    { category: bucketUseCategory, events: bucketUseEvents },
    { category: bagCategory, events: bagEvents },
    { category: comparisonCategory, events: comparisonEvents },
    { category: reportCategory, events: reportEvents },
  ],
  projections: [fixity],
  activity: fixityActivity,
  finders: async () => (await import('../../projections/fixity/finders.ts')).fixityFinders,
  streamsOf: (id) =>
    id.includes('/')
      ? thingStreams(itemOf(id))
      : isUuid(id)
        ? [batchStream(id)]
        : [storeStream(id), comparisonStream(id)],
  elsewhere: (id, viewStore) => (id.includes('/') ? checksInBatches(itemOf(id), viewStore) : undefined),
  premis: async () => (await import('./premis.ts')).fixityPremis,
  placesOf: itemPlaces,
  thingsAt: itemsAt,
}

/** A path is that of an item, or of a bag's folder. */
const thingStreams = ({ store, path }: Item): readonly string[] => [
  itemStream({ store, path }),
  bagStream(store, path),
]
