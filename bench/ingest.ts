import { createHash, randomBytes } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { startRoles } from '../src/app/roles.ts'
import type { System } from '../src/app/system.ts'
import { waitUntilIdle } from '../src/app/wait-until-idle.ts'
import { sideBySide } from '../src/async/side-by-side.ts'
import { batches, files as filesView, objects } from '../src/domain/ingest/views.ts'
import { countRows, is, rows, rowsIfFolded } from '../src/domain/kernel/read-views.ts'
import { newBatch, submitBatch } from '../src/workers/ingest/submit/submit.ts'
import { cpuByPart, type Parts } from './cpu-by-part.ts'
import { benchSystem } from './system.ts'
import { expectSame, printTable } from './table.ts'

/*
 * Submit to completed: a folder of small files, an object each, through every step, each commit and file synced; beside a
 * raw loop that hashes the same files and writes them into folders. What each step takes, where the processor's time goes,
 * and so what would double it. `node bench/ingest.ts [files] [hands]`
 */

const [files = 10_000, hands] = process.argv.slice(2)
const total = Number(files)
const size = 1024
const atOnce = 16

interface Source {
  readonly name: string
  readonly path: string
}

const makeFiles = async (folder: string): Promise<readonly Source[]> => {
  const sources = Array.from({ length: total }, (_, n) => {
    const name = `file-${String(n).padStart(6, '0')}.txt`
    return { name, path: join(folder, name) }
  })
  await sideBySide(sources, atOnce, ({ path }) => writeFile(path, randomBytes(size)))
  return sources
}

interface Cost {
  readonly millis: number
  /** Of the processor, of all threads of this process. */
  readonly cpuMillis: number
  /** Of that, of this thread: decisions, commits and views. */
  readonly mainMillis: number
}

const costOf = async (work: () => Promise<void>): Promise<Cost> => {
  const [start, before, main] = [performance.now(), process.cpuUsage(), process.threadCpuUsage()]
  await work()
  const [all, ofMain] = [process.cpuUsage(before), process.threadCpuUsage(main)]
  const millisOf = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000
  return { millis: performance.now() - start, cpuMillis: millisOf(all), mainMillis: millisOf(ofMain) }
}

/** Each file into a folder of its own, synced with its folder. Fills in the digests. */
const rawLoop = (to: string, sources: readonly Source[], digests: Map<string, string>): Promise<unknown> =>
  sideBySide(sources, atOnce, async ({ name, path }) => {
    const bytes = await readFile(path)
    digests.set(name, createHash('sha256').update(bytes).digest('hex'))
    const folder = join(to, name)
    await mkdir(folder)
    await writeFile(join(folder, name), bytes, { flush: true })
    const handle = await open(folder)
    await handle.sync()
    await handle.close()
  })

const ingest = async (system: System, folder: string): Promise<void> => {
  const { viewStore, clock } = system
  const batch = newBatch(undefined)
  const payload = { url: pathToFileURL(folder).href, type: 'each-file' } as const
  const submission = { profile: 'default', submitter: 'bench', payload, mode: 'add' } as const
  const running = await startRoles(system, ['processors', 'reactions', 'projections', 'workers'])
  try {
    await submitBatch(system, batch, submission, 'fonds://bench')
    for (;;) {
      const [row] = rowsIfFolded(viewStore, batches, { where: [is('batch', batch)] })
      if (row?.state === 'completed') break
      if (row?.state === 'failed') throw new Error(`the batch failed: ${row.message}, ${row.failed} jobs`)
      await clock.sleep(50)
    }
    await waitUntilIdle(system)
  } finally {
    await running.stop()
  }
}

/** Every file is in the storage root, and is recorded with the digest that the raw loop found. */
const expectStored = async ({ viewStore, config }: System, digests: ReadonlyMap<string, string>) => {
  expectSame('objects recorded', countRows(viewStore, objects), total)
  const stored = rows(viewStore, filesView, { where: [{ column: 'path', is: '>', value: 'producer/' }] })
  const recorded = stored.filter(({ path }) => path.startsWith('producer/'))
  expectSame('files recorded', recorded.length, total)
  for (const { path, sha256 } of recorded)
    expectSame(`digest of ${path}`, sha256, digests.get(path.slice('producer/'.length)))
  const root = config.ingestStorage ?? join(config.home, 'storage')
  const onDisk = await readdir(root, { recursive: true, withFileTypes: true })
  const contents = onDisk.filter((one) => one.isFile() && digests.has(one.name))
  expectSame('files in the storage root', contents.length, total)
  for (const { parentPath, name } of contents.filter((_, i) => i % 50 === 0)) {
    const bytes = await readFile(join(parentPath, name))
    expectSame(`bytes of ${name}`, createHash('sha256').update(bytes).digest('hex'), digests.get(name))
  }
}

const perJob = (n: number): string => (n / total).toFixed(2)

