import type { HttpClient } from '@fonds/download'
import { UnavailableError } from '../../async/unavailable.ts'
import type { JobTask } from '../../domain/ingest/tasks.ts'
import { isBucketAddress } from '../../domain/kernel/bucket-address.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import { openedOnce } from '../buckets/bucket-file.ts'
import { downloadTries } from '../http/tries.ts'
import type { MachineWaits } from '../runtime/machine-waits.ts'
import { createRooms } from '../runtime/room.ts'
import type { WorkerOptions } from '../runtime/worker.ts'
import type { PayloadTools } from './batch/read-payload.ts'
import { characteriserOf } from './characterise/characteriser.ts'
import { createFetcher } from './fetch/fetcher.ts'
import type { FileWork } from './files/file-work.ts'
import {
  allowedFolders,
  allowedHosts,
  foreignFolders,
  type IngesterContext,
  uploadsOf,
  workFolder,
} from './ingester-context.ts'
import type { reporter } from './ingester-reports.ts'
import type { JobRunner } from './run-job.ts'
import type { IngestServices } from './services.ts'
import { callbacksOf } from './steps/callbacks.ts'
import { failingOnPurpose } from './steps/fail-on-purpose.ts'
import { loadedSteps } from './steps/loaded-steps.ts'
import { announcedDigests } from './submit/announced-digests.ts'

/** Limits of concurrent downloads: of all jobs of a process; of the files of one job. */
const downloads = 16
const fetches = 4
/** Files of a job that storage takes in at once, as they come: the store bounds the bytes that it holds. */
const stagings = 32
export interface Tools {
  readonly jobs: (of: JobTask) => JobRunner
  /** Fetcher and folders that a batch may use. */
  readonly reach: (batch: string, foreign: boolean | undefined) => Omit<PayloadTools, 'folder'>
  readonly services: IngestServices
  readonly context: IngesterContext
}

interface Means {
  readonly client: HttpClient
  readonly files: FileWork
  /** Folder in which files make steps fail. */
  readonly failing: string | undefined
  readonly waits: MachineWaits
}

/** Means of the steps of jobs, and of batches. */
export const toolsOf = (
  context: IngesterContext,
  { client, files, failing, waits }: Means,
  services: IngestServices,
  { callbackMade }: ReturnType<typeof reporter>,
  onViewChange: WorkerOptions['onNewWork'],
): Tools => {
  const { config, clock, log, viewStore, objectStore, minter } = context
  const hosts = allowedHosts(config)
  const stallMillis = config.stallSeconds * SECOND
  const fetcher = createFetcher({
    client,
    clock,
    stallMillis,
    hosts,
    downloads,
    files,
    rooms: createRooms(config.ingestThresholdPercent),
    openBucket: openedOnce(context.openContent),
    onWait: (description) => log.warn(`a download is waiting: ${description}`),
    tries: downloadTries,
  })
  const announced = announcedDigests(() => uploadsOf(context))
  const reach: Tools['reach'] = (batch, foreign) => {
    const folders = foreign ? foreignFolders(config, batch) : allowedFolders(config)
    return { fetcher: fetcher.reaching({ folders, isForeign: foreign === true }), folders, announced }
  }
  const storedIn = async () => {
    // The volume may have been unmounted since the job was claimed: the object would be written beneath its mount
    // point.
    const refusal = await services.storage.refusal()
    if (refusal !== undefined) throw new UnavailableError(refusal)
    return objectStore()
  }
  const stages = async () => (isBucketAddress(config.ingestStorage) ? (await storedIn()).stages : undefined)
  const tools = {
    services,
    files,
    viewStore,
    onViewChange,
    objectStore: storedIn,
    minter,
    shoulder: config.ingestShoulder,
    clock,
    log,
    stages,
    fetches,
    stagings,
    characteriser: characteriserOf(config, client),
    callbackMade,
  }
  const theirSteps = failing === undefined ? loadedSteps : failingOnPurpose(loadedSteps, failing)
  return {
    jobs: ({ facts }) => ({
      steps: theirSteps,
      tools: {
        ...tools,
        ...reach(facts.batch, facts.foreign),
        callbacks: callbacksOf(client, hosts, stallMillis, facts.foreignCallback),
      },
      workFolder: workFolder(config),
      waits,
      log,
    }),
    reach,
    services,
    context,
  }
}
