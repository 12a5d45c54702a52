import { copyFile, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import { makeFolder, syncAll } from '@fonds/toolbox/disk'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { UnavailableError } from '../../src/async/unavailable.ts'
import { PositionText } from '../../src/domain/kernel/event-place.ts'
import type { RetiredKey } from '../../src/ports/proof-log.ts'
import { fileOf } from './keys.ts'

/*
 * Keys that take the place of others: `next/` has those to come, `last/` the private ones that were replaced last, which sign beside
 * the new ones for some time, and `retired.json` the public ones that were ever replaced.
 */

export const nextFolder = (keyFolder: string): string => join(keyFolder, 'next')
export const lastFolder = (keyFolder: string): string => join(keyFolder, 'last')
const retiredFile = (keyFolder: string): string => join(keyFolder, 'retired.json')

const Retired = t.array(t.type({ key: t.string, until: PositionText, at: t.string }))

export const retiredKeys = async (keyFolder: string): Promise<readonly RetiredKey[]> => {
  const file = retiredFile(keyFolder)
  try {
    const read = Retired.decode(JSON.parse(await readFile(file, 'utf8')))
    if (isLeft(read)) throw new SyntaxError('it is not of its form')
    return read.right.map((one) => ({ ...one, until: BigInt(one.until) }))
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return []
    if (error instanceof SyntaxError) throw new UnavailableError(`${file} is damaged: put back a copy of it`)
    throw error
  }
}

/** The Ed25519 key moves last: as long as it is in `next/`, this is to be done. */
export const useNextKeys = async (keyFolder: string, retired: readonly RetiredKey[]): Promise<void> => {
  const before = (await retiredKeys(keyFolder)).filter(({ key }) => !retired.some((one) => one.key === key))
  const all = [...before, ...retired].map((one) => ({ ...one, until: String(one.until) }))
  const file = retiredFile(keyFolder)
  await writeFile(`${file}.new`, `${JSON.stringify(all)}\n`, { flush: true, mode: 0o600 })
  await rename(`${file}.new`, file)
  await makeFolder(lastFolder(keyFolder), 0o700)
  for (const name of [fileOf.mlDsa44, fileOf.ed25519]) {
    const next = join(nextFolder(keyFolder), name)
    if (!(await isThere(next))) continue
    const current = join(keyFolder, name)
    if (await isThere(current)) await copyFile(current, join(lastFolder(keyFolder), name))
    await syncAll([lastFolder(keyFolder)])
    await rename(next, current)
  }
  await syncAll([keyFolder, nextFolder(keyFolder)])
}

const isThere = async (file: string): Promise<boolean> => {
  try {
    await readFile(file)
    return true
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return false
    throw error
  }
}
