import { join } from 'node:path'
import { workStates } from '../../domain/ingest/transitions.ts'
import { jobs } from '../../domain/ingest/views.ts'
import { isBucketAddress } from '../../domain/kernel/bucket-address.ts'
import { countRows, is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import { bucketEventsProcessor } from '../../processors/ingest/bucket-events.ts'
import { expiredClaims } from '../../processors/ingest/expired-claims.ts'
import { noteJobs } from '../../processors/ingest/job-notes.ts'
import { takeIds, useIds } from '../../processors/ingest/opening-reactions.ts'
import { ingestCommands } from '../../processors/ingest/operator-commands.ts'
import {
  deleteJobs,
  failJobs,
  releaseJobs,
  sweepBatches,
} from '../../processors/ingest/spreading-reactions.ts'
import { stepsProcessor } from '../../processors/ingest/steps-processor.ts'
import { submissionsProcessor } from '../../processors/ingest/submissions-processor.ts'
import { viewsReachOf } from '../../processors/runtime/views-reach.ts'
import { ingest } from '../../projections/ingest/projection.ts'
import { dropAddresses } from '../../workers/ingest/drops/drop-places.ts'
import { siteFile } from '../../workers/ingest/sites.ts'
import { dropFolder } from '../../workers/ingest/submit/drop-area.ts'
import { copyFolder, copyOne } from '../copy-files.ts'
import { emptyWorkflow, type WorkerKind, type Workflow } from '../workflow.ts'
import { adoptStorageCommand } from './adopt-storage.ts'
import { ingestAmounts } from './amounts.ts'
import { ingestContext } from './context.ts'
import { copyObjects } from './copy-objects.ts'
import { stepOffer } from './http/steps.ts'
import { submissionsIntake } from './http/submissions.ts'
import { completeIntake, uploadsIntake } from './http/uploads.ts'
import { ingestModel } from './model.ts'
import { ingestQuestions } from './questions.ts'
import { ingestServices } from './services.ts'
import type { IngestConfig } from './settings.ts'
import { adoptVersions, setAsideVersions } from './storage-commands.ts'

const ingester: WorkerKind<IngestConfig> = {
  kind: 'ingest',
  description: 'takes submissions in: reads payloads, downloads, identifies, stores, calls back, reports',
  start: async (context, options) => {
    const { startIngester } = await import('../../workers/ingest/ingester.ts')
    const own = ingestContext(context)
    return startIngester(own, options, (hooks) => ingestServices(own, hooks))
  },
}

const dropWatch: WorkerKind<IngestConfig> = {
  kind: 'drops',
  description: 'looks for submissions in the prefixes of FONDS_INGEST_DROPS, on a schedule',
  start: async (context) => {
    const { startDropWatch } = await import('../../workers/ingest/drops/drop-watch.ts')
    return startDropWatch(ingestContext(context))
  },
}

/** Ingest, from its topics to its views. */
export const ingestWorkflow: Workflow<IngestConfig> = {
  ...emptyWorkflow,
  ...ingestModel,
  questions: ingestQuestions,
  commands: [...ingestCommands, adoptStorageCommand, adoptVersions, setAsideVersions],
  workers: [ingester, dropWatch],
  intakes: [submissionsIntake, uploadsIntake, completeIntake],
  offers: [stepOffer],
  processors: ({ states, clock, config }) => [
    submissionsProcessor(states, clock),
    stepsProcessor(clock),
    bucketEventsProcessor(clock, dropAddresses(config.ingestDrops)),
  ],
  reactions: (system) => {
    const viewsReach = viewsReachOf(ingest.name, system)
    return [
      takeIds,
      useIds(system),
      deleteJobs(system.states),
      failJobs(system.viewStore, viewsReach),
      releaseJobs(system.viewStore, viewsReach),
      sweepBatches(system.viewStore, viewsReach),
    ]
  },
  subscriptions: ({ execute, states }) => [noteJobs({ execute, states })],
  overdue: ({ viewStore, clock, config, processLock }) => {
    const { claimSeconds, maxDeaths } = config
    return [expiredClaims({ viewStore, clock, claimMillis: claimSeconds * SECOND, processLock, maxDeaths })]
  },
  waiting: ({ viewStore }) => {
    if (!viewStore.shape(jobs.name)) return []
    const parked = countRows(viewStore, jobs, is('state', 'failed'))
    return workStates.map((state) => {
      const [oldest] = rowsIfFolded(viewStore, jobs, {
        where: [is('state', state), is('available', '')],
        orderBy: [{ column: 'order' }],
        limit: 1,
      })
      return { queue: state, oldest: oldest?.lastModified, parked }
    })
  },
  attention: async (context) => (await import('./attention.ts')).ingestCauses(context),
  overview: {
    counts: ['job', 'jobs'],
    ask: async (context) => (await import('./overview.ts')).ingestOverview(context),
  },
  checks: async (context) => (await import('./checks.ts')).ingestChecks(context),
  folders: ({ home, ingestWork, ingestStorage }) => [
    ingestWork,
    ...(isBucketAddress(ingestStorage) ? [] : [ingestStorage]),
    dropFolder(home),
  ],
  kept: ({ home, ingestStorage }) => [
    {
      name: 'drop',
      from: dropFolder(home),
      label: 'uploads',
      copied: 'around',
      // Partial uploads are in a folder that begins with a dot.
      copy: (from, to, tools) => copyFolder(from, to, tools, (name) => !name.startsWith('.')),
    },
    // The holder of the site works on uploads that wait.
    { name: siteFile, from: join(home, siteFile), copied: 'before', copy: copyOne },
    {
      name: 'storage',
      from: ingestStorage,
      label: 'objects',
      copied: 'after',
      otherwise: `the objects are in ${ingestStorage}: copy them behind this backup`,
      ...(!isBucketAddress(ingestStorage) && { copy: copyObjects }),
    },
  ],
  amounts: ({ viewStore }) => ingestAmounts(viewStore),
}
