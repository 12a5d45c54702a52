import { countRows, is, rows } from '../../domain/kernel/read-views.ts'
import { counts, graphs, works } from '../../domain/matching/views.ts'
import { WorkState } from '../../domain/matching/work.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { graphPublisher } from '../../processors/matching/graph-publisher.ts'
import { matcher } from '../../processors/matching/matcher.ts'
import { mergedPublisher } from '../../processors/matching/merged-publisher.ts'
import { largeMerger, merger } from '../../processors/matching/merger.ts'
import { matchingCommands } from '../../processors/matching/operator-commands.ts'
import { worksProcessor } from '../../processors/matching/works-processor.ts'
import { generationOf } from '../../projections/matching/questions/reading.ts'
import { faults, oldestWaiting } from '../../projections/matching/questions/stuck.ts'
import { cacheShares } from '../system/cache-shares.ts'
import type { Workflow } from '../workflow.ts'
import { matchingModel } from './model.ts'
import { matchingQuestions } from './questions.ts'

/** Matching, from its topics to its views. */
export const matchingWorkflow: Workflow = {
  ...matchingModel,
  questions: matchingQuestions,
  commands: matchingCommands,
  workers: [],
  processors: (system) => {
    const deps = { ...system, cacheBytes: cacheShares(system.config.cacheBytes).matching / 2 }
    return [worksProcessor(system.clock), merger(deps), largeMerger(deps)]
  },
  reactions: () => [],
  subscriptions: (system) => [matcher(system), graphPublisher(system), mergedPublisher(system)],
  overdue: () => [],
  waiting: ({ viewStore }) => {
    if (!viewStore.shape('matching-works')) return []
    const { work, graph } = oldestWaiting(viewStore)
    return [
      { queue: 'matcher', oldest: work, parked: 0 },
      { queue: 'merger', oldest: graph, parked: 0 },
    ]
  },
  attention: async (context) => (await import('./attention.ts')).matchingCauses(context),
  overview: {
    counts: ['record', 'records'],
    ask: async (context) => (await import('./overview.ts')).matchingOverview(context),
  },
  checks: async (context) => (await import('./checks.ts')).matchingChecks(context),
  amounts: ({ viewStore }) => ({
    inState: viewStore.shape(works.name) ? matchingAmounts(viewStore) : [],
    bytesInProcess: 0,
  }),
}

/** Counts works by state, from the view's own counts, and components with faults, which are few. */
const matchingAmounts = (viewStore: ViewStore) => {
  const ofWorks = rows(viewStore, counts, { where: [is('generation', 0), is('of', 'works')] })
  const generation = is('generation', generationOf(viewStore, {}))
  return [
    ...Object.keys(WorkState.keys).map((state) => ({
      what: 'works',
      state,
      count: ofWorks.find(({ value }) => value === state)?.count ?? 0,
    })),
    ...faults.map((state) => ({
      what: 'components',
      state,
      count: countRows(viewStore, graphs, generation, is('fault', state)),
    })),
  ]
}
