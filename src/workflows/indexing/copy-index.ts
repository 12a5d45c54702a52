import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import { makeFolder } from '@fonds/toolbox/disk'
import { UnavailableError } from '../../async/unavailable.ts'
import { type CopyTools, copyFolder } from '../copy-files.ts'

const maxRounds = 20

/**
 * Copies the folder of the index of captures. What waits to be taken over comes first: taken over meanwhile, it is in both,
 * which has no effect. Runs never change: the manifest, which names them, is that of before they were copied.
 */
export const copyIndex = async (from: string, to: string, tools: CopyTools): Promise<void> => {
  await copyFolder(join(from, 'incoming'), join(to, 'incoming'), tools)
  await copyRuns(join(from, 'runs'), join(to, 'runs'), tools)
  await copyFolder(from, to, tools, (name) => name !== 'incoming' && name !== 'runs')
}

const copyRuns = async (from: string, to: string, tools: CopyTools): Promise<void> => {
  for (let round = 0; round < maxRounds; round++) {
    const manifest = await manifestIn(from)
    await copyFolder(from, to, tools, (name) => !/^(manifest|t-)/.test(name) && !name.endsWith('.lock'))
    if (manifest === undefined) return
    // Runs of before are kept for a while; where one went all the same, there is a newer manifest.
    if (!runsIn(manifest).every((name) => existsSync(join(to, `${name}.cdx`)))) continue
    await makeFolder(to)
    await writeFile(join(to, 'manifest'), manifest, { flush: true })
    return
  }
  throw new UnavailableError(`cannot copy the runs in ${from}: they keep changing`)
}

const manifestIn = async (folder: string): Promise<string | undefined> => {
  try {
    return await readFile(join(folder, 'manifest'), 'utf8')
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined
    throw error
  }
}

interface Runs {
  readonly live?: readonly { readonly name: string }[]
  readonly removed?: readonly { readonly name: string }[]
}

/** Behind its first line it is JSON. */
const runsIn = (manifest: string): readonly string[] => {
  const { live = [], removed = [] } = JSON.parse(manifest.slice(manifest.indexOf('\n') + 1)) as Runs
  return [...live, ...removed].map(({ name }) => name)
}
