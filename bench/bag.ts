import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { System } from '../src/app/system.ts'
import { bitLog } from '../src/domain/fixity/views.ts'
import { rows } from '../src/domain/kernel/read-views.ts'
import { MiB, makeSample, type Sample, sha256sum } from './digest-peers.ts'
import { expectSame } from './table.ts'

/* Bags to check, and bagit.py of PyPI's bagit 1.9.0, which checks them too: where FONDS_BAGIT says, or on the PATH. */

const bagit = process.env.FONDS_BAGIT ?? 'bagit.py'

export const hasBagit = (): boolean => spawnSync(bagit, ['--version']).status === 0

/** bagit.py checks a bag with two processes. Unless it is quiet it names each file on its standard error. */
export const validateCommand = (root: string, ...options: readonly string[]): readonly string[] => [
  bagit,
  ...options,
  '--validate',
  '--processes',
  '2',
  root,
]

export interface Bag extends Sample {
  /** SHA-256 of its files, in their order, as sha256sum found them. */
  readonly digests: readonly string[]
}

export const makeBag = async (parent: string, name: string, sizes: readonly number[]): Promise<Bag> => {
  const root = join(parent, name)
  mkdirSync(root)
  const sample = await makeSample(root, 'data', sizes)
  const digests = await sha256sum.run(sample)
  const lines = sample.files.map((path, i) => `${digests[i]}  data/${path}\n`)
  writeFileSync(join(root, 'manifest-sha256.txt'), lines.join(''))
  writeFileSync(join(root, 'bagit.txt'), 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n')
  return { ...sample, root, digests }
}

/** Each check has recorded of each file the digest that sha256sum found. */
export const expectRecorded = ({ viewStore }: System, { files, digests }: Bag, checks: number): void => {
  const found = new Map<string, number>()
  for (const { path, result, found: digest } of rows(viewStore, bitLog)) {
    const row = `${path} ${result} ${digest}`
    found.set(row, (found.get(row) ?? 0) + 1)
  }
  const whole = files.filter((path, i) => found.get(`data/${path} SUCCESS sha-256:${digests[i]}`) === checks)
  expectSame(`files with a row of the bit log for each of ${checks} checks`, whole.length, files.length)
}

/** bagit.py has digested each file: it names them unless it is quiet. */
export const expectDigested = ({ root, files }: Bag): void => {
  const [command, ...args] = validateCommand(root)
  const { status, stderr } = spawnSync(command!, args, { encoding: 'utf8', maxBuffer: 100 * MiB })
  if (status !== 0) throw new Error(`bagit: ${stderr}`)
  const named = stderr.match(/Verifying checksum for file .*\/data\//g)
  expectSame('files that bagit digested', named?.length, files.length)
}
