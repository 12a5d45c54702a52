import { postEvents } from '#src/domain/indexing/posts/events.ts'
import { testStored } from '../../stored-events.ts'
import stored from './stored-events.json' with { type: 'json' }

testStored('a post', postEvents, stored)
