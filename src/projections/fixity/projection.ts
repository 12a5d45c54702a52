import { category as bagCategory, bagEvents } from '../../domain/fixity/bags/events.ts'
import { category as batchCategory, batchEvents } from '../../domain/fixity/batch/events.ts'
import { category as bucketUseCategory, bucketUseEvents } from '../../domain/fixity/bucket-use/events.ts'
import { category as comparisonCategory, comparisonEvents } from '../../domain/fixity/comparison/events.ts'
import { events } from '../../domain/fixity/events.ts'
import { category } from '../../domain/fixity/item.ts'
import { category as reportCategory, reportEvents } from '../../domain/fixity/reports/events.ts'
import { category as requestCategory, requestEvents } from '../../domain/fixity/requests/events.ts'
import { category as storeCategory, storeEvents } from '../../domain/fixity/store/events.ts'
import { views } from '../../domain/fixity/views.ts'
import { projection } from '../runtime/projection.ts'
import { bagHandlers } from './bag-rows.ts'
import { batchHandlers, weightOf } from './batch-rows.ts'
import { bucketUseHandlers } from './bucket-use-rows.ts'
import { checkHandlers } from './check-rows.ts'
import { comparisonHandlers } from './comparison-rows.ts'
import { noteDecision } from './decision-rows.ts'
import { indexHandlers } from './index-rows.ts'
import { recordHandlers } from './record-rows.ts'
import { reportHandlers } from './report-rows.ts'
import { requestHandlers } from './request-rows.ts'
import { resolutionHandlers } from './resolution-rows.ts'
import { storeHandlers } from './store-rows.ts'

/** One projection for all views of fixity, so that they always show the same moment. */
export const fixity = projection(
  {
    name: 'fixity',
    version: 25,
    description:
      'Items and their counts, now and day by day, checks asked for and under way, bit log, resolutions and stores.',
    views,
    storage: {
      'fixity-items': {
        sparse: [
          ['store', 'heldUntil'],
          ['store', 'retry'],
        ],
        words: { column: 'path', are: 'file names' },
      },
      // Rows of an item come at all times: in key order each would change a page of its own.
      'fixity-bit-log': { isUnordered: true, isWrittenOnce: true },
    },
    weigh: weightOf,
  },
  (on) => [
    on(category, events, {
      ...recordHandlers,
      ...indexHandlers,
      ...checkHandlers,
      FixityDecided: (data, event, tables) => noteDecision(tables, event, data),
      ...resolutionHandlers,
    }),
    on(batchCategory, batchEvents, batchHandlers),
    on(requestCategory, requestEvents, requestHandlers),
    on(storeCategory, storeEvents, storeHandlers),
    on(bucketUseCategory, bucketUseEvents, bucketUseHandlers),
    on(bagCategory, bagEvents, bagHandlers),
    on(reportCategory, reportEvents, reportHandlers),
    on(comparisonCategory, comparisonEvents, comparisonHandlers),
  ],
)
