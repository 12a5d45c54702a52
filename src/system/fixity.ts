import { decider } from '../domain/fixity/decide.ts'
import { category, itemOf, itemStream } from '../domain/fixity/item.ts'
import { topics } from '../domain/fixity/messages.ts'
import { storeDecider } from '../domain/fixity/store/decide.ts'
import { storeStream } from '../domain/fixity/store/events.ts'
import { SECOND } from '../domain/kernel/time.ts'
import type { ViewStore } from '../ports/view-store.ts'
import { expiredClaims } from '../processors/fixity/expired-claims.ts'
import { fixityLookups } from '../processors/fixity/lookups.ts'
import { fixityCommands } from '../processors/fixity/operator-commands.ts'
import { fixityProcessor } from '../processors/fixity/processor.ts'
import { checkNeighbours, spreadStoreChecks } from '../processors/fixity/reactions.ts'
import { viewsReachOf } from '../processors/runtime/views-reach.ts'
import { fixity } from '../projections/fixity/projection.ts'
import { fixityChecker } from './fixity-checker.ts'
import type { Workflow } from './system.ts'

/** Fixity, from its topics to its views: the parts are in their rooms, here they are joined. */
export const fixityWorkflow: Workflow = {
  name: 'fixity',
  description: 'Checks that content is still what it was.',
  topics,
  eventSets: [
    { category, events: decider.events },
    { category: storeDecider.category, events: storeDecider.events },
  ],
  projections: [fixity],
  commands: fixityCommands,
  workers: [fixityChecker],
  processors: ({ states, viewStore, clock }) => [
    fixityProcessor(fixityLookups(states, viewStore, clock), clock),
  ],
  reactions: (system) => {
    const viewsReach = viewsReachOf(fixity.name, system)
    return [spreadStoreChecks(system, viewsReach), checkNeighbours(system, viewsReach)]
  },
  followers: () => [],
  overdue: ({ viewStore, clock, config }) => [
    expiredClaims({ viewStore, clock, claimMillis: config.claimSeconds * SECOND }),
  ],
  waiting: ({ viewStore, clock }) => {
    if (!viewStore.shape('fixity-items')) return []
    const now = clock.now()
    const stores = viewStore.query('fixity-stores', {}).map(({ store }) => store as string)
    const parked = stores.reduce((sum, store) => sum + parkedIn(viewStore, store), 0)
    return ['high', 'low'].map((queue) => {
      const [oldest] = stores.flatMap((store) => oldestIn(viewStore, store, queue, now)).sort()
      return { queue, oldest, parked }
    })
  },
  streamsOf: (id) => (id.includes('/') ? [itemStream(itemOf(id))] : [storeStream(id)]),
}

/** Index `fixity-items (store, queue, available)`: parked checks wait in the low queue and are never available. */
const parkedIn = (viewStore: ViewStore, store: string): number =>
  Number(
    viewStore.tally('fixity-items', {
      by: [],
      where: [
        { column: 'store', is: '=', value: store },
        { column: 'queue', is: '=', value: 'low' },
        { column: 'available', is: '=', value: null },
        { column: 'parked', is: '=', value: 1 },
      ],
    })[0]?.count,
  )

const oldestIn = (viewStore: ViewStore, store: string, queue: string, now: string): readonly string[] =>
  viewStore
    .query('fixity-items', {
      where: [
        { column: 'store', is: '=', value: store },
        { column: 'queue', is: '=', value: queue },
        { column: 'available', is: '<=', value: now },
      ],
      orderBy: [{ column: 'available' }],
      limit: 1,
    })
    .map((row) => row.due as string)
