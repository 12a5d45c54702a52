import { dirname } from 'node:path'
import { fileOf } from '../../domain/indexing/file.ts'
import { type FileStatus, fileStates } from '../../domain/indexing/file-states.ts'
import { counts, files } from '../../domain/indexing/views.ts'
import { isBucketAddress } from '../../domain/kernel/bucket-address.ts'
import { countRows, is, rows } from '../../domain/kernel/read-views.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { accessCommands } from '../../processors/indexing/access-commands.ts'
import { bucketEventsProcessor } from '../../processors/indexing/bucket-events.ts'
import { indexingQueue } from '../../processors/indexing/claims.ts'
import { expiredClaims } from '../../processors/indexing/expired-claims.ts'
import { lostLines } from '../../processors/indexing/lost-lines.ts'
import { indexingCommands } from '../../processors/indexing/operator-commands.ts'
import { indexingProcessor } from '../../processors/indexing/processor.ts'
import { publisher } from '../../processors/indexing/publisher.ts'
import { withdrawals } from '../../processors/indexing/withdrawals.ts'
import type { RefusedLocation } from '../../processors/runtime/foreign-location.ts'
import { suspectsInProgress } from '../../processors/runtime/suspects.ts'
import { embargoesInForce } from '../../projections/indexing/access/rules-in-force.ts'
import { countLines } from '../../projections/indexing/questions/file-lines.ts'
import { changeFilesOf } from '../../workers/indexing/aggregator/change-files.ts'
import { embargoListOf } from '../../workers/indexing/aggregator/embargo-list.ts'
import { refusedFilesOf } from '../../workers/indexing/aggregator/refused-files.ts'
import { parseIndexFiles } from '../../workers/indexing/index-files.ts'
import { linesOf, withdrawLines } from '../../workers/indexing/index-folders.ts'
import { policyIn } from '../../workers/indexing/policy-in.ts'
import { runOfLines } from '../../workers/indexing/run-of-lines.ts'
import { parseSources } from '../../workers/indexing/sources.ts'
import { locationsBeneath } from '../foreign-locations.ts'
import { pathOfAddress } from '../path-of-address.ts'
import type { AloneContext, WorkerKind, Workflow } from '../workflow.ts'
import { type IndexingContext, indexAlone, indexingContext } from './context.ts'
import { copyIndex } from './copy-index.ts'
import { archiveFileAddresses } from './http/archive-files.ts'
import { cdxAddress } from './http/cdx.ts'
import { cdxChangesAddress } from './http/cdx-changes.ts'
import { cdxPostAddresses } from './http/cdx-posts.ts'
import { indexPlace, takenPlace } from './index-place.ts'
import { measureIndex } from './measure.ts'
import { indexingModel } from './model.ts'
import { indexingQuestions } from './questions.ts'
import type { IndexingConfig } from './settings.ts'

const indexer: WorkerKind<IndexingConfig> = {
  kind: 'indexer',
  description:
    'indexes archive files: claims what is due, reads it, writes its lines, reports on the outcomes topic',
  start: async (context, options) => {
    const { startIndexer } = await import('../../workers/indexing/indexer.ts')
    return startIndexer(indexingContext(context), options, (hooks) => {
      const { clock, execute, viewStore, states, config } = context
      const policy = policyIn(config)
      const order = config.indexingOrder
      const timeoutMillis = config.claimSeconds * SECOND
      const suspects = suspectsInProgress(clock)
      return indexingQueue({
        ...{ clock, execute, viewStore, states, ...hooks },
        ...{ timeoutMillis, order, policy, suspects },
      })
    })
  },
}

const poller: WorkerKind<IndexingConfig> = {
  kind: 'poller',
  description: 'looks for archive files in the folders and lists of FONDS_INDEXING_SOURCES, on a schedule',
  start: async (context) => {
    const { startPoller } = await import('../../workers/indexing/poller.ts')
    return startPoller(indexingContext(context), policyIn(context.config))
  },
}

const startAggregator = async (context: AloneContext<IndexingConfig>) =>
  (await import('../../workers/indexing/aggregator/aggregator.ts')).startAggregator(indexAlone(context))

const aggregator: WorkerKind<IndexingConfig> = {
  kind: 'aggregator',
  description:
    'takes the lines of indexed files over into the index of captures, and merges its runs on a timer',
  start: startAggregator,
  startAlone: startAggregator,
}

/** Sources whose files are in buckets. */
const bucketsIn = ({ indexingSources = '' }: IndexingConfig) =>
  (parseSources(indexingSources) ?? []).filter(({ location }) => isBucketAddress(location))

