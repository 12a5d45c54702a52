import { events } from '#src/domain/indexing/events.ts'
import { testStored } from '../stored-events.ts'
import stored from './stored-events.json' with { type: 'json' }

testStored('an archive file', events, stored)
