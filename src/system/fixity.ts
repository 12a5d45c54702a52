import { decider } from '../domain/fixity/decide.ts'
import { category, itemOf, itemStream } from '../domain/fixity/item.ts'
import { topics } from '../domain/fixity/messages.ts'
import { storeDecider } from '../domain/fixity/store/decide.ts'
import { storeStream } from '../domain/fixity/store/events.ts'
import { Away } from '../ports/away.ts'
import type { ViewStore } from '../ports/view-store.ts'
import { expiredClaims } from '../processors/fixity/expired-claims.ts'
import { fixityLookups } from '../processors/fixity/lookups.ts'
import { fixityCommands } from '../processors/fixity/operator-commands.ts'
import { fixityProcessor } from '../processors/fixity/processor.ts'
import { checkNeighbours, spreadStoreChecks } from '../processors/fixity/reactions.ts'
import { fixity } from '../projections/fixity/projection.ts'
import { fixityChecker } from './fixity-checker.ts'
import type { System, Workflow } from './system.ts'

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
    const caughtUp = viewsReach(system)
    return [spreadStoreChecks(system.viewStore, caughtUp), checkNeighbours(system.viewStore, caughtUp)]
  },
  overdue: ({ viewStore }) => [expiredClaims(viewStore)],
  waiting: ({ viewStore, clock }) => {
    if (!viewStore.live('fixity')) return []
    const parked = viewStore.tally('fixity-items', {
      by: ['parked'],
      where: [{ column: 'parked', is: '=', value: 1 }],
    })
    return ['high', 'low'].map((queue) => ({
      queue,
      oldest: oldestDue(viewStore, queue, clock.now()),
      parked: Number(parked[0]?.count ?? 0),
    }))
  },
  streamsOf: (id) => (id.includes('/') ? [itemStream(itemOf(id))] : [storeStream(id)]),
}

/** How long a reaction waits for the views before it pauses and comes again: it must be able to stop. */
const patienceMillis = 5000

/** Waits until the fixity views have folded in a position, in this process or another. */
const viewsReach =
  ({ viewStore, clock }: System) =>
  async (position: bigint): Promise<void> => {
    for (let waited = 0; waited < patienceMillis; waited += 5) {
      const live = viewStore.live('fixity')
      if (live && viewStore.checkpoint(live).position >= position) return
      await clock.sleep(5)
    }
    throw new Away(`the fixity views have not reached position ${position} yet; does a process fold them?`)
  }

const oldestDue = (viewStore: ViewStore, queue: string, now: string): string | undefined =>
  viewStore
    .query('fixity-stores', {})
    .flatMap(({ store }) =>
      viewStore.query('fixity-items', {
        where: [
          { column: 'store', is: '=', value: store as string },
          { column: 'queue', is: '=', value: queue },
          { column: 'available', is: '<=', value: now },
        ],
        orderBy: [{ column: 'available' }],
        limit: 1,
      }),
    )
    .map((row) => row.due as string)
    .sort()[0]
