import { capacityEvents } from '#src/domain/research/capacity.ts'
import { clipEvents } from '#src/domain/research/clip/events.ts'
import { episodeEvents } from '#src/domain/research/episode/events.ts'
import { policyEvents } from '#src/domain/research/policy/events.ts'
import { researcherEvents } from '#src/domain/research/researcher/events.ts'
import { testStored } from '../stored-events.ts'
import clips from './clip/stored-events.json' with { type: 'json' }
import episodes from './episode/stored-events.json' with { type: 'json' }
import policy from './policy/stored-events.json' with { type: 'json' }
import researchers from './researcher/stored-events.json' with { type: 'json' }
import capacity from './stored-capacity-events.json' with { type: 'json' }

testStored('an episode', episodeEvents, episodes)
testStored('a clip', clipEvents, clips)
testStored('a researcher', researcherEvents, researchers)
testStored('the policy', policyEvents, policy)
testStored('decisions on capacity', capacityEvents, capacity)
