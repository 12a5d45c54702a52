import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import { UnavailableError } from '../../async/unavailable.ts'
import { type CopyTools, copyFolder, copyOne, entriesOf } from '../copy-files.ts'

/** Versions that come while an object is copied make it be copied again, so often. */
const maxRounds = 20

/** Where the object store of ingest writes before a version is moved to its place. */
const staging = 'fonds-staging'

/** Copies an OCFL storage root, each object as it was at one moment. */
export const copyObjects = async (from: string, to: string, tools: CopyTools): Promise<void> => {
  const entries = await entriesOf(from)
  if (entries.some(({ name }) => name.startsWith('0=ocfl_object_'))) return copyObject(from, to, tools)
  for (const entry of entries) {
    tools.signal.throwIfAborted()
    if (entry.name === staging) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyObjects(source, target, tools)
    else if (entry.isFile()) await copyOne(source, target, tools)
  }
}

/** The files of a version never change; the inventory and its digest are replaced when a version is added. */
const copyObject = async (from: string, to: string, tools: CopyTools): Promise<void> => {
  for (let round = 0; round < maxRounds; round++) {
    const before = await changing(from)
    const versions = versionsIn(before.inventory)
    // A version that the inventory does not list yet is not part of the object.
    await copyFolder(from, to, tools, (name) => !isVersion(name) || versions.has(name))
    for (const name of Object.keys(before.digests))
      await copyOne(join(from, name), join(to, name), { onBytes: () => {} }, true)
    await copyOne(join(from, inventoryName), join(to, inventoryName), { onBytes: () => {} }, true)
    if (isSame(before, await changing(from))) return
  }
  throw new UnavailableError(`cannot copy ${from}: it keeps changing`)
}

const inventoryName = 'inventory.json'
const isVersion = (name: string): boolean => /^v\d+$/.test(name)

interface Changing {
  readonly inventory: string
  /** By name of the file. */
  readonly digests: Readonly<Record<string, string>>
}

const changing = async (folder: string): Promise<Changing> => {
  const names = (await entriesOf(folder))
    .map(({ name }) => name)
    .filter((name) => name.startsWith(`${inventoryName}.`))
  const digests = await Promise.all(
    names.map(async (name) => [name, await textIn(join(folder, name))] as const),
  )
  return { inventory: await textIn(join(folder, inventoryName)), digests: Object.fromEntries(digests) }
}

const isSame = (one: Changing, other: Changing): boolean => JSON.stringify(one) === JSON.stringify(other)

const versionsIn = (inventory: string): ReadonlySet<string> => {
  const parsed: unknown = inventory === '' ? {} : JSON.parse(inventory)
  const { versions = {} } = parsed as { readonly versions?: object }
  return new Set(Object.keys(versions))
}

const textIn = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return ''
    throw error
  }
}
