import { bagEvents } from '#src/domain/fixity/bags/events.ts'
import { batchEvents } from '#src/domain/fixity/batch/events.ts'
import { bucketUseEvents } from '#src/domain/fixity/bucket-use/events.ts'
import { comparisonEvents } from '#src/domain/fixity/comparison/events.ts'
import { events } from '#src/domain/fixity/events.ts'
import { reportEvents } from '#src/domain/fixity/reports/events.ts'
import { requestEvents } from '#src/domain/fixity/requests/events.ts'
import { storeEvents } from '#src/domain/fixity/store/events.ts'
import { testStored } from '../stored-events.ts'
import bags from './bags/stored-events.json' with { type: 'json' }
import batches from './batch/stored-events.json' with { type: 'json' }
import use from './bucket-use/stored-events.json' with { type: 'json' }
import comparison from './comparison/stored-events.json' with { type: 'json' }
import reports from './reports/stored-events.json' with { type: 'json' }
import requests from './requests/stored-events.json' with { type: 'json' }
import store from './store/stored-events.json' with { type: 'json' }
import items from './stored-events.json' with { type: 'json' }

testStored('an item', events, items)
testStored('a store', storeEvents, store)
testStored('a batch', batchEvents, batches)
testStored('a request', requestEvents, requests)
testStored('the use of a bucket', bucketUseEvents, use)
testStored('a bag', bagEvents, bags)
testStored('a comparison', comparisonEvents, comparison)
testStored('a scheduled report', reportEvents, reports)
