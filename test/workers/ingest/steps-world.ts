import { join } from 'node:path'
import { right } from 'fp-ts/lib/Either.js'
import { onTestFinished } from 'vitest'
import { createNoidMinter } from '#infra/minter/noid.ts'
import { openOcflStore } from '#infra/object-store/ocfl/object-store.ts'
import { systemClock } from '#src/async/system-clock.ts'
import type { WorkState } from '#src/domain/ingest/transitions.ts'
import type { ObjectStore } from '#src/ports/object-store.ts'
import { createHttpClient } from '#src/workers/http/http-client.ts'
import { createFetcher } from '#src/workers/ingest/fetch/fetcher.ts'
import { createFileWork } from '#src/workers/ingest/files/file-work.ts'
import { download } from '#src/workers/ingest/steps/download.ts'
import { process } from '#src/workers/ingest/steps/process.ts'
import type { JobInProgress, Step, StepContext, StepTools } from '#src/workers/ingest/steps/step.ts'
import { steps as allSteps } from '#src/workers/ingest/steps/steps.ts'
import { store } from '#src/workers/ingest/steps/store.ts'
import { takeWorkFolder, workFolderOf } from '#src/workers/ingest/work-folder.ts'
import { createRooms } from '#src/workers/runtime/room.ts'
import { testFolder } from '../../workflows/ingest/ingest-world.ts'

export const batchOfSteps = '5b0c6f3e-8a4d-4f0e-9d59-3a1f0c9d7e21'

/** Steps of one job, without the log: what they do with files. */
export const stepsWorld = async (
  payload: object,
  {
    objects: given,
    localIds = [],
    batch = batchOfSteps,
  }: { readonly objects?: ObjectStore; readonly localIds?: readonly string[]; readonly batch?: string } = {},
) => {
  const folder = testFolder()
  const objects = given ?? (await openOcflStore(join(folder, 'root')))
  const [files, client] = [createFileWork(60_000), createHttpClient({ stallMillis: 60_000 })]
  onTestFinished(async () => {
    await Promise.all([given ? undefined : objects.close(), files.close(), client.close()])
  })
  const common = { clock: systemClock, files, folders: undefined, announced: async () => undefined }
  const fetcher = createFetcher({
    openBucket: () => {
      throw new Error('no bucket is read here')
    },
    ...common,
    client,
    stallMillis: 60_000,
    hosts: undefined,
    downloads: 4,
    rooms: createRooms(100),
    tries: 1,
  })
  const yes = async () => right(undefined)
  const tools = {
    ...common,
    fetcher,
    services: {
      workSite: async () => 'test/00000000',
      termsOf: async () => ({ name: 'default' }),
      identifiers: {
        reserveArk: yes,
        claimObject: yes,
        claimLocalId: yes,
        bindLocalId: yes,
        recordVersion: yes,
        knownObject: async () => ({ versions: [], setAside: [], differences: [], isBeingStored: true }),
      },
    },
    viewStore: { query: () => [] },
    objectStore: async () => objects,
    stages: async () => objects.stages,
    stagings: 4,
    minter: createNoidMinter(),
    shoulder: 'ark:/99999/fk4',
    fetches: 4,
  } as unknown as StepTools
  const of = { batch, batchNumber: 1, job: 1, index: 0, profile: 'default', owner: 'none' }
  const facts = { ...of, collection: 'default', submitter: 'ada', mode: 'add', localIds, payload }
  const claimed = () => ({ batch, job: 1, fence })
  let fence = 0
  let found: JobInProgress['found'] = {}
  const steps = {
    estimating: allSteps.estimating,
    downloading: download,
    processing: process,
    storing: store,
  }

  /** Takes the job through these steps under one claim. */
  const claim = async (...states: readonly (keyof typeof steps)[]) => {
    const context: StepContext = {
      signal: new AbortController().signal,
      progress: () => {},
      aside: (wait) => wait,
      handedOn: {},
      jobIn: () => Promise.reject(new Error('the log knows where it is')),
    }
    fence += 1
    const workFolder = await takeWorkFolder(join(folder, 'work'), claimed())
    for (const state of states) {
      const task = { job: 1, fence, state, facts, found, priority: 5, retries: 0 }
      const job = { ...task, folder: workFolder, claimedIn: states[0], correlationId: 'test' }
      const result = await (steps[state] as Step<WorkState>)(job as unknown as JobInProgress, tools, context)
      found = { ...found, ...result }
    }
    return found
  }
  return {
    claim,
    /** Of the last claim. */
    workFolder: () => workFolderOf(join(folder, 'work'), claimed()),
    objects,
    /** What its steps found out was not told. */
    forget: () => {
      found = {}
    },
  }
}
