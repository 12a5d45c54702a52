import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { openCaptureIndex } from '../infra/capture-index/capture-index.ts'
import type { CaptureIndex, IndexChange } from '../src/ports/capture-index.ts'
import { createChangeFiles } from '../src/workers/indexing/aggregator/change-files.ts'
import { createRefusedFiles } from '../src/workers/indexing/aggregator/refused-files.ts'
import { takeChanges } from '../src/workers/indexing/aggregator/take-changes.ts'
import { expectSame, printTable } from './table.ts'

/*
 * Many files of changes that wait are taken over: the last as fast as the first. Then look-ups beside 500 live runs, more than the
 * aggregator leaves, and beside one. `node bench/waiting-changes.ts [files]`
 */

const files = Number(process.argv[2] ?? 20_000)
const linesOfFile = 10
const liveRuns = 500
const lookUps = 500
const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-'))

/** The lines of a file lie all over the index, so that no run can be passed over. */
const lineAt = (file: number, i: number) =>
  `com,example-${(file + i * 98) % 977})/${file}/${i} 20240101000000 http://example.com/ text/html 200 - ${file}\n`

const publishing = async (index: CaptureIndex, file: number): Promise<IndexChange> => ({
  kind: 'publish',
  file: `main/${file}`,
  run: await index.write([Array.from({ length: linesOfFile }, (_, i) => lineAt(file, i)).join('')]),
  position: BigInt(file),
})

const takeAll = async () => {
  const runs = join(folder, 'runs')
  const index = openCaptureIndex(runs)
  const incoming = createChangeFiles(join(folder, 'incoming'))
  for (let file = 1; file <= files; file++) await incoming.add([await publishing(index, file)])
  const before = process.memoryUsage.rss()
  const tenths: number[] = []
  let [most, manifest, live] = [before, 0, 0]
  let [done, begun] = [0, performance.now()]
  let merging: Promise<unknown> | undefined
  await takeChanges(
    incoming,
    createRefusedFiles(join(folder, 'refused')),
    () => index,
    pino(),
    async () => {
      done += 1000
      most = Math.max(most, process.memoryUsage.rss())
      manifest = Math.max(manifest, statSync(join(runs, 'manifest')).size)
      const now = (await index.runs()).length
      live = Math.max(live, now)
      if (now > 100)
        merging ??= index.mergeDue().finally(() => {
          merging = undefined
        })
      if (done % Math.ceil(files / 10) < 1000) {
        tenths.push(performance.now() - begun)
        begun = performance.now()
      }
      return true
    },
  )
  await merging
  await index.mergeDue()
  let lines = 0
  for await (const batch of index.scan({})) lines += batch.length
  expectSame('lines', lines, files * linesOfFile)
  await index.close()
  const rateOf = (millis: number) => files / tenths.length / (millis / 1000)
  return { first: rateOf(tenths[0]!), last: rateOf(tenths.at(-1)!), growth: most - before, manifest, live }
}

/** Median and slowest of look-ups, in ms. */
const lookUp = async (index: CaptureIndex) => {
  const times: number[] = []
  for (let n = 0; n < 2 * lookUps; n++) {
    const file = 1 + ((n * 31) % liveRuns)
    const key = lineAt(file, n % linesOfFile).split(' ')[0]!
    const begun = performance.now()
    let found = 0
    for await (const batch of index.scan({ from: Buffer.from(`${key} `), to: Buffer.from(`${key}!`) }))
      found += batch.length
    // The first round warms up.
    if (n >= lookUps) times.push(performance.now() - begun)
    expectSame(`lines of ${key}`, found, 1)
  }
  times.sort((a, b) => a - b)
  return { median: times[times.length >> 1]!, slowest: times.at(-1)! }
}

try {
  const { first, last, growth, manifest, live } = await takeAll()
  const index = openCaptureIndex(join(folder, 'many'), { maxInputs: 2 * liveRuns })
  for (let file = 1; file <= liveRuns; file++) await index.change([await publishing(index, file)])
  expectSame('live runs', (await index.runs()).length, liveRuns)
  const many = await lookUp(index)
  await index.mergeDue({ all: true })
  expectSame('live runs', (await index.runs()).length, 1)
  const one = await lookUp(index)
  await index.close()
  printTable(`${files.toLocaleString('en')} files of changes that wait`, [
    {
      what: 'taken, the last tenth',
      ours: last,
      beside: 'the first',
      theirs: first,
      unit: '/s',
      promise: 0.5,
    },
    {
      what: `look-ups beside ${liveRuns} runs`,
      ours: 1000 / many.median,
      beside: '2 ms',
      theirs: 500,
      unit: '/s',
      promise: 1,
    },
    {
      what: 'look-ups beside one run',
      ours: 1000 / one.median,
      beside: '2 ms',
      theirs: 500,
      unit: '/s',
      promise: 1,
    },
  ])
  console.log(
    `largest manifest ${(manifest / 1e6).toFixed(2)} MB, most runs ${live}, memory ${Math.round(growth / 1e6)} MB more; slowest look-up beside ${liveRuns} runs ${many.slowest.toFixed(1)} ms`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
