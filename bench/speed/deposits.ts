import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeSample, type Sample } from '../digest-peers.ts'
import { expectSame } from '../table.ts'
import type { Checkout } from './checkouts.ts'
import { type Ended, fonds, run } from './commands.ts'
import { besideBase, type Measure, type Round, type Side } from './measured.ts'

const count = 10_000
const bytes = 4096

let made: Promise<Sample> | undefined
const sampleIn = ({ folder }: Round): Promise<Sample> => {
  made ??= makeSample(
    folder,
    'deposit',
    Array.from({ length: count }, () => bytes),
  )
  return made
}

/** Into a folder that is made for it and removed afterwards; `did` counts the files of the deposit that came there. */
const into = async (
  { folder }: Round,
  { files }: Sample,
  deposit: (to: string) => Promise<{ readonly ended: Ended; readonly root: string }>,
): Promise<Side> => {
  const to = mkdtempSync(join(folder, 'to-'))
  const { ended, root } = await deposit(to)
  const wanted = new Set(files)
  const found = readdirSync(root, { recursive: true, withFileTypes: true })
  const stored = found.filter((one) => one.isFile() && wanted.has(one.name)).length
  rmSync(to, { recursive: true, maxRetries: 10 })
  return { cost: ended.seconds, did: `${stored.toLocaleString('en')} files stored` }
}

/** Submitted and stored by one command, an object a file; by the clock, as the disk is what is waited for. */
const submitted = async (checkout: Checkout, round: Round): Promise<Side> => {
  const sample = await sampleIn(round)
  return into(round, sample, async (home) => {
    const ended = await fonds(checkout, home, 'ingest', 'submit', sample.root, '--each-file', '--wait')
    const batch = JSON.parse(ended.output.trimEnd().split('\n').at(-1)!)
    expectSame('jobs completed', batch.completed, count)
    return { ended, root: join(home, 'storage') }
  })
}

export const deposits: Measure = besideBase((checkout, round) =>
  round.once(`deposits of ${checkout.name}`, () => submitted(checkout, round)),
)

/** The same files to a folder, which records nothing of them. */
export const depositsBesideRclone: Measure = async (round) => {
  const sample = await sampleIn(round)
  const ours = await round.once(`deposits of ${round.ours.name}`, () => submitted(round.ours, round))
  const theirs = await into(round, sample, async (to) => {
    mkdirSync(join(to, 'copy'))
    return { ended: await run(['rclone', 'copy', sample.root, join(to, 'copy')]), root: join(to, 'copy') }
  })
  return { ours, theirs }
}
