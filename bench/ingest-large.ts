import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startRoles } from '../src/app/roles.ts'
import type { System } from '../src/app/system.ts'
import { batches, files as filesView } from '../src/domain/ingest/views.ts'
import { is, rows, rowsIfFolded } from '../src/domain/kernel/read-views.ts'
import { newBatch, submitBatch } from '../src/workers/ingest/submit/submit.ts'
import { MiB, makeSample, mix, type Sample, sha256sum } from './digest-peers.ts'
import { benchSystem } from './system.ts'
import { expectSame, printTable } from './table.ts'

/*
 * Large objects: files in mixed sizes, a folder an object, from their submission until they are stored, work folder and
 * storage root on one volume; beside cp, sync and sha256sum of the same files. `node bench/ingest-large.ts [GiB] [rounds]`
 */

const gib = Number(process.argv[2] ?? 10)
const rounds = Number(process.argv[3] ?? 1)
const objects = 4
const share = (part: number, most: number): number[] => {
  const bytes = (gib * 1024 * MiB * part) / objects
  const size = Math.floor(Math.min(most, bytes))
  return Array.from({ length: Math.round(bytes / size) }, () => size)
}
const sizes = mix(
  [...share(0.05, 100_000), ...share(0.2, 2 * MiB)],
  [...share(0.35, 64 * MiB), ...share(0.4, 512 * MiB)],
)

const run = (command: string, args: readonly string[]): void => {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command}: ${stderr}`)
}

const seconds = async (work: () => Promise<void> | void): Promise<number> => {
  run('sync', [])
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

/** Copied, on disk, digested. Gives the digests by path. */
const peers = async (from: string, to: string, samples: readonly Sample[]): Promise<Map<string, string>> => {
  run('cp', ['-r', from, to])
  run('sync', [])
  const digests = new Map<string, string>()
  for (const sample of samples) {
    const found = await sha256sum.run(sample)
    for (const [i, path] of sample.files.entries()) digests.set(`${sample.name}/${path}`, found[i]!)
  }
  return digests
}

const ingest = async (system: System, samples: readonly Sample[]): Promise<void> => {
  const { viewStore, clock } = system
  const submitted = samples.map(({ root }) => ({ root, batch: newBatch(undefined) }))
  for (const { root, batch } of submitted) {
    const payload = { url: pathToFileURL(`${root}/`).href, type: 'folder' } as const
    const submission = { profile: 'default', submitter: 'bench', payload, mode: 'add' } as const
    await submitBatch(system, batch, submission, 'fonds://bench')
  }
  for (const { batch } of submitted)
    for (;;) {
      const [row] = rowsIfFolded(viewStore, batches, { where: [is('batch', batch)] })
      if (row?.state === 'completed') break
      if (row?.state === 'failed') throw new Error(`a batch failed: ${row.message}`)
      await clock.sleep(20)
    }
}

/** What is recorded, and what the bytes in the storage root are, by sha256sum. */
const expectStored = async ({ viewStore, config }: System, wanted: ReadonlyMap<string, string>) => {
  const sorted = (digests: Iterable<string>) => [...digests].sort().join()
  const recorded = rows(viewStore, filesView, {}).filter(({ path }) => path.startsWith('producer/'))
  expectSame('digests recorded', sorted(recorded.map(({ sha256 }) => sha256)), sorted(wanted.values()))
  const root = config.ingestStorage
  const stored = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.bin'))
    .map((entry) => join(entry.parentPath, entry.name))
  const found = await sha256sum.run({ name: 'stored', root: '/', files: stored, bytes: 0 })
  expectSame('digests of the bytes in storage', sorted(found), sorted(wanted.values()))
}

const ratios: number[] = []
for (let round = 0; round < rounds; round++) {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-large-'))
  // Others may fill the disk: it waits for no room.
  const { system, dispose } = await benchSystem({ ingestThresholdPercent: 100 })
  try {
    const from = join(folder, 'from')
    run('mkdir', [from])
    const samples: Sample[] = []
    for (let i = 0; i < objects; i++) samples.push(await makeSample(from, `object-${i}`, sizes))
    const mib = samples.reduce((sum, { bytes }) => sum + bytes, 0) / MiB
    let digests = new Map<string, string>()
    const theirs = async () => {
      digests = await peers(from, join(folder, 'to'), samples)
    }
    const running = await startRoles(system, ['processors', 'reactions', 'projections', 'workers'])
    const ours = () => ingest(system, samples)
    // Who is first finds more of the files in memory, where they are larger than that.
    const theirsFirst = round % 2 === 0 ? await seconds(theirs) : undefined
    const cpu = process.cpuUsage()
    const ourSeconds = await seconds(ours)
    const { user, system: inKernel } = process.cpuUsage(cpu)
    const theirSeconds = theirsFirst ?? (await seconds(theirs))
    await running.stop()
    await expectStored(system, digests)
    ratios.push(theirSeconds / ourSeconds)
    printTable(`ingest, large objects (${objects} of ${sizes.length} files, ${Math.round(mib)} MiB)`, [
      {
        what: 'submit → stored',
        ours: mib / ourSeconds,
        beside: 'cp + sync + sha256sum',
        theirs: mib / theirSeconds,
        unit: 'MiB/s',
        promise: 0.6,
      },
    ])
    console.log(`processor: ${((user + inKernel) / 1000 / mib).toFixed(2)} ms a MiB`)
  } finally {
    await dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}
if (rounds > 1)
  console.log(`median ratio of ${rounds}: ${ratios.toSorted((a, b) => a - b)[rounds >> 1]!.toFixed(2)}`)