/** Allows only locations beneath the folders and buckets of our sources, which may change while this runs. */
const foreignPlaces = (config: Pick<IndexingConfig, 'indexingSources'>): RefusedLocation => {
  let known: { readonly sources: string; readonly refused: RefusedLocation } | undefined
  return (location) => {
    const { indexingSources: sources = '' } = config
    if (known?.sources !== sources) known = { sources, refused: foreignOf(sources) }
    return known.refused(location)
  }
}

const foreignOf = (sources: string): RefusedLocation => {
  const locations = (parseSources(sources) ?? []).map(({ location }) => location)
  const folders = locations.flatMap((location) => pathOfAddress(location) ?? [])
  return locationsBeneath(folders, 'FONDS_INDEXING_SOURCES', locations.filter(isBucketAddress))
}

const publisherOf = (context: IndexingContext) =>
  publisher({
    states: context.states,
    runOfLines: (file, digest) => runOfLines(linesOf(context, fileOf(file)), digest, context.captureIndex),
    add: changeFilesOf(context).add,
    refuse: refusedFilesOf(context).add,
    listEmbargoes: listEmbargoes(context),
    indexPlace: () => indexPlace(context),
    takenPlace: () => takenPlace(context),
  })

/** The folder of the index may be read where there is no log. */
const listEmbargoes = (context: IndexingContext) => {
  const list = embargoListOf(context)
  return async (files?: readonly string[]): Promise<void> => {
    if (!files && !(await list.isMissing())) return
    const embargoes = await embargoesInForce(context.eventStore)
    const listed = (files ?? embargoes.files()).map((file) => [file, embargoes.until(file) ?? null] as const)
    await (files ? list.add(listed) : list.replace(listed))
  }
}

/** Indexing, from its topics to its views. */
export const indexingWorkflow: Workflow<IndexingConfig> = {
  ...indexingModel,
  questions: indexingQuestions,
  commands: [...indexingCommands, ...accessCommands],
  workers: [poller, indexer, aggregator],
  addresses: [cdxAddress, cdxChangesAddress, ...cdxPostAddresses, ...archiveFileAddresses],
  processors: (context) => [
    indexingProcessor(policyIn(context.config), context.clock, foreignPlaces(context.config)),
    bucketEventsProcessor(policyIn(context.config), context.clock, () => bucketsIn(context.config)),
  ],
  reactions: () => [],
  subscriptions: (context) => [
    publisherOf(indexingContext(context)),
    withdrawals(context, (file) => withdrawLines(context, file)),
  ],
  overdue: (context) => [
    expiredClaims({
      ...context,
      claimMillis: context.config.claimSeconds * SECOND,
      policy: policyIn(context.config),
    }),
    lostLines({ ...context, refused: refusedFilesOf(context), policy: policyIn(context.config) }),
  ],
  waiting: ({ viewStore, clock }) => {
    if (!viewStore.shape(files.name)) return []
    const now = clock.now()
    const parked = countRows(viewStore, files, is('state', 'parked'))
    const [due] = rows(viewStore, files, {
      where: [is('queued', 1), { column: 'due', is: '<=', value: now }],
      orderBy: [{ column: 'due' }],
      limit: 1,
    })
    // W1: whatever keeps it from the index, including a person's decision to park it.
    const [unpublished] = rows(viewStore, files, {
      where: [{ column: 'unpublishedSince', is: '>=', value: '' }],
      orderBy: [{ column: 'unpublishedSince' }],
      limit: 1,
    })
    return [
      { queue: 'files', oldest: due?.due ?? undefined, parked },
      { queue: 'unpublished', oldest: unpublished?.unpublishedSince ?? undefined, parked },
    ]
  },
  attention: async (context) => (await import('./attention.ts')).indexingCauses(context),
  overview: {
    counts: ['file', 'files'],
    ask: async (context) => (await import('./overview.ts')).indexingOverview(context),
  },
  checks: async (context) => (await import('./checks.ts')).indexingChecks(context),
  folders: ({ indexingFolder, indexingFiles = '' }) => [
    indexingFolder,
    ...(parseIndexFiles(indexingFiles) ?? []).map((file) => dirname(file)),
  ],
  kept: ({ indexingFolder: from }) => [
    { name: 'index', from, label: 'the index', copied: 'before', copy: copyIndex },
  ],
  amounts: ({ viewStore }) => ({
    inState: viewStore.shape(counts.name) ? fileCounts(viewStore) : [],
    bytesInProcess: 0,
  }),
  measures: (context) => measureIndex(indexingContext(context)),
}

const fileCounts = (viewStore: ViewStore) => {
  const counted = Map.groupBy(countLines(viewStore), ({ state }) => state)
  return Object.keys(fileStates).map((state) => ({
    what: 'file',
    state,
    count: (counted.get(state as FileStatus) ?? []).reduce((sum, line) => sum + line.files, 0),
  }))
}
