import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCaptureIndex } from '../infra/capture-index/capture-index.ts'
import type { WrittenRun } from '../src/ports/capture-index.ts'
import { expectSame, printTable } from './table.ts'

/*
 * Runs of 20,000 lines merged by levels as they arrive, beside GNU sort, which merges the same runs at once; then look-ups, warm and
 * with the files out of the cache, and the closest on a key with a million captures. Arguments: number of lines (4000000),
 * folder for some four times their bytes.
 */

const lineCount = Number(process.argv[2] ?? 4_000_000)
const runLines = 20_000
const hotLines = Math.min(1_000_000, lineCount / 4)
const lookUps = 300

let seed = 1
const random = (below: number): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((seed / 2 ** 32) * below)
}

const keyAt = (i: number) =>
  `com,example-${i % 9973})/section-${i % 97}/pages/${Math.imul(i, 2_654_435_761) >>> 0}.html`
const hotKey = 'com,example)/'
const timeAt = (i: number) =>
  new Date(Date.UTC(2005, 0, 1) + i * 600_000).toISOString().replace(/\D/g, '').slice(0, 14)
const digests = Array.from({ length: 1000 }, (_, i) =>
  createHash('sha1').update(`${i}`).digest('hex').slice(0, 32).toUpperCase(),
)
const hotEvery = lineCount / hotLines
const lineAt = (i: number): string => {
  const key = i % hotEvery === 0 ? hotKey : keyAt(i)
  return `${key} ${timeAt(random(1_050_000))} http://example.org/${i} text/html 200 ${digests[random(1000)]} - - ${random(90_000)} ${random(1e9)} CRAWL-${i % runLines}-00001.warc.gz\n`
}

const folder = mkdtempSync(join(process.argv[3] ?? tmpdir(), 'fonds-bench-'))
const home = join(folder, 'index')
const seconds = async (work: () => Promise<unknown> | unknown): Promise<number> => {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}
const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1]!

