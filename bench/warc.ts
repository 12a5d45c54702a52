import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { formatLine } from '../src/domain/indexing/cdx/format-line.ts'
import { readArchive } from '../src/workers/indexing/reader/read-archive.ts'
import { expectSame, type Line, medians, printTable } from './table.ts'
import { inflateByHandle, inflateSync } from './warc-inflate.ts'
import { makeLargeRecord, makeRecords } from './warc-records.ts'

/*
 * WARC files to sorted CDX lines, on one core: beside the bare inflate of each gzip member with its CRC, by Node's own call and by
 * one zlib handle for all; and beside warcio.js where npm has it. Times are of the processor. Then the memory of a process that reads
 * a large record. `node bench/warc.ts [records, default 30000] [rounds, default 5] [GiB of the large record, default 4]`
 */

const count = Number(process.argv[2] ?? 30_000)
const rounds = Number(process.argv[3] ?? 5)
const gib = Number(process.argv[4] ?? 4)
if (!(count >= 1) || !(rounds >= 1) || !(gib > 0))
  throw new Error('usage: node bench/warc.ts [records] [rounds] [GiB], all above 0')

const MB = 1e6
const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-warc-'))
const path = (name: string) => join(folder, name)

/** MB of the file in a second of the processor. */
const perSecond = async (bytes: number, work: () => unknown): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return bytes / MB / ((user + system) / 1e6)
}

/** Sorted lines. */
const index = async (file: string, expected: number): Promise<void> => {
  const lines: Buffer[] = []
  await readArchive(
    file,
    { name: 'bench.warc.gz', kind: 'content' },
    {
      add: (capture) => void lines.push(Buffer.from(formatLine('cdx-11', capture))),
      keep: () => void lines.sort(Buffer.compare),
      discard: () => void lines.splice(0),
    },
  )
  expectSame('lines', lines.length, expected)
}

/** The captures alone: neither keys nor lines. */
const readCaptures = async (file: string, expected: number): Promise<void> => {
  let captures = 0
  await readArchive(
    file,
    { name: 'bench.warc.gz', kind: 'content' },
    { add: () => void captures++, keep: () => {}, discard: () => {} },
  )
  expectSame('captures', captures, expected)
}

/** Peak resident bytes of a process that indexes a file. */
const peakOf = (file: string): number => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'warc-memory.ts'), file],
    {
      encoding: 'utf8',
    },
  )
  if (!/^\d+\n$/.test(stdout)) throw new Error(stderr || stdout)
  return Number(stdout)
}

/** Undefined where npm cannot give it. */
const installWarcio = (): string | undefined => {
  const args = ['install', '--silent', '--no-save', '--prefix', folder, 'warcio@2.4.11']
  if (spawnSync('npm', args, { stdio: 'ignore' }).status === 0) return path('node_modules/warcio/dist/cli.js')
  console.log('!!! SKIPPED warcio.js: npm could not install warcio@2.4.11')
  return undefined
}

/** MB of the file in a second by the clock, with the start of its program, which is little beside a large file. */
const byWarcio = (program: string, file: string, bytes: number): number => {
  const start = performance.now()
  const { stdout } = spawnSync(process.execPath, [program, 'cdx-index', '--format', 'cdx', file], {
    encoding: 'latin1',
    maxBuffer: 2 ** 30,
  })
  expectSame('lines of warcio.js', stdout.split('\n').filter(Boolean).length, count)
  return bytes / MB / ((performance.now() - start) / 1000)
}

try {
  const records = makeRecords(count)
  const packed = Buffer.concat(records.map((record) => gzipSync(record)))
  writeFileSync(path('packed.warc.gz'), packed)
  const plain = Buffer.concat(records)
  writeFileSync(path('plain.warc'), plain)

  const [ours = 0, captures = 0, handle = 0, call = 0, bare = 0] = await medians(
    rounds,
    () => perSecond(packed.length, () => index(path('packed.warc.gz'), count)),
    () => perSecond(packed.length, () => readCaptures(path('packed.warc.gz'), count)),
    () => perSecond(packed.length, () => expectSame('members', inflateByHandle(packed), count)),
    () => perSecond(packed.length, () => expectSame('members', inflateSync(packed), count)),
    () => perSecond(plain.length, () => index(path('plain.warc'), count)),
  )
  const lines: Line[] = [
    { what: 'gz, no lines', ours: captures, beside: 'one zlib handle and CRC', theirs: handle, unit: 'MB/s' },
    { what: 'gz', ours, beside: 'inflateRawSync and CRC', theirs: call, unit: 'MB/s', promise: 0.85 },
    { what: 'gz', ours, beside: 'one zlib handle and CRC', theirs: handle, unit: 'MB/s', promise: 0.85 },
    {
      what: 'plain, 6.8 KB a record',
      ours: bare,
      beside: 'what is promised',
      theirs: 400,
      unit: 'MB/s',
      promise: 1,
    },
  ]
  const warcio = installWarcio()
  if (warcio) {
    const [theirs = 0] = await medians(Math.min(rounds, 3), async () =>
      byWarcio(warcio, path('packed.warc.gz'), packed.length),
    )
    lines.push({ what: 'gz', ours, beside: 'warcio.js cdx-index', theirs, unit: 'MB/s', promise: 2.5 })
  }
  printTable('WARC to sorted lines', lines)

  writeFileSync(path('small.warc'), makeRecords(1)[0] ?? '')
  await makeLargeRecord(path('large.warc.gz'), gib)
  const [small, large] = [peakOf(path('small.warc')), peakOf(path('large.warc.gz'))]
  console.log(
    `peak memory: ${Math.round(large / MB)} MB at a record of ${gib} GiB, ${Math.round(small / MB)} MB at one of 6.8 KB`,
  )
  if (large > 200 * MB || large - small > 40 * MB) throw new Error('memory grows with the record')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
