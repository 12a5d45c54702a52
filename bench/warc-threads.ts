import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createIndexPool, type IndexPool } from '../src/workers/indexing/threads/index-pool.ts'
import { expectSame, interleaved, median, medianRatio, printTable } from './table.ts'
import { makeRecords } from './warc-records.ts'

/*
 * Eight files of unequal size through the pool of the indexer: two threads beside one, by the clock. Each writes a run for each file;
 * the runs of both are compared. Others at work on the machine spoil it. `node bench/warc-threads.ts [records, default 60000] [rounds, default 7]`
 */

const count = Number(process.argv[2] ?? 60_000)
const rounds = Number(process.argv[3] ?? 7)
if (!(count >= 1000) || !(rounds >= 1))
  throw new Error('usage: node bench/warc-threads.ts [records, from 1000] [rounds]')

/** Of all records, in percent; in the order in which they come, which is none of size. */
const shares = [9, 24, 3, 16, 11, 20, 6, 11]

const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-threads-'))
const runWriterModule = new URL('../infra/capture-index/run-writer.ts', import.meta.url)
const watch = { signal: new AbortController().signal, progress: () => {} }

const makeFiles = (): readonly string[] => {
  const records = makeRecords(count).map((record) => gzipSync(record))
  return shares.map((share, i) => {
    const path = join(folder, `${i}.warc.gz`)
    writeFileSync(path, Buffer.concat(records.splice(0, Math.ceil((count * share) / 100))))
    return path
  })
}

/** The digests of the runs. */
const indexAll = async (pool: IndexPool, files: readonly string[]): Promise<string> => {
  const runs = join(folder, 'runs')
  const outcomes = await Promise.all(
    files.map((path, i) =>
      pool.run(
        { kind: 'index', path, name: `${i}.warc.gz`, fileKind: 'content', runs, format: 'cdx-11' },
        watch,
      ),
    ),
  )
  rmSync(runs, { recursive: true })
  let lines = 0
  const digests = outcomes.map((outcome) => {
    if (outcome.status !== 'written') throw new Error(JSON.stringify(outcome))
    lines += outcome.run.lines
    return outcome.run.sha256
  })
  expectSame('lines', lines, count)
  return digests.join('\n')
}

const pools = [1, 2].map((threads) => createIndexPool(threads, runWriterModule, 60_000)) as [
  IndexPool,
  IndexPool,
]
try {
  const files = makeFiles()
  const megabytes = files.reduce((sum, path) => sum + statSync(path).size, 0) / 1e6
  const expected = await indexAll(pools[0], files)
  const perSecond = (pool: IndexPool) => async () => {
    const start = performance.now()
    expectSame('the runs', await indexAll(pool, files), expected)
    return (megabytes / (performance.now() - start)) * 1000
  }
  const measure = () => interleaved(rounds, perSecond(pools[1]), perSecond(pools[0]))
  // Once for the compiler.
  await measure()
  const [two = [], one = []] = await measure()
  printTable('WARC to sorted lines, by threads', [
    {
      what: '8 files of unequal size, two threads',
      ours: median(two),
      beside: 'one thread',
      theirs: median(one),
      ratio: medianRatio(two, one),
      unit: 'MB/s',
      promise: 1.8,
    },
  ])
} finally {
  for (const pool of pools) await pool.close()
  rmSync(folder, { recursive: true, force: true })
}
