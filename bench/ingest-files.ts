import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { right } from 'fp-ts/lib/Either.js'
import pino from 'pino'
import { createNoidMinter } from '../infra/minter/noid.ts'
import { openOcflStore } from '../infra/object-store/ocfl/object-store.ts'
import { sideBySide } from '../src/async/side-by-side.ts'
import { systemClock } from '../src/async/system-clock.ts'
import type { WorkState } from '../src/domain/ingest/transitions.ts'
import { createHttpClient } from '../src/workers/http/http-client.ts'
import { createFetcher } from '../src/workers/ingest/fetch/fetcher.ts'
import { createFileWork } from '../src/workers/ingest/files/file-work.ts'
import type { IngestServices } from '../src/workers/ingest/services.ts'
import { download } from '../src/workers/ingest/steps/download.ts'
import { process as prepare } from '../src/workers/ingest/steps/process.ts'
import type { JobInProgress, Step, StepContext, StepTools } from '../src/workers/ingest/steps/step.ts'
import { store } from '../src/workers/ingest/steps/store.ts'
import { workFolderOf } from '../src/workers/ingest/work-folder.ts'
import { createRooms } from '../src/workers/runtime/room.ts'
import { expectSame, printTable } from './table.ts'

/*
 * What is done with files in ingest, without the engine: small files are brought into work folders, prepared and stored, an
 * object each. What each step takes of the processor. `node bench/ingest-files.ts [files] [folder]`
 */

const total = Number(process.argv[2] ?? 1000)
const size = 1024
const atOnce = 16
const stallMillis = 60_000
const folder = await mkdtemp(join(process.argv[3] ?? tmpdir(), 'fonds-bench-ingest-files-'))
const from = join(folder, 'from')
await mkdir(from)
const names = Array.from({ length: total }, (_, n) => `file-${String(n).padStart(6, '0')}.txt`)
await sideBySide(names, atOnce, (name) => writeFile(join(from, name), randomBytes(size)))

const objects = await openOcflStore(join(folder, 'root'))
const client = createHttpClient({ stallMillis })
const files = createFileWork(stallMillis)
const fetcher = createFetcher({
  openBucket: () => {
    throw new Error('no bucket is read here')
  },
  client,
  clock: systemClock,
  stallMillis,
  hosts: undefined,
  downloads: 16,
  files,
  rooms: createRooms(100),
  tries: 1,
})
const yes = async () => right(undefined)
const tools = {
  services: {
    termsOf: async () => ({ name: 'default' }),
    workSite: async () => 'bench',
    identifiers: {
      reserveArk: yes,
      claimObject: yes,
      claimLocalId: yes,
      bindLocalId: yes,
      recordVersion: yes,
      knownObject: async () => ({ versions: [] }),
    },
  } as unknown as IngestServices,
  fetcher,
  files,
  objectStore: async () => objects,
  stages: async () => undefined,
  minter: createNoidMinter(),
  shoulder: 'ark:/99999/fk4',
  clock: systemClock,
  log: pino({ level: 'silent' }),
  fetches: 4,
} as unknown as StepTools
const contextOf = (): StepContext => ({
  signal: new AbortController().signal,
  progress: () => {},
  handedOn: {},
  aside: (wait) => wait,
  jobIn: () => Promise.reject(new Error('nobody asks')),
})

interface JobUnderWay {
  readonly job: JobInProgress
  readonly context: StepContext
}

const jobOf = (name: string, n: number): JobUnderWay => {
  const batch = '5b0c6f3e-8a4d-4f0e-9d59-3a1f0c9d7e21'
  const payload = { url: pathToFileURL(join(from, name)).href, type: 'file', name, size } as const
  const of = { batch, batchNumber: 1, job: n + 1, index: n, profile: 'default', owner: 'none' }
  const facts = { ...of, collection: 'default', submitter: 'bench', mode: 'add', localIds: [], payload }
  const task = { job: n + 1, fence: 1, state: 'downloading', facts, found: {}, priority: 5, retries: 0 }
  const workFolder = workFolderOf(join(folder, 'work'), { batch, job: n + 1, fence: 1 })
  const job = { ...task, folder: workFolder, claimedIn: 'pending', correlationId: 'bench' }
  return { job: job as unknown as JobInProgress, context: contextOf() }
}

interface Cost {
  millis: number
  /** Of the processor: of all threads, and of this one. */
  all: number
  main: number
}

const costOf = async (work: () => Promise<unknown>): Promise<Cost> => {
  const [start, all, main] = [performance.now(), process.cpuUsage(), process.threadCpuUsage()]
  await work()
  const sum = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000
  return {
    millis: performance.now() - start,
    all: sum(process.cpuUsage(all)),
    main: sum(process.threadCpuUsage(main)),
  }
}

const steps: readonly (readonly [string, Step<WorkState>])[] = [
  ['downloading', download],
  ['processing', prepare],
  ['storing', store],
] as never

try {
  let jobs = names.map(jobOf)
  const run = async (step: Step<WorkState>, all: readonly JobUnderWay[]): Promise<JobUnderWay[]> => {
    const next: JobUnderWay[] = []
    await sideBySide(all, atOnce, async ({ job, context }) => {
      const found = await step(job, tools, context)
      next.push({ job: { ...job, found: { ...job.found, ...found } }, context })
    })
    return next
  }
  // Threads start, modules are loaded, code is compiled.
  const first = jobs.splice(0, Math.min(100, total >> 1))
  let warm: JobUnderWay[] = [...first]
  for (const [, step] of steps) warm = await run(step, warm)
  const counted = jobs.length
  const costs = new Map<string, Cost>()
  for (const [name, step] of steps)
    costs.set(
      name,
      await costOf(async () => {
        jobs = await run(step, jobs)
      }),
    )
  for (const { job } of jobs) expectSame('version', (job.found as { version?: number }).version, 1)
  const head = await objects.head(jobs[0]!.job.found.ark!)()
  expectSame('files of an object', head._tag === 'Right' && head.right?.files, 7)
  const each = (n: number) => n / counted
  const [all, main] = (['all', 'main'] as const).map((of) =>
    [...costs.values()].reduce((sum, cost) => sum + each(cost[of]), 0),
  ) as [number, number]
  for (const [name, cost] of costs)
    console.log(
      `${name.padEnd(12)} ${each(cost.all).toFixed(2)} ms of the processor an object, ${each(cost.main).toFixed(2)} of them on the main thread; ${each(cost.millis).toFixed(2)} ms`,
    )
  printTable(`ingest, files alone (${total} files of ${size} bytes, an object each)`, [
    { what: 'of the processor', ours: all, beside: 'budget', theirs: 6, unit: 'ms an object' },
    { what: 'on the main thread', ours: main, beside: 'budget', theirs: 1.5, unit: 'ms an object' },
  ])
} finally {
  await Promise.all([objects.close(), client.close(), files.close()])
  await rm(folder, { recursive: true, force: true })
}