try {
  const index = openCaptureIndex(home, { graceMillis: 2 ** 40 })
  let position = 0n
  let firstBytes = 0
  let mergedBytes = 0
  let mergeSeconds = 0
  let writeSeconds = 0
  const runs: WrittenRun[] = []
  for (let from = 0; from < lineCount; from += runLines) {
    const lines = Array.from({ length: runLines }, (_, i) => lineAt(from + i)).join('')
    writeSeconds += await seconds(async () => runs.push(await index.write([lines])))
    const run = runs.at(-1)!
    firstBytes += run.bytes
    await index.change([{ kind: 'publish', file: `file-${from}`, run, position: ++position }])
    mergeSeconds += await seconds(async () => {
      mergedBytes += (await index.mergeDue()).bytesWritten
    })
  }
  const live = await index.runs()
  const finalBytes = live.reduce((sum, { bytes }) => sum + bytes, 0)
  const written = firstBytes + mergedBytes

  const files = runs.map(({ name }) => join(home, `${name}.cdx`))
  const list = join(folder, 'list')
  const sorted = join(folder, 'sorted')
  execFileSync('sh', ['-c', 'cat > "$0"', list], { input: `${files.join('\0')}\0` })
  const sortMerge = (batchSize: number) =>
    seconds(() => {
      const args = [
        '-m',
        '-u',
        `--batch-size=${batchSize}`,
        `--files0-from=${list}`,
        '-T',
        folder,
        '-o',
        sorted,
      ]
      const { status, stderr } = spawnSync('sort', args, { env: { ...process.env, LC_ALL: 'C' } })
      expectSame('exit code of sort', status, 0)
      expectSame('its errors', String(stderr), '')
    })
  const sortSeconds = Math.min(await sortMerge(128), await sortMerge(512))
  const theirs = execFileSync('sha256sum', [sorted], { encoding: 'utf8' }).slice(0, 64)

  const hash = createHash('sha256')
  let scannedLines = 0
  const lf = Buffer.from('\n')
  const scanSeconds = await seconds(async () => {
    for await (const batch of index.scan({})) {
      scannedLines += batch.length
      hash.update(Buffer.concat(batch.flatMap((line) => [Buffer.from(line), lf])))
    }
  })
  expectSame('the lines of the index', hash.digest('hex'), theirs)

  /** All runs merged at once, to compare what one pass costs. */
  const once = openCaptureIndex(join(folder, 'once'), { maxInputs: 1024, graceMillis: 2 ** 40 })
  execFileSync('cp', ['-al', home, join(folder, 'once')])
  for (const name of ['manifest', 'writer.lock']) rmSync(join(folder, 'once', name))
  await once.change(runs.map((run, i) => ({ kind: 'publish', file: `${i}`, run, position: BigInt(i + 1) })))
  const onceSeconds = await seconds(() => once.mergeDue({ all: true }))
  const [only] = await once.runs()
  expectSame('the run of one pass', only?.sha256, theirs)
  await once.close()

  const keys = Array.from({ length: lookUps }, () => {
    let i = random(lineCount)
    while (i % hotEvery === 0) i = random(lineCount)
    return keyAt(i)
  })
  const lookUp = async (key: string, asked = index) => {
    let found = 0
    for await (const batch of asked.scan({ from: Buffer.from(`${key} `), to: Buffer.from(`${key}!`) }))
      found += batch.length
    expectSame(`lines of ${key}`, found > 0, true)
  }
  const closest = async (time: string) => {
    for await (const line of index.closest({ key: Buffer.from(hotKey), time })) {
      expectSame('the key', Buffer.from(line.subarray(0, hotKey.length)).toString(), hotKey)
      return
    }
    throw new Error('nothing is close')
  }
  for (const key of keys) await lookUp(key)
  const each = async <A>(list: readonly A[], work: (one: A) => Promise<unknown>, before = () => {}) => {
    const times: number[] = []
    for (const one of list) {
      before()
      times.push((await seconds(() => work(one))) * 1000)
    }
    return median(times)
  }
  const dropFromCache = () => {
    for (const { name } of live)
      execFileSync('dd', [`if=${join(home, `${name}.cdx`)}`, 'iflag=nocache', 'count=0', 'status=none'])
  }
  const warm = await each(keys.toReversed(), (key) => lookUp(key))
  const times = Array.from({ length: 50 }, () => timeAt(random(1_050_000)))
  const near = await each(times, closest)
  await index.close()
  /** Each by an index that was just opened: nothing is in its memory either. */
  const cold = await each(
    keys.slice(0, 30),
    async (key) => {
      const fresh = openCaptureIndex(home)
      await lookUp(key, fresh)
      await fresh.close()
    },
    dropFromCache,
  )

  const megabytes = (bytes: number, took: number) => bytes / 1e6 / took
  printTable(
    `capture index (${lineCount.toLocaleString('en')} lines, ${Math.round(finalBytes / 1e6)} MB, ${live.length} runs)`,
    [
      {
        what: 'merged by levels, a byte written',
        ours: megabytes(mergedBytes, mergeSeconds),
        beside: 'sort -m -u',
        theirs: megabytes(finalBytes, sortSeconds),
        unit: 'MB/s',
        promise: 0.7,
      },
      {
        what: 'merged in one pass',
        ours: megabytes(finalBytes, onceSeconds),
        beside: 'sort -m -u',
        theirs: megabytes(finalBytes, sortSeconds),
        unit: 'MB/s',
        promise: 0.7,
      },
      {
        what: 'room: 5 × the final bytes',
        ours: (5 * finalBytes) / written,
        beside: 'bytes written',
        theirs: 1,
        unit: '×',
        promise: 1,
      },
      { what: 'look-ups, warm', ours: 1000 / warm, beside: '2 ms', theirs: 500, unit: '/s', promise: 1 },
      { what: 'look-ups, cold', ours: 1000 / cold, beside: '20 ms', theirs: 50, unit: '/s', promise: 1 },
      {
        what: `closest of ${hotLines.toLocaleString('en')}`,
        ours: 1000 / near,
        beside: '20 ms',
        theirs: 50,
        unit: '/s',
        promise: 1,
      },
      {
        what: 'scanned',
        ours: megabytes(finalBytes, scanSeconds),
        beside: 'sort -m -u',
        theirs: megabytes(finalBytes, sortSeconds),
        unit: 'MB/s',
      },
      {
        what: 'sorted into runs',
        ours: megabytes(firstBytes, writeSeconds),
        beside: 'sort -m -u',
        theirs: megabytes(finalBytes, sortSeconds),
        unit: 'MB/s',
      },
    ],
  )
  console.log(
    `bytes written: ${(written / finalBytes).toFixed(2)} × final; lines ${scannedLines.toLocaleString('en')}`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
