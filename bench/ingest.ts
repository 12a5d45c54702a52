import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { startRoles } from '../src/app/roles.ts'
import { settle } from '../src/app/settle.ts'
import type { System } from '../src/app/system.ts'
import { sideBySide } from '../src/async/side-by-side.ts'
import { batches, files as filesView, objects } from '../src/domain/ingest/views.ts'
import { countRows, is, rows, rowsIfFolded } from '../src/domain/kernel/read-views.ts'
import { newBatch, submitBatch } from '../src/workers/ingest/submit/submit.ts'
import { benchSystem } from './system.ts'
import { expectSame, printTable } from './table.ts'

/*
 * Submit to completed: a folder of small files, an object each, through every step, each commit and file synced; beside a
 * raw loop that hashes the same files and writes them into folders. What each step costs. `node bench/ingest.ts [files]`
 */

const total = Number(process.argv[2] ?? 10_000)
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
}

const costOf = async (work: () => Promise<void>): Promise<Cost> => {
  const [start, before] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(before)
  return { millis: performance.now() - start, cpuMillis: (user + system) / 1000 }
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
    await settle(system)
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

const tellCosts = (home: string): void => {
  const db = new DatabaseSync(join(home, 'fonds.db'), { readOnly: true })
  const events = db
    .prepare('SELECT type, COUNT(*) AS n FROM events GROUP BY type ORDER BY n DESC')
    .all()
    .filter(({ n }) => Number(n) * 20 > total)
  console.log(`events a job: ${events.map(({ type, n }) => `${type} ${perJob(Number(n))}`).join(', ')}`)
  const messages = db.prepare('SELECT COUNT(*) AS n FROM broker_records').get()
  console.log(`messages a job: ${perJob(Number(messages?.n))}`)
  // From the event before: others of the same process go on meanwhile.
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
  db.close()
}

const folder = await mkdtemp(join(tmpdir(), 'fonds-bench-ingest-'))
const { system, home, dispose } = await benchSystem()
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
  tellCosts(home)
  const rateOf = ({ millis }: Cost) => (total / millis) * 1000
  const beside = 'read, hash, write, sync'
  printTable(`ingest (${total} files of ${size} bytes, an object each)`, [
    { what: 'submit → completed', ours: rateOf(ours), beside, theirs: rateOf(loop), unit: 'objects/s' },
  ])
  console.log(
    `processor: ${(ours.cpuMillis / total).toFixed(2)} ms an object, the loop ${(loop.cpuMillis / total).toFixed(2)} ms; ` +
      `so two cores could do ${Math.round((2000 * total) / ours.cpuMillis)} objects/s`,
  )
  console.log(
    `submit → completed: ${Math.round(rateOf(ours))} objects/s, of 150 ${rateOf(ours) >= 150 ? 'kept' : 'MISSED'}`,
  )
} finally {
  await dispose()
  await rm(folder, { recursive: true, force: true })
}
