import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addFolder } from '../src/cli/fixity/add.ts'
import { checkNow } from '../src/cli/fixity/check.ts'
import { MiB, makeSample, type Sample, sha256sum } from './digest-peers.ts'
import { benchSystem } from './system.ts'
import { expectSame, interleaved, median, medianRatio, printTable, rate } from './table.ts'

/*
 * A whole check (claims, reading, reports, decisions, views) of many small files, and of large ones, each as a bag: beside bagit.py with
 * two processes and sha256sum, round by round. `node bench/fixity-files.ts [small files, default 10000] [large files, default 10]`.
 * FONDS_BAGIT is bagit.py of PyPI's bagit 1.9.0; without it that column is missing.
 */

const bagit = process.env.FONDS_BAGIT ?? 'bagit.py'
const hasBagit = spawnSync(bagit, ['--version']).status === 0
if (!hasBagit)
  console.log(
    `NOT COMPARED WITH BAGIT: ${bagit} cannot be run; pip install bagit==1.9.0, and set FONDS_BAGIT`,
  )

const [small = 10_000, large = 10] = process.argv.slice(2).map(Number)
const rounds = 3
const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-files-'))

const makeBag = async (name: string, sizes: readonly number[]): Promise<Sample> => {
  const root = join(folder, name)
  mkdirSync(root)
  const sample = await makeSample(root, 'data', sizes)
  const digests = await sha256sum.run(sample)
  const lines = sample.files.map((path, i) => `${digests[i]}  data/${path}\n`)
  writeFileSync(join(root, 'manifest-sha256.txt'), lines.join(''))
  writeFileSync(join(root, 'bagit.txt'), 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n')
  return { ...sample, root }
}

const compare = async (what: string, sizes: readonly number[], unit: string, units: number) => {
  const bag = await makeBag(what.replaceAll(' ', '-'), sizes)
  const { system, home, dispose } = await benchSystem()
  const signal = new AbortController().signal
  const payload = { ...bag, root: join(bag.root, 'data') }
  try {
    await addFolder(system, bag.root, { actor: 'bench' }, () => {}, signal)
    const logBytes = () => statSync(join(home, 'fonds.db')).size
    const before = logBytes()
    const rss = process.memoryUsage().rss
    const ours = () =>
      rate(units, async () => {
        const { verified } = await checkNow(system, {}, { actor: 'bench', wait: false, signal }, () => {})
        expectSame('files verified', verified, sizes.length)
      })
    const theirs = () =>
      rate(units, () => {
        if (!hasBagit) return
        const { status, stderr } = spawnSync(bagit, ['--quiet', '--validate', '--processes', '2', bag.root])
        if (status !== 0) throw new Error(`bagit: ${stderr}`)
      })
    const sums = () => rate(units, () => sha256sum.run(payload))
    const [mine = [], bagits = [], sum = []] = await interleaved(rounds, ours, theirs, sums)
    printTable(what, [
      ...(hasBagit
        ? [
            {
              what: 'fixity check',
              ours: median(mine),
              beside: 'bagit, 2 processes',
              theirs: median(bagits),
              ratio: medianRatio(mine, bagits),
              unit,
              promise: 1,
            },
          ]
        : []),
      { what: 'fixity check', ours: median(mine), beside: 'sha256sum', theirs: median(sum), unit },
    ])
    const perCheck = (logBytes() - before) / rounds / sizes.length
    console.log(
      `log and topics: ${Math.round(perCheck)} bytes a check; resident memory grew by ` +
        `${Math.round((process.memoryUsage().rss - rss) / MiB)} MiB; rounds: ${mine.map(Math.round).join(', ')} ${unit}`,
    )
  } finally {
    await dispose()
  }
}

try {
  const some = (count: number, size: number) => Array.from({ length: count }, () => size)
  await compare(`${small} files of 4 KiB`, some(small, 4096), 'files/s', small)
  await compare(`${large} files of 100 MiB`, some(large, 100 * MiB), 'MiB/s', large * 100)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
