import { join } from 'node:path'
import { type ConditionOn, countRows, is, row, rows } from '../../domain/kernel/read-views.ts'
import * as views from '../../domain/research/views.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { assigner } from '../../processors/research/assigner.ts'
import { blockedLookup } from '../../processors/research/blocked-lookup.ts'
import { clockAhead } from '../../processors/research/clock-ahead.ts'
import { curationProcessor } from '../../processors/research/curation-processor.ts'
import { curatorNames } from '../../processors/research/curator-names.ts'
import { createItemPublisher } from '../../processors/research/item-publisher.ts'
import { itemQueue } from '../../processors/research/items.ts'
import { researchCommands } from '../../processors/research/operator-commands.ts'
import { passed } from '../../processors/research/passed.ts'
import { policyLookup } from '../../processors/research/policy-lookup.ts'
import { reopenAll } from '../../processors/research/reopen-all.ts'
import { researcherNames } from '../../processors/research/researcher-names.ts'
import { researchersProcessor } from '../../processors/research/researchers-processor.ts'
import { resultsProcessor } from '../../processors/research/results-processor.ts'
import { viewsReachOf } from '../../processors/runtime/views-reach.ts'
import { research } from '../../projections/research/projection.ts'
import { parked } from '../../projections/research/questions/parked.ts'
import { namedPlaces, uploadsFolder } from '../../workers/research/media/allowed-folders.ts'
import { copyFolder } from '../copy-files.ts'
import { locationsBeneath } from '../foreign-locations.ts'
import { cacheShares } from '../system/cache-shares.ts'
import type { Waiting, WorkerKind, Workflow } from '../workflow.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import { researchContext } from './context.ts'
import { itemOffer } from './http/items.ts'
import { mediaAddresses } from './http/media.ts'
import { uploadAddress } from './http/upload.ts'
import { byKnownNames, researcherInLog } from './known-names.ts'
import { researchModel } from './model.ts'
import { researchQuestions } from './questions.ts'
import type { ResearchConfig } from './settings.ts'

const researcher: WorkerKind<ResearchConfig> = {
  kind: 'researcher',
  description:
    'listens: takes work items, looks for their clips in the episode, reports each on the results topic',
  start: async (context, options) => {
    const { startResearcher } = await import('../../workers/research/researcher.ts')
    return startResearcher(researchContext(context), options, (hooks) =>
      itemQueue({ ...context, ...hooks, inLog: researcherInLog(context) }),
    )
  },
}

/** Allows only locations beneath the folders and buckets for media, and among uploads. */
const foreignMedia = (config: ResearchConfig) => {
  const { folders, buckets } = namedPlaces(config)
  return locationsBeneath(folders, 'FONDS_MEDIA_FOLDERS', buckets)
}

/** Research, from its topics to its views. */
export const researchWorkflow: Workflow<ResearchConfig> = {
  ...researchModel,
  questions: researchQuestions,
  commands: researchCommands.map(byKnownNames),
  workers: [researcher],
  offers: [itemOffer],
  addresses: [...mediaAddresses, uploadAddress],
  processors: (context) => {
    const { states, clock, config } = context
    const policy = policyLookup(states)
    const names = researcherNames(context)
    return [
      curationProcessor(clock, foreignMedia(config), curatorNames(context)),
      resultsProcessor(policy, blockedLookup(states), clock, states, names),
      researchersProcessor(policy, clock, names),
    ]
  },
  reactions: (system) => [reopenAll(system.viewStore, viewsReachIn(system))],
  subscriptions: (system) => [
    assigner(system),
    createItemPublisher({
      ...system,
      viewsReach: viewsReachIn(system),
      cacheBytes: cacheShares(system.config.cacheBytes).descriptions,
    }),
  ],
  overdue: ({ viewStore, clock, states }) => [
    ...passed(viewStore),
    ...clockAhead({ viewStore, clock, policy: policyLookup(states) }),
  ],
  attention: async (context) => (await import('./attention.ts')).researchCauses(context),
  overview: {
    counts: ['pair', 'pairs'],
    ask: async (context) => (await import('./overview.ts')).researchOverview(context),
  },
  checks: async (context) => (await import('./checks.ts')).researchChecks(context),
  folders: (config) => [uploadsFolder(config), join(config.home, 'media')],
  kept: (config) => [
    {
      name: 'clips',
      from: uploadsFolder(config),
      label: 'clips',
      copied: 'after',
      copy: (from, to, tools) => copyFolder(from, to, tools, (name) => !name.endsWith('.part')),
    },
  ],
  amounts: ({ viewStore }) => ({
    inState: [],
    bytesInProcess: 0,
    ...(viewStore.shape(views.policy.name) && {
      isPaused: typeof row(viewStore, views.policy)?.pausedAt === 'string',
    }),
  }),
  waiting: ({ viewStore, clock }) =>
    viewStore.shape(views.leases.name) ? [items(viewStore, clock.now())] : [],
}

const viewsReachIn = (context: WorkflowContext<ResearchConfig>) => viewsReachOf(research.name, context)

/** Indexes `research-leases (state, deadline)` and `research-researchers (goneAt, presentUntil)`. */
const items = (viewStore: ViewStore, now: string): Waiting => {
  const waiting: readonly ConditionOn<typeof views.leases>[] = [
    is('state', 'waiting'),
    { column: 'notAfter', is: '>', value: now },
  ]
  const present: readonly ConditionOn<typeof views.researchers>[] = [
    is('goneAt', null),
    { column: 'presentUntil', is: '>', value: now },
    is('draining', 0),
    is('blocked', 0),
  ]
  const [oldest] = rows(viewStore, views.leases, {
    where: waiting,
    orderBy: [{ column: 'notAfter' }],
    limit: 1,
  })
  return {
    queue: 'items',
    oldest: oldest?.grantedAt,
    parked: parked(viewStore).length,
    capacity: {
      waiting: countRows(viewStore, views.leases, ...waiting),
      workers: countRows(viewStore, views.researchers, ...present),
    },
  }
}
