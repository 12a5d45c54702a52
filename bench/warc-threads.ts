import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { createIndexPool, type IndexPool } from '../src/workers/indexing/threads/index-pool.ts'
import { quietRounds } from './quiet-rounds.ts'
import { expectSame, type Line, median, medianRatio, printTable } from './table.ts'
import { makeRecords } from './warc-records.ts'

/*
 * Eight files of unequal size through the pool of the indexer: two threads beside one, by the clock. Each writes a run for each file;
 * the runs of both are compared. The bare inflate of the same files in the same order, by threads that do nothing else, is what the
 * machine and the order allow: the last file to come keeps one thread alone at work, so that it is 1.92 at most. Rounds in which others
 * were at work on the machine are done again. `node bench/warc-threads.ts [records, default 60000] [rounds, default 7]`
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
    files.map((file, i) =>
      pool.run(
        { kind: 'index', file, name: `${i}.warc.gz`, fileKind: 'content', runs, format: 'cdx-11' },
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

/** Each thread takes the next file, as those of the pool do. */
const inflateAll = async (threads: readonly Worker[], files: readonly string[]): Promise<void> => {
  const waiting = [...files]
  let members = 0
  await Promise.all(
    threads.map(async (thread) => {
      for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
        thread.postMessage(file)
        const [found] = await once(thread, 'message')
        members += found
      }
    }),
  )
  expectSame('members', members, count)
}

const pools = [1, 2].map((threads) => createIndexPool(threads, runWriterModule, 60_000)) as [
  IndexPool,
  IndexPool,
]
const inflating = [1, 2].map(() => new Worker(new URL('./inflate-thread.ts', import.meta.url)))
try {
  const files = makeFiles()
  const megabytes = files.reduce((sum, path) => sum + statSync(path).size, 0) / 1e6
  const expected = await indexAll(pools[0], files)
  const perSecond = async (work: () => Promise<unknown>) => {
    const start = performance.now()
    await work()
    return (megabytes / (performance.now() - start)) * 1000
  }
  const index = (pool: IndexPool) => () =>
    perSecond(async () => expectSame('the runs', await indexAll(pool, files), expected))
  const inflate = (threads: number) => () => perSecond(() => inflateAll(inflating.slice(0, threads), files))
  const measure = (times: number) =>
    quietRounds(times, index(pools[1]), index(pools[0]), inflate(2), inflate(1))
  // For the compiler.
  await measure(2)
  const { figures, disturbed } = await measure(rounds)
  const [two = [], one = [], bareTwo = [], bareOne = []] = figures
  const line = (what: string, ours: readonly number[], theirs: readonly number[]): Line => ({
    what,
    ours: median(ours),
    beside: 'one thread',
    theirs: median(theirs),
    ratio: medianRatio(ours, theirs),
    unit: 'MB/s',
  })
  printTable('WARC to sorted lines, by threads', [
    { ...line('8 files of unequal size, two threads', two, one), promise: 1.8 },
    line('the bare inflate of these, two threads', bareTwo, bareOne),
  ])
  console.log(
    `ratios of the rounds: ${two.map((figure, i) => (figure / one[i]!).toFixed(2)).join(' ')}; ${disturbed} rounds left out, in which others were at work`,
  )
} finally {
  for (const pool of pools) await pool.close()
  for (const thread of inflating) await thread.terminate()
  rmSync(folder, { recursive: true, force: true })
}
