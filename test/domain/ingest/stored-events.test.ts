import { batchEvents } from '#src/domain/ingest/batch/events.ts'
import { counterEvents } from '#src/domain/ingest/counter/events.ts'
import { dropEvents } from '#src/domain/ingest/drop/events.ts'
import { holdEvents } from '#src/domain/ingest/hold/events.ts'
import { housekeepingEvents } from '#src/domain/ingest/housekeeping/events.ts'
import { jobEvents } from '#src/domain/ingest/job/events.ts'
import { localIdEvents } from '#src/domain/ingest/local-id/events.ts'
import { objectEvents } from '#src/domain/ingest/object/events.ts'
import { profileEvents } from '#src/domain/ingest/profile/events.ts'
import { storageEvents } from '#src/domain/ingest/storage/events.ts'
import { volumeEvents } from '#src/domain/ingest/volume/events.ts'
import { testStored } from '../stored-events.ts'
import stored from './stored-events.json' with { type: 'json' }

testStored('a batch', batchEvents, stored.batch)
testStored('a job', jobEvents, stored.job)
testStored('a profile', profileEvents, stored.profile)
testStored('a hold', holdEvents, stored.hold)
testStored('a counter', counterEvents, stored.counter)
testStored('an object', objectEvents, stored.object)
testStored('a local id', localIdEvents, stored.localId)
testStored('a volume', volumeEvents, stored.volume)
testStored('housekeeping', housekeepingEvents, stored.housekeeping)
testStored('a place of drops', dropEvents, stored.drop)
testStored('a storage root', storageEvents, stored.storage)
