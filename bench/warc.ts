import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { formatLine } from '@fonds/cdx'
import openRunWriter from '../infra/capture-index/run-writer.ts'
import { readArchive } from '../src/workers/indexing/captures/read-archive.ts'
import { expectSame, interleaved, type Line, median, medianRatio, printTable } from './table.ts'
import { inflateByHandle, inflateSync } from './warc-inflate.ts'
import { findPeers, secondsOf } from './warc-peers.ts'
import { makeLargeRecord, makeRecords, makeSmallRecords } from './warc-records.ts'

/*
 * WARC files to a run of sorted CDX lines, as a thread of the indexer makes it, on one core: beside the bare inflate of each gzip
 * member with its CRC, by Node's own call and by one zlib handle for all; and beside other programs, where they are installed. Times
 * are of the processor. Records are pages of 6.8 KB at the mean, half of that when packed; then of 1 KB, where the work for each record is
 * most of all. Last, the memory of a process that reads a large record. The cores that threads use are in `bench/warc-threads.ts`.
 * `node bench/warc.ts [records, default 30000] [rounds, default 7] [GiB of the large record, default 4]`
 */

const count = Number(process.argv[2] ?? 30_000)
const rounds = Number(process.argv[3] ?? 7)
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

/** A run of sorted lines, on disk. */
const index = async (file: string): Promise<void> => {
  const runs = path('runs')
  const writer = openRunWriter(runs)
  let lines = 0
  await readArchive(
    file,
    { name: 'bench.warc.gz', kind: 'content' },
    {
      add: (capture) => writer.add(formatLine('cdx-11', capture)),
      keep: () => {
        lines = writer.end().lines
      },
      discard: writer.discard,
    },
  )
  expectSame('lines', lines, count)
  rmSync(runs, { recursive: true })
}

/** The captures alone: neither keys nor lines. */
const readCaptures = async (file: string): Promise<void> => {
  let captures = 0
  await readArchive(
    file,
    { name: 'bench.warc.gz', kind: 'content' },
    { add: () => void captures++, keep: () => {}, discard: () => {} },
  )
  expectSame('captures', captures, count)
}

/** Of records in members: beside the bare inflate. */
const besideInflate = async (what: string, records: readonly Buffer[], file: string): Promise<Line[]> => {
  const packed = Buffer.concat(records.map((record) => gzipSync(record)))
  writeFileSync(file, packed)
  const measure = () =>
    interleaved(
      rounds,
      () => perSecond(packed.length, () => index(file)),
      () => perSecond(packed.length, () => readCaptures(file)),
      () => perSecond(packed.length, () => expectSame('members', inflateByHandle(packed), count)),
      () => perSecond(packed.length, () => expectSame('members', inflateSync(packed), count)),
    )
  // Once for the compiler, as a worker that runs for days has it.
  await measure()
  const [ours = [], captures = [], handle = [], call = []] = await measure()
  const line = (what: string, mine: readonly number[], beside: string, theirs: readonly number[]): Line => ({
    what,
    ours: median(mine),
    beside,
    theirs: median(theirs),
    ratio: medianRatio(mine, theirs),
    unit: 'MB/s',
  })
  return [
    line(`${what}, no lines`, captures, 'one zlib handle and CRC', handle),
    { ...line(what, ours, 'inflateRawSync and CRC', call), promise: 0.85 },
    { ...line(what, ours, 'one zlib handle and CRC', handle), promise: 0.85 },
  ]
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

try {
  const records = makeRecords(count)
  const [gz, plain] = [path('packed.warc.gz'), path('plain.warc')]
  const lines = await besideInflate('gz, 6.8 KB a record', records, gz)
  // Not promised: here the work for each record is most of all.
  for (const { promise: _, ...line } of await besideInflate(
    'gz, 1 KB a record',
    makeSmallRecords(count),
    path('small.warc.gz'),
  ))
    lines.push(line)

  const bytes = records.reduce((sum, { length }) => sum + length, 0)
  writeFileSync(plain, Buffer.concat(records))
  const [bare = []] = await interleaved(rounds, () => perSecond(bytes, () => index(plain)))
  lines.push({
    what: 'plain, 6.8 KB a record',
    ours: median(bare),
    beside: 'what is promised',
    theirs: 400,
    unit: 'MB/s',
    promise: 1,
  })

  const packedBytes = statSync(gz).size
  for (const peer of findPeers(folder)) {
    const [ours = [], theirs = []] = await interleaved(
      Math.min(rounds, 3),
      () => perSecond(packedBytes, () => index(gz)),
      async () => {
        const done = secondsOf(peer, gz, path('peer.lines'))
        expectSame(`lines of ${peer.name}`, done.lines, count)
        return packedBytes / MB / done.seconds
      },
    )
    lines.push({
      what: 'gz, 6.8 KB a record',
      ours: median(ours),
      beside: peer.name,
      theirs: median(theirs),
      ratio: medianRatio(ours, theirs),
      unit: 'MB/s',
      ...(peer.name.startsWith('warcio.js') && { promise: 2.5 }),
    })
  }
  printTable('WARC to sorted lines', lines)

  writeFileSync(path('empty.warc'), '')
  await makeLargeRecord(path('large.warc.gz'), gib)
  const [small, large] = [peakOf(path('empty.warc')), peakOf(path('large.warc.gz'))]
  console.log(
    `peak memory: ${Math.round(large / MB)} MB at a record of ${gib} GiB, ${Math.round(small / MB)} MB at an empty file`,
  )
  if (large > 200 * MB || large - small > 40 * MB) throw new Error('memory grows with the record')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
