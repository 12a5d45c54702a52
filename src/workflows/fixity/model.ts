import { validate as isUuid } from 'uuid'
import { category as batchCategory, batchEvents, batchStream } from '../../domain/fixity/batch/events.ts'
import { bucketEventsTopic } from '../../domain/fixity/bucket-events.ts'
import { category as bucketUseCategory, bucketUseEvents } from '../../domain/fixity/bucket-use/events.ts'
import { events } from '../../domain/fixity/events.ts'
import { category, itemOf, itemStream } from '../../domain/fixity/item.ts'
import { topics } from '../../domain/fixity/messages.ts'
import { category as requestCategory, requestEvents } from '../../domain/fixity/requests/events.ts'
import { category as storeCategory, storeEvents, storeStream } from '../../domain/fixity/store/events.ts'
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
  ],
  projections: [fixity],
  finders: async () => (await import('../../projections/fixity/finders.ts')).fixityFinders,
  streamsOf: (id) =>
    id.includes('/') ? [itemStream(itemOf(id))] : isUuid(id) ? [batchStream(id)] : [storeStream(id)],
  elsewhere: (id, viewStore) => (id.includes('/') ? checksInBatches(itemOf(id), viewStore) : undefined),
  placesOf: itemPlaces,
  thingsAt: itemsAt,
}
