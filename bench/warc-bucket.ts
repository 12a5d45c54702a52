import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { startVersitygw } from '../infra/local/s3/versitygw.ts'
import { createStreams, type Streams } from '../src/workers/indexing/streams/streams.ts'
import { createIndexPool, type IndexPool } from '../src/workers/indexing/threads/index-pool.ts'
import type { JobFile } from '../src/workers/indexing/threads/messages.ts'
import { quietRounds } from './quiet-rounds.ts'
import { expectSame, type Line, median, medianRatio, printTable } from './table.ts'
import { makeDenseRecords, makeRecords } from './warc-records.ts'

/*
 * Files of one size through the pool of the indexer, out of a bucket of a real server (versitygw, on this machine, which works on the same
 * cores) beside the same files on a disk. The runs of both are compared. Rounds in which others were at work on the machine are done again.
 * `node bench/warc-bucket.ts [records, default 40000] [rounds, default 7] [bytes of each, not to be compressed; default: pages]
 * [plain: not packed at all]`, such as `node bench/warc-bucket.ts 48 7 8000000`
 */

const count = Number(process.argv[2] ?? 40_000)
const rounds = Number(process.argv[3] ?? 7)
const bytes = Number(process.argv[4] ?? 0)
const isPlain = process.argv[5] === 'plain'
if (!(count >= (bytes > 0 ? 4 : 1000)) || !(rounds >= 1) || !(bytes >= 0))
  throw new Error(
    'usage: node bench/warc-bucket.ts [records, from 1000; of given bytes from 4] [rounds] [bytes] [plain]',
  )

const files = 4
const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-bucket-'))
const data = join(folder, 's3')
const runWriterModule = new URL('../infra/capture-index/run-writer.ts', import.meta.url)
const contentStoreModule = new URL('../infra/content/open-content.ts', import.meta.url)
const watch = { signal: new AbortController().signal, progress: () => {} }
const http = { stallMillis: 60_000 }

/** Puts the files where the server has its objects. */
const makeFiles = (): readonly string[] => {
  const made = bytes > 0 ? makeDenseRecords(count, bytes) : makeRecords(count)
  const level = bytes > 0 ? 1 : 6
  const records = Array.from(made, (record) => (isPlain ? record : gzipSync(record, { level })))
  const share = Math.ceil(count / files)
  return Array.from({ length: files }, (_, i) => {
    const name = isPlain ? `${i}.warc` : `${i}.warc.gz`
    writeFileSync(join(data, 'data/bucket', name), Buffer.concat(records.splice(0, share)))
    return name
  })
}

type Run = (name: string, use: (file: JobFile) => Promise<string>) => Promise<string>

const onDisk: Run = (name, use) => use(join(data, 'data/bucket', name))

const inBucket =
  (streams: Streams): Run =>
  async (name, use) => {
    const place = { root: 's3://bucket', path: name }
    const found = await streams.stat(place, http, watch)
    if (found.status !== 'found') throw new Error(JSON.stringify(found))
    return streams.withStream(place, http, found.entry, watch, use)
  }

/** The digests of the runs. */
const indexAll = async (pool: IndexPool, names: readonly string[], run: Run): Promise<string> => {
  const runs = join(folder, 'runs')
  let lines = 0
  const digests = await Promise.all(
    names.map((name) =>
      run(name, async (file) => {
        const job = { kind: 'index', file, name, fileKind: 'content', runs, format: 'cdx-11' } as const
        const outcome = await pool.run(job, watch)
        if (outcome.status !== 'written') throw new Error(JSON.stringify(outcome))
        lines += outcome.run.lines
        return outcome.run.sha256
      }),
    ),
  )
  rmSync(runs, { recursive: true })
  expectSame('lines', lines, count)
  return digests.join('\n')
}

mkdirSync(join(data, 'data/bucket'), { recursive: true })
const server = await startVersitygw({ folder: data, buckets: ['bucket'] })
process.env.AWS_ACCESS_KEY_ID = server.keys.accessKeyId
process.env.AWS_SECRET_ACCESS_KEY = server.keys.secretAccessKey
const contentSettings = { s3: { endpoint: server.endpoint, region: 'us-east-1' } }
const streams = createStreams(files, { contentStoreModule, contentSettings })
const pools = [1, 2].map((threads) => createIndexPool(threads, runWriterModule, 60_000)) as [
  IndexPool,
  IndexPool,
]
try {
  const names = makeFiles()
  const megabytes = names.reduce((sum, name) => sum + statSync(join(data, 'data/bucket', name)).size, 0) / 1e6
  const expected = await indexAll(pools[0], names, onDisk)
  const linesPerSecond = (pool: IndexPool, run: Run) => async () => {
    const start = performance.now()
    expectSame('the runs', await indexAll(pool, names, run), expected)
    return (count / (performance.now() - start)) * 1000
  }
  const measure = (times: number) =>
    quietRounds(
      times,
      linesPerSecond(pools[0], inBucket(streams)),
      linesPerSecond(pools[0], onDisk),
      linesPerSecond(pools[1], inBucket(streams)),
      linesPerSecond(pools[1], onDisk),
    )
  await measure(2)
  const { figures, disturbed } = await measure(rounds)
  const [bucketOne = [], diskOne = [], bucketTwo = [], diskTwo = []] = figures
  const line = (what: string, ours: readonly number[], theirs: readonly number[]): Line => ({
    what,
    ours: median(ours),
    beside: 'on a disk',
    theirs: median(theirs),
    ratio: medianRatio(ours, theirs),
    unit: 'lines/s',
  })
  printTable('WARC out of a bucket to sorted lines', [
    { ...line('one thread', bucketOne, diskOne), promise: 0.8 },
    line('two threads, on the two cores of the server', bucketTwo, diskTwo),
  ])
  console.log(`${Math.round(megabytes)} MB in ${files} files; ${disturbed} rounds left out`)
} finally {
  for (const pool of pools) await pool.close()
  await streams.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
