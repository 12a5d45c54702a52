import './as-fonds.ts'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { addFolder } from '../src/cli/fixity/add.ts'
import { checkNow } from '../src/cli/fixity/check.ts'
import { expectDigested, expectRecorded, hasBagit, makeBag, validateCommand } from './bag.ts'
import { MiB, sha256sum } from './digest-peers.ts'
import { benchSystem } from './system.ts'
import { expectSame, interleaved, median, medianRatio, printTable, rate } from './table.ts'

/*
 * A whole check (claims, reading, reports, decisions, views) of many small files, and of large ones, each as a bag: beside bagit.py with
 * two processes and sha256sum, round by round. `node bench/fixity-files.ts [small files, default 10000] [large files, default 30]`.
 * Without bagit.py its column is missing.
 */

const isCompared = hasBagit()
if (!isCompared)
  console.log('NOT COMPARED WITH BAGIT: it cannot be run; pip install bagit==1.9.0, and set FONDS_BAGIT')

const [small = 10_000, large = 30] = process.argv.slice(2).map(Number)
const rounds = 3
const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-files-'))

/** Of the log and the topics, with what SQLite has not yet moved into the file. */
const logBytes = (home: string): number => {
  const db = new DatabaseSync(join(home, 'fonds.db'), { readOnly: true })
  const of = (pragma: string) => Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0])
  const bytes = of('page_count') * of('page_size')
  db.close()
  return bytes
}

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
const heapBytes = (): number => {
  collect()
  return process.memoryUsage().heapUsed
}

/** Most bytes by which the heap may grow in a check, however many files it has. */
const maxGrowth = 2 * MiB
const moreChecks = 3

/** Six checks have been made by its end: what is kept of each would be seen. */
const expectFlat = async (check: () => Promise<unknown>): Promise<void> => {
  const before = heapBytes()
  for (let i = 0; i < moreChecks; i++) await check()
  const grown = (heapBytes() - before) / moreChecks
  const mib = (bytes: number) => (bytes / MiB).toFixed(1)
  console.log(
    `heap: ${mib(before)} MiB, ${mib(grown)} more with each of ${moreChecks} checks (promised: less than ` +
      `${mib(maxGrowth)}); resident: ${mib(process.memoryUsage().rss)}`,
  )
  if (grown > maxGrowth) throw new Error('a check keeps something in memory')
}

/** `promise`: of bagit's rate at least; we keep evidence, decisions and views of each file, it keeps nothing. */
const compare = async (
  what: string,
  sizes: readonly number[],
  unit: string,
  units: number,
  promise: number,
) => {
  const bag = await makeBag(folder, what.replaceAll(' ', '-'), sizes)
  const { system, home, dispose } = await benchSystem()
  const signal = new AbortController().signal
  const payload = { ...bag, root: join(bag.root, 'data') }
  try {
    await addFolder(system, bag.root, { actor: 'bench' }, () => {}, signal)
    let checks = 0
    const ours = () =>
      rate(units, async () => {
        const { verified } = await checkNow(system, {}, { actor: 'bench', wait: false, signal }, () => {})
        expectSame('files verified', verified, sizes.length)
        checks++
      })
    const theirs = () =>
      rate(units, () => {
        if (!isCompared) return
        const [command, ...args] = validateCommand(bag.root, '--quiet')
        const { status, stderr } = spawnSync(command!, args)
        if (status !== 0) throw new Error(`bagit: ${stderr}`)
      })
    const sums = () => rate(units, () => sha256sum.run(payload))
    // The first check fills caches.
    await ours()
    if (isCompared) expectDigested(bag)
    const before = logBytes(home)
    const [mine = [], bagits = [], sum = []] = await interleaved(rounds, ours, theirs, sums)
    printTable(what, [
      ...(isCompared
        ? [
            {
              what: 'fixity check',
              ours: median(mine),
              beside: 'bagit, 2 processes',
              theirs: median(bagits),
              ratio: medianRatio(mine, bagits),
              unit,
              promise,
            },
          ]
        : []),
      { what: 'fixity check', ours: median(mine), beside: 'sha256sum', theirs: median(sum), unit },
    ])
    expectRecorded(system, bag, checks)
    const perCheck = (logBytes(home) - before) / rounds / sizes.length
    console.log(
      `log and topics: ${Math.round(perCheck)} bytes a check; rounds: ${mine.map(Math.round).join(', ')} ${unit}`,
    )
    await expectFlat(ours)
  } finally {
    await dispose()
  }
}

try {
  const some = (count: number, size: number) => Array.from({ length: count }, () => size)
  await compare(`${small} files of 4 KiB`, some(small, 4096), 'files/s', small, 0.5)
  await compare(`${large} files of 100 MiB`, some(large, 100 * MiB), 'MiB/s', large * 100, 0.9)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
