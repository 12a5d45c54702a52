import { accessEvents } from '#src/domain/indexing/access/events.ts'
import { testStored } from '../../stored-events.ts'
import stored from './stored-events.json' with { type: 'json' }

testStored('a rule of access', accessEvents, stored)
