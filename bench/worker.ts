import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addFolder } from '../src/cli/fixity/add.ts'
import { checkNow } from '../src/cli/fixity/check.ts'
import { bareLoop, type Contender, MiB, makeSample, mix, sha256sum } from './digest-peers.ts'
import { benchSystem } from './system.ts'
import { expectSame, printTable, rate } from './table.ts'

/*
 * A whole check (claims, reading, reports, decisions, views) of files in mixed sizes, beside a bare loop that only
 * digests them and beside sha256sum. `node bench/worker.ts [GiB, default 5]`
 */

const gib = Number(process.argv[2] ?? 5)
const share = (part: number, size: number) =>
  Array.from({ length: Math.ceil((gib * 1024 * MiB * part) / size) }, () => size)
const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-worker-'))
const { system, dispose } = await benchSystem()
try {
  const sizes = mix(
    [...share(0.05, 100_000), ...share(0.2, 2 * MiB)],
    [...share(0.35, 64 * MiB), ...share(0.4, 512 * MiB)],
  )
  const sample = await makeSample(folder, 'mixed', sizes)
  const signal = new AbortController().signal
  await addFolder(system, sample.root, { actor: 'bench' }, () => {}, signal)
  const mib = sample.bytes / MiB
  const before = process.memoryUsage().rss
  const ours = await rate(mib, async () => {
    const { verified } = await checkNow(system, {}, { actor: 'bench', wait: false, signal }, () => {})
    if (verified !== sample.files.length) throw new Error(`${verified} of ${sample.files.length} verified`)
  })
  const grown = (process.memoryUsage().rss - before) / MiB
  const digests: string[] = []
  const digested = ({ run }: Contender) =>
    rate(mib, async () => {
      digests.push((await run(sample)).join())
    })
  const loop = await digested(bareLoop)
  const sums = await digested(sha256sum)
  const recorded = system.viewStore.query('fixity-items', {})
  expectSame(
    'files recorded',
    recorded
      .map(({ path, checksums }) => `${path} ${(checksums as readonly { value: string }[])[0]!.value}`)
      .sort()
      .join('\n'),
    sample.files
      .map((path, i) => `${path} ${digests[0]!.split(',')[i]}`)
      .sort()
      .join('\n'),
  )
  expectSame('digests of sha256sum', digests[1], digests[0])
  printTable(`fixity check (${sample.files.length} files, ${Math.round(mib)} MiB)`, [
    {
      what: 'whole check, 2 threads',
      ours,
      beside: 'bare node:crypto stream loop',
      theirs: loop,
      unit: 'MiB/s',
      promise: 0.9,
    },
    { what: 'whole check, 2 threads', ours, beside: 'sha256sum', theirs: sums, unit: 'MiB/s', promise: 1 },
  ])
  console.log(`resident memory grew by ${Math.round(grown)} MiB during the check`)
} finally {
  await dispose()
  rmSync(folder, { recursive: true, force: true })
}
