import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHashPool, type HashPool } from '../src/workers/fixity/hash-pool.ts'
import { bareLoop, type Contender, MiB, makeSample, mix, type Sample, sha256sum } from './digest-peers.ts'

/*
 * Whole files to SHA-256: the hash pool beside a bare loop over node:crypto and beside sha256sum, on the same files
 * (in the page cache), in one run. `node bench/hash.ts [GiB in all, default 2] [rounds, default 3]`
 */

const contentStoreModule = new URL('../infra/content/file-system/store.ts', import.meta.url)

const samples = async (parent: string, gib: number): Promise<readonly Sample[]> => {
  const bytes = gib * 1024 * MiB
  const small = Array.from({ length: 5000 }, () => 100_000)
  const large = (share: number) => Array.from({ length: 4 }, () => Math.floor((bytes * share) / 4))
  const smallShare = Array.from({ length: Math.floor((bytes * 0.25) / 100_000) }, () => 100_000)
  return [
    await makeSample(parent, 'mixed', mix(smallShare, large(0.75))),
    await makeSample(parent, '5000 x 100 kB', small),
  ]
}

const poolOf = (hashing: HashPool, threads: number): Contender => ({
  name: `hash pool, ${threads} thread${threads === 1 ? '' : 's'}`,
  run: ({ root, files }) =>
    Promise.all(
      files.map(async (path) => {
        const outcome = await hashing.hash({ root, path, algorithms: ['sha-256'] })
        if (outcome.status !== 'read') throw new Error(`${path}: ${JSON.stringify(outcome)}`)
        return outcome.checksums[0]?.value ?? ''
      }),
    ),
})

const secondsOf = async (contender: Contender, sample: Sample, expected: readonly string[]) => {
  const start = performance.now()
  const digests = await contender.run(sample)
  const seconds = (performance.now() - start) / 1000
  if (digests.join() !== expected.join()) throw new Error(`${contender.name}: the digests are wrong`)
  return seconds
}

/** Best of the rounds, contenders taking turns: what the machine's other work disturbs least. */
const measure = async (sample: Sample, contenders: readonly Contender[], rounds: number): Promise<void> => {
  const expected = await bareLoop.run(sample)
  const best = new Map<Contender, number>()
  for (let round = 0; round < rounds; round++)
    for (const contender of contenders) {
      const seconds = await secondsOf(contender, sample, expected)
      best.set(contender, Math.min(seconds, best.get(contender) ?? seconds))
    }
  const against = (seconds: number, peer: Contender) => `${((best.get(peer) ?? 0) / seconds).toFixed(2)} x`
  console.log(
    `\n${sample.name}: ${sample.files.length} files, ${(sample.bytes / MiB).toFixed(0)} MiB; best of ${rounds}`,
  )
  console.table(
    contenders.map((contender) => {
      const seconds = best.get(contender) ?? 0
      return {
        what: contender.name,
        seconds: seconds.toFixed(2),
        'MiB/s': Math.round(sample.bytes / MiB / seconds),
        'µs a file': Math.round((seconds * 1e6) / sample.files.length),
        'against the loop': against(seconds, bareLoop),
        'against sha256sum': against(seconds, sha256sum),
      }
    }),
  )
}

/** Threads are started once in the life of a worker: not counted, but told. */
const startPool = async (threads: number, sample: Sample): Promise<HashPool> => {
  const start = performance.now()
  const hashing = createHashPool({ threads, contentStoreModule })
  const path = sample.files.find((_, i) => i === sample.files.length - 1) ?? ''
  await Promise.all(
    Array.from({ length: threads }, () => hashing.hash({ root: sample.root, path, algorithms: ['sha-256'] })),
  )
  console.log(`${threads} hashing threads started in ${Math.round(performance.now() - start)} ms`)
  return hashing
}

const gib = Number(process.argv[2] ?? 2)
const rounds = Number(process.argv[3] ?? 3)
if (!(gib > 0) || !(rounds >= 1)) throw new Error('usage: node bench/hash.ts [GiB] [rounds], both above 0')
const parent = await mkdtemp(join(tmpdir(), 'fonds-bench-hash-'))
try {
  const all = await samples(parent, gib)
  for (const sample of all) {
    const counts = [...new Set([availableParallelism(), 1])]
    const pools = await Promise.all(
      counts.map(async (threads) => ({ threads, hashing: await startPool(threads, sample) })),
    )
    const ours = pools.map(({ threads, hashing }) => poolOf(hashing, threads))
    await measure(sample, [...ours, bareLoop, sha256sum], rounds)
    await Promise.all(pools.map(({ hashing }) => hashing.close()))
  }
  console.log(
    `\npeak memory of this process, all threads: ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`,
  )
} finally {
  await rm(parent, { recursive: true, force: true })
}
