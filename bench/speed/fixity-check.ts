import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Bag, expectDigested, expectRecorded, hasBagit, makeBag, validateCommand } from '../bag.ts'
import { openHome } from '../system.ts'
import { expectSame } from '../table.ts'
import { fonds, run } from './commands.ts'
import type { Measure, Round } from './measured.ts'

interface Checked {
  readonly bag: Bag
  readonly home: string
}

/** A bag that is recorded in a home, and was checked once by each: what a first check fills is not measured. */
const prepare = async ({ folder, ours }: Round, files: number, bytes: number): Promise<Checked> => {
  if (!hasBagit()) throw new Error('bagit.py cannot be run; pip install bagit==1.9.0, and set FONDS_BAGIT')
  const [name, home] = [`bag-of-${files}`, join(folder, `home-of-${files}`)]
  const bag = await makeBag(
    folder,
    name,
    Array.from({ length: files }, () => bytes),
  )
  mkdirSync(home)
  await fonds(ours, home, 'fixity', 'add', bag.root)
  await fonds(ours, home, 'fixity', 'check')
  expectDigested(bag)
  return { bag, home }
}

/** `fonds fixity check` of a bag, every verdict recorded, beside bagit.py with two processes, which records none; by the clock. */
export const fixityCheck = (files: number, bytes: number): Measure => {
  let prepared: Promise<Checked> | undefined
  let checks = 1
  return async (round) => {
    prepared ??= prepare(round, files, bytes)
    const { bag, home } = await prepared
    const ours = await fonds(round.ours, home, 'fixity', 'check')
    const theirs = await run(validateCommand(bag.root, '--quiet'))
    checks++
    expectSame('files verified', JSON.parse(ours.output).verified, files)
    const system = await openHome(home)
    expectRecorded(system, bag, checks)
    await system.close()
    const did = `${files.toLocaleString('en')} files digested`
    return { ours: { cost: ours.seconds, did }, theirs: { cost: theirs.seconds, did } }
  }
}
