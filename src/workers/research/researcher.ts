import { join } from 'node:path'
import { driftCost } from '@fonds/sound'
import { SECOND } from '../../domain/kernel/time.ts'
import { type OpenBucket, openedOnce } from '../buckets/bucket-file.ts'
import type { RunningWorker, WorkerOptions } from '../runtime/worker.ts'
import { allowedFolders } from './media/allowed-folders.ts'
import { allowedHosts } from './media/allowed-hosts.ts'
import { createRecordings } from './media/recordings.ts'
import type { ItemQueueOf } from './one-researcher.ts'
import { createSearcher } from './search/create-searcher.ts'
import { type ResearchersContext, startResearchers } from './start-researchers.ts'

export interface ResearcherContext extends ResearchersContext {
  readonly config: ResearchersContext['config'] & {
    readonly home: string
    readonly mediaCacheBytes: number
    readonly mediaDecodedBytes: number
    readonly ingestThresholdPercent: number
    readonly researchDriftPercent: number
  } & MediaSettings
  /** Opens content at `s3://bucket`. */
  readonly openContent: OpenBucket
}

interface MediaSettings {
  /** Comma-separated. */
  readonly mediaFolders?: string
  readonly mediaHosts?: string
}

/** Starts the researchers of a process. Any number of processes may run them; those of one home share fetched media. */
export const startResearcher = (
  context: ResearcherContext,
  options: WorkerOptions,
  queueOf: ItemQueueOf,
): RunningWorker => {
  const { config, clock, log, openContent } = context
  const { threads } = options
  const stallMillis = config.stallSeconds * SECOND
  const drift = config.researchDriftPercent / 100
  const searcher = createSearcher({ threads, stallMillis, drift })
  if (drift > 0) log.warn({ engine: searcher.engine }, driftCost(drift))
  const folder = join(config.home, 'media')
  const recordings = createRecordings({
    folder,
    rate: searcher.rate,
    maxCached: config.mediaCacheBytes,
    maxHeld: config.mediaDecodedBytes,
    roomPercent: config.ingestThresholdPercent,
    threads,
    clock,
    stallMillis,
    openBucket: openedOnce(openContent),
    ...allowedFolders(config),
    ...allowedHosts(config),
  })
  return startResearchers(context, options, { recordings, searcher, mediaTypes, folders: [folder] }, queueOf)
}

/** Media types that can be decoded. */
const mediaTypes = ['audio/mpeg', 'audio/wav', 'audio/flac', 'audio/ogg']