/** Gives how long a job was under its claim, in milliseconds. */
const tellCosts = (home: string): number => {
  const db = new DatabaseSync(join(home, 'fonds.db'), { readOnly: true })
  const events = db
    .prepare('SELECT type, COUNT(*) AS n FROM events GROUP BY type ORDER BY n DESC')
    .all()
    .filter(({ n }) => Number(n) * 20 > total)
  console.log(`events a job: ${events.map(({ type, n }) => `${type} ${perJob(Number(n))}`).join(', ')}`)
  const messages = db.prepare('SELECT COUNT(*) AS n FROM broker_records').get()
  console.log(`messages a job: ${perJob(Number(messages?.n))}`)
  // From the event before: others of the same process go on meanwhile. Steps told together count for the first of them.
  const moves = db
    .prepare(
      `SELECT data ->> 'from' AS step, AVG(millis) AS mean, MAX(millis) AS most FROM (
         SELECT type, data, recorded_at - LAG(recorded_at) OVER (PARTITION BY stream_id ORDER BY revision) AS millis
         FROM events WHERE type IN ('JobCreated', 'StepClaimed', 'JobMoved'))
       WHERE type = 'JobMoved' GROUP BY step ORDER BY mean DESC`,
    )
    .all()
  for (const { step, mean, most } of moves)
    console.log(
      `${String(step).padEnd(14)} ${Number(mean).toFixed(1).padStart(8)} ms a job, ${most} ms at most`,
    )
  const claimed = db
    .prepare(
      `SELECT AVG(last - first) AS millis FROM (
         SELECT MAX(recorded_at) AS last, MIN(recorded_at) AS first FROM events
         WHERE type IN ('StepClaimed', 'JobMoved') GROUP BY stream_id HAVING COUNT(*) > 2)`,
    )
    .get()
  db.close()
  return Number(claimed?.millis)
}

const parts: Parts = [
  ['views: fold and ask', /infra\/views|src\/projections/],
  ['log: append and read', /infra\/(event-store|sqlite)/],
  ['topics: produce and read', /infra\/broker/],
  [
    'files: read, digest, store',
    /src\/workers\/ingest|infra\/object-store|src\/async\/threads|node:(internal\/)?fs/,
  ],
  ['claims', /src\/workers\/runtime|src\/processors\/ingest/],
  ['decisions', /src\/(processors|domain)/],
]

/** Where this thread's time goes, of a tenth as many in a home of their own: the profiler takes some of it. */
const tellParts = async (sources: readonly Source[]): Promise<void> => {
  const some = sources.slice(0, Math.max(100, total / 10))
  const folder = await mkdtemp(join(tmpdir(), 'fonds-bench-ingest-'))
  const { system, dispose } = await benchSystem(hands === undefined ? {} : { hands: Number(hands) })
  try {
    for (const { name, path } of some) await copyFile(path, join(folder, name))
    const shares = await cpuByPart(parts, () => ingest(system, folder))
    const all = [...shares.values()].reduce((sum, millis) => sum + millis, 0)
    const percents = [...shares].map(([part, millis]) => `${part} ${Math.round((millis / all) * 100)} %`)
    console.log(`the main thread: ${percents.join(', ')}`)
  } finally {
    await dispose()
    await rm(folder, { recursive: true, force: true })
  }
}

const folder = await mkdtemp(join(tmpdir(), 'fonds-bench-ingest-'))
const { system, home, dispose } = await benchSystem(hands === undefined ? {} : { hands: Number(hands) })
try {
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  await mkdir(from)
  await mkdir(to)
  const sources = await makeFiles(from)
  const digests = new Map<string, string>()
  const loop = await costOf(async () => {
    await rawLoop(to, sources, digests)
  })
  expectSame('digests', digests.size, total)
  const ours = await costOf(() => ingest(system, from))
  await expectStored(system, digests)
  const underClaim = tellCosts(home)
  const rateOf = ({ millis }: Cost) => (total / millis) * 1000
  const beside = 'read, hash, write, sync'
  printTable(`ingest (${total} files of ${size} bytes, an object each)`, [
    { what: 'submit → completed', ours: rateOf(ours), beside, theirs: rateOf(loop), unit: 'objects/s' },
  ])
  console.log(
    `processor: ${(ours.cpuMillis / total).toFixed(2)} ms an object (${(ours.mainMillis / total).toFixed(2)} of the main thread), the loop ${(loop.cpuMillis / total).toFixed(2)} ms; ` +
      `so two cores could do ${Math.round((2000 * total) / ours.cpuMillis)} objects/s`,
  )
  console.log(
    `submit → completed: ${Math.round(rateOf(ours))} objects/s, of 150 ${rateOf(ours) >= 150 ? 'kept' : 'MISSED'}`,
  )
  await tellParts(sources)
  const [main, cores] = [total / ours.mainMillis, (2 * total) / ours.cpuMillis].map((rate) => rate * 1000)
  console.log(
    `most that it can be: ${Math.round(main!)} objects/s by the main thread, ${Math.round(cores!)} by two cores. ` +
      'To double it, the lower one has to be twice as high: by a second process of workers, or by half the work. ' +
      `A job was ${Math.round(underClaim)} ms under its claim, of ${system.config.hands} hands`,
  )
} finally {
  await dispose()
  await rm(folder, { recursive: true, force: true })
}
