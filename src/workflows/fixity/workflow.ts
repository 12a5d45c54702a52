import { firstRequestDue } from '../../domain/fixity/due/requested.ts'
import { items, stores } from '../../domain/fixity/views.ts'
import { countRows, is, rows } from '../../domain/kernel/read-views.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { throttled } from '../../processors/fixity/batch-sizes.ts'
import { bucketEventsProcessor } from '../../processors/fixity/bucket-events.ts'
import { checkQueues } from '../../processors/fixity/check-queues.ts'
import { expiredClaims } from '../../processors/fixity/expired-claims.ts'
import { fixityLookups } from '../../processors/fixity/lookups.ts'
import { failLostBatches } from '../../processors/fixity/lost-batches.ts'
import { fixityCommands } from '../../processors/fixity/operator-commands.ts'
import { fixityProcessor } from '../../processors/fixity/processor.ts'
import {
  checkNeighbours,
  checkReturned,
  spreadRevivals,
  spreadStoreChecks,
} from '../../processors/fixity/reactions.ts'
import { unavailableStores } from '../../processors/fixity/unavailable-stores.ts'
import { viewsReachOf } from '../../processors/runtime/views-reach.ts'
import { fixity } from '../../projections/fixity/projection.ts'
import { loadedDuty } from '../loaded-duty.ts'
import type { WorkerKind, Workflow } from '../workflow.ts'
import { assignCommand } from './assign-command.ts'
import { endOfFixityCause } from './cause-ends.ts'
import { fixityContext } from './context.ts'
import { fixityModel } from './model.ts'
import { fixityQuestions } from './questions.ts'
import { startRecordingBucketUse } from './record-bucket-use.ts'
import { restoreCommand } from './restore-command.ts'

const checker: WorkerKind = {
  kind: 'fixity',
  description: 'checks content: claims what is due, reads and digests it, reports on the observations topic',
  start: async (context, options) => {
    const { startChecker } = await import('../../workers/fixity/checker.ts')
    const stopRecording = startRecordingBucketUse(context)
    const worker = startChecker(fixityContext(context), options, (hooks) =>
      checkQueues({
        ...context,
        ...hooks,
        viewsReach: viewsReachOf(fixity.name, context),
        timeoutMillis: context.config.claimSeconds * SECOND,
        ...(hooks.throttle && { limits: throttled(hooks.throttle.itemsPerSecond) }),
      }),
    )
    return { ...worker, stop: (graceMillis) => worker.stop(graceMillis).then(stopRecording) }
  },
}

/** Fixity, from its topics to its views. */
export const fixityWorkflow: Workflow = {
  ...fixityModel,
  questions: fixityQuestions,
  commands: [...fixityCommands, assignCommand, restoreCommand],
  workers: [checker],
  processors: (context) => [
    fixityProcessor(fixityLookups(context), context.clock),
    bucketEventsProcessor(context),
  ],
  reactions: (system) => {
    const viewsReach = viewsReachOf(fixity.name, system)
    return [
      spreadStoreChecks(system, viewsReach),
      spreadRevivals(system, viewsReach),
      checkReturned(system, viewsReach),
      checkNeighbours(system, viewsReach),
      failLostBatches(system, viewsReach),
    ]
  },
  subscriptions: () => [],
  overdue: ({ viewStore, clock, config }) => [
    expiredClaims({ viewStore, clock, claimMillis: config.claimSeconds * SECOND }),
    unavailableStores({ viewStore }),
  ],
  duties: (context) => [
    loadedDuty(async () => {
      const { startComparing } = await import('./comparing/start-comparing.ts')
      return (term) => startComparing(fixityContext(context), term)
    }),
    loadedDuty(async () => {
      const { startReporting } = await import('./reports/send-reports.ts')
      return (term) => startReporting(context, term)
    }),
  ],
  waiting: ({ viewStore, clock }) => {
    if (!viewStore.shape('fixity-items')) return []
    const now = clock.now()
    const known = rows(viewStore, stores).map(({ store }) => store)
    const parked = known.reduce((sum, store) => sum + parkedIn(viewStore, store), 0)
    return ['high', 'low'].map((queue) => {
      const until = { is: '<=', value: now } as const
      const [oldest] = known
        .flatMap((store) => [
          ...oldestIn(viewStore, store, queue, now),
          ...firstRequestDue(viewStore, store, queue, until),
        ])
        .sort()
      return { queue, oldest, parked }
    })
  },
  endOf: endOfFixityCause,
  assigned: async (context) => (await import('./attention.ts')).assignedFindings(context),
  attention: async (context) => (await import('./attention.ts')).fixityCauses(context),
  overview: {
    counts: ['check', 'checks'],
    ask: async (context) => (await import('./overview.ts')).fixityOverview(context),
  },
  checks: async (context) => (await import('./checks.ts')).fixityChecks(context),
  measures: async (context) => (await import('./measure.ts')).measureFixity(context),
}

/** Index `fixity-items (store, queue, available)`: parked checks wait in the low queue and are never available. */
const parkedIn = (viewStore: ViewStore, store: string): number =>
  countRows(viewStore, items, is('store', store), is('queue', 'low'), is('available', null), is('parked', 1))

const oldestIn = (viewStore: ViewStore, store: string, queue: string, now: string): readonly string[] =>
  rows(viewStore, items, {
    where: [is('store', store), is('queue', queue), { column: 'available', is: '<=', value: now }],
    orderBy: [{ column: 'available' }],
    limit: 1,
  }).map(({ due }) => due ?? '')
