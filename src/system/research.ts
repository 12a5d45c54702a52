import { capacityDecider } from '../domain/research/capacity-decide.ts'
import { clipDecider } from '../domain/research/clip/decide.ts'
import { deskDecider } from '../domain/research/desk/decide.ts'
import { episodeDecider } from '../domain/research/episode/decide.ts'
import { topics } from '../domain/research/messages.ts'
import { researcherDecider } from '../domain/research/researcher/decide.ts'
import { clipStream, episodeStream, researcherStream } from '../domain/research/terms.ts'
import type { Condition, ViewStore } from '../ports/view-store.ts'
import { assigner } from '../processors/research/assigner.ts'
import { blockedLookup } from '../processors/research/blocked-lookup.ts'
import { curationProcessor } from '../processors/research/curation-processor.ts'
import { itemSender } from '../processors/research/item-sender.ts'
import { researchCommands } from '../processors/research/operator-commands.ts'
import { passed } from '../processors/research/passed.ts'
import { policyLookup } from '../processors/research/policy-lookup.ts'
import { reopenAll } from '../processors/research/reopen-all.ts'
import { researchersProcessor } from '../processors/research/researchers-processor.ts'
import { resultsProcessor } from '../processors/research/results-processor.ts'
import { viewsReachOf } from '../processors/runtime/views-reach.ts'
import { parked } from '../projections/research/parked.ts'
import { research } from '../projections/research/projection.ts'
import { researcher } from './researcher.ts'
import type { System, Waiting, Workflow } from './system.ts'

const deciders = [episodeDecider, clipDecider, researcherDecider, deskDecider, capacityDecider]

/** Research, from its topics to its views: the parts are in their rooms, here they are joined. */
export const researchWorkflow: Workflow = {
  name: 'research',
  description: 'Leases clips of episodes to researchers, and keeps what they find.',
  topics,
  eventSets: deciders.map(({ category, events }) => ({ category, events })),
  projections: [research],
  commands: researchCommands,
  workers: [researcher],
  processors: ({ states, clock }) => {
    const policy = policyLookup(states)
    return [
      curationProcessor(clock),
      resultsProcessor(policy, blockedLookup(states), clock, states),
      researchersProcessor(policy, clock),
    ]
  },
  reactions: (system) => [reopenAll(system.viewStore, viewsReachIn(system))],
  followers: (system) => [assigner(system), itemSender({ ...system, viewsReach: viewsReachIn(system) })],
  overdue: ({ viewStore }) => passed(viewStore),
  waiting: ({ viewStore, clock }) =>
    viewStore.shape('research-leases') ? [items(viewStore, clock.now())] : [],
  streamsOf: (id) => [episodeStream(id), clipStream(id), researcherStream(id)],
}

const viewsReachIn = (system: System) => viewsReachOf(research.name, system)

/** Indexes `research-leases (state, deadline)` and `research-researchers (goneAt, presentUntil)`. */
const items = (viewStore: ViewStore, now: string): Waiting => {
  const waiting: readonly Condition[] = [
    { column: 'state', is: '=', value: 'waiting' },
    { column: 'notAfter', is: '>', value: now },
  ]
  const present: readonly Condition[] = [
    { column: 'goneAt', is: '=', value: null },
    { column: 'presentUntil', is: '>', value: now },
    { column: 'draining', is: '=', value: 0 },
    { column: 'blocked', is: '=', value: 0 },
  ]
  const countOf = (view: string, where: readonly Condition[]): number =>
    Number(viewStore.tally(view, { by: [], where })[0]?.count ?? 0)
  const [oldest] = viewStore.query('research-leases', {
    where: waiting,
    orderBy: [{ column: 'notAfter' }],
    limit: 1,
  })
  return {
    queue: 'items',
    oldest: typeof oldest?.grantedAt === 'string' ? oldest.grantedAt : undefined,
    parked: parked(viewStore).length,
    capacity: {
      waiting: countOf('research-leases', waiting),
      workers: countOf('research-researchers', present),
    },
  }
}
