import { workEvents } from '#src/domain/matching/events.ts'
import { generationEvents } from '#src/domain/matching/generations/events.ts'
import { graphEvents } from '#src/domain/matching/graph/events.ts'
import { mergedEvents } from '#src/domain/matching/merged/events.ts'
import { verdictEvents } from '#src/domain/matching/verdicts/events.ts'
import { testStored } from '../stored-events.ts'
import generations from './generations/stored-events.json' with { type: 'json' }
import merged from './merged/stored-events.json' with { type: 'json' }
import works from './stored-events.json' with { type: 'json' }
import graphs from './stored-graph-events.json' with { type: 'json' }
import verdicts from './verdicts/stored-events.json' with { type: 'json' }

testStored('a work', workEvents, works)
testStored('a graph', graphEvents, graphs)
testStored('the documents of a work', mergedEvents, merged)
testStored('the generations', generationEvents, generations)
testStored('verdicts about a graph or a record', verdictEvents, verdicts)
