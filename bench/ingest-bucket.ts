import './as-fonds.ts'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startRoles } from '../src/app/roles.ts'
import type { System } from '../src/app/system.ts'
import { batches, files as filesView } from '../src/domain/ingest/views.ts'
import { is, rows, rowsIfFolded } from '../src/domain/kernel/read-views.ts'
import { newBatch, submitBatch } from '../src/workers/ingest/submit/submit.ts'
import { endpoint, folder, region, remote, stopServer } from './rclone-server.ts'
import { benchSystem } from './system.ts'
import { expectSame, interleaved, median, medianRatio, printTable } from './table.ts'

/*
 * A folder of small files, as one object or as an object each, into a storage root in a bucket, from its submission until it
 * is completed; beside `rclone copy` of the same into the same server, a versitygw of this machine, round by round.
 * `node bench/ingest-bucket.ts [files of one object, default 10,000] [objects of one file, default 1,000] [rounds, default 3]`
 */

const [many = 10_000, objects = 1_000, rounds = 3] = process.argv.slice(2).map(Number)
const size = 4096

const makeFiles = (name: string, count: number): string => {
  const from = join(folder, name)
  mkdirSync(from)
  for (let i = 0; i < count; i++)
    writeFileSync(join(from, `${String(i).padStart(6, '0')}.bin`), randomBytes(size))
  return from
}

let copies = 0
/** Seconds. */
const rclone = async (from: string, transfers: number): Promise<number> => {
  const start = performance.now()
  const command = ['copy', '--transfers', `${transfers}`, from, `bench:objects/copy-${copies++}`]
  expectSame('rclone', spawnSync('rclone', command, { env: remote }).status, 0)
  return (performance.now() - start) / 1000
}

/** Seconds. */
const ingest = async (system: System, from: string, type: 'folder' | 'each-file'): Promise<number> => {
  const { viewStore, clock } = system
  const batch = newBatch(undefined)
  const payload = { url: pathToFileURL(`${from}/`).href, type } as const
  const submission = { profile: 'default', submitter: 'bench', payload, mode: 'add' } as const
  const start = performance.now()
  await submitBatch(system, batch, submission, 'fonds://bench')
  for (;;) {
    const [row] = rowsIfFolded(viewStore, batches, { where: [is('batch', batch)] })
    if (row?.state === 'completed') break
    if (row?.state === 'failed') throw new Error(`the batch failed: ${row.message}`)
    await clock.sleep(10)
  }
  return (performance.now() - start) / 1000
}

const compare = async (type: 'folder' | 'each-file', count: number, promise?: number) => {
  const from = makeFiles(type, count)
  const { system, dispose } = await benchSystem({
    ingestStorage: `s3://objects/storage-${type}`,
    s3Endpoint: endpoint,
    s3Region: region,
  })
  const running = await startRoles(system, ['processors', 'reactions', 'projections', 'workers'])
  try {
    // The first deposit opens the root, and has the code compiled.
    await ingest(system, makeFiles(`${type}-warm`, 100), type)
    const processor: number[] = []
    const ours = async () => {
      const before = process.cpuUsage()
      const seconds = await ingest(system, from, type)
      const { user, system: ofSystem } = process.cpuUsage(before)
      processor.push((user + ofSystem) / 1e6)
      return seconds
    }
    const [mine = [], usual = [], wide = []] = await interleaved(
      rounds,
      ours,
      () => rclone(from, 4),
      () => rclone(from, 32),
    )
    const recorded = rows(system.viewStore, filesView, {}).filter(({ path }) => path.startsWith('producer/'))
    expectSame('files recorded', recorded.length, count * rounds + 100)
    console.log(`${type}: ${((median(processor) / count) * 1000).toFixed(2)} ms of the processor a file`)
    const rates = (seconds: readonly number[]) => seconds.map((one) => count / one)
    const line = (beside: string, theirs: readonly number[]) => ({
      what: type === 'folder' ? `${count} files, one object` : `${count} files, an object each`,
      ours: median(rates(mine)),
      beside,
      theirs: median(rates(theirs)),
      ratio: medianRatio(rates(mine), rates(theirs)),
      unit: 'files/s',
      ...(promise !== undefined && { promise }),
    })
    return [line('rclone copy', usual), line('rclone copy --transfers 32', wide)]
  } finally {
    await running.stop()
    await dispose()
  }
}

try {
  printTable(`ingest into a bucket (files of ${size} bytes)`, [
    ...(await compare('folder', many, 0.7)),
    ...(objects > 0 ? await compare('each-file', objects) : []),
  ])
} finally {
  await stopServer()
}
process.exit(0)
