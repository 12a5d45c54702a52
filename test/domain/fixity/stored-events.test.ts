import { events } from '#src/domain/fixity/events.ts'
import { storeEvents } from '#src/domain/fixity/store/events.ts'
import { testStored } from '../stored-events.ts'
import store from './store/stored-events.json' with { type: 'json' }
import items from './stored-events.json' with { type: 'json' }

testStored('an item', events, items)
testStored('a store', storeEvents, store)
