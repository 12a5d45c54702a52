import { cpSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolderSync, sync } from '@fonds/toolbox/disk'
import { InvalidVersion } from '../errors.ts'
import { versionNumber } from '../inventory.ts'
import { inventoryFile } from '../read-inventory.ts'
import type { SetAsideCopy } from '../types.ts'
import { exists, namesIn } from './disk.ts'
import { idIn } from './held.ts'
import type { Staging } from './staging.ts'
import type { ObjectPlace } from './write-version.ts'

/** Folder of the copies: beside the root, as a root has nothing but objects. */
export const asideOf = (root: string): string => `${root}.set-aside`

/**
 * Takes the versions behind `keep` out of an object, or all of it if `keep` is 0. Returns the folder of a
 * copy of the whole object; undefined if there are none. Throws `InvalidVersion`.
 */
export const setAside = async (
  { folders, folder, found }: ObjectPlace,
  keep: number,
  { root, staging }: { readonly root: string; readonly staging: Staging },
): Promise<string | undefined> => {
  const versions = Object.keys(found?.inventory.versions ?? {})
  const cut = versions.filter((name) => versionNumber(name) > keep)
  if (!found || cut.length === 0) return undefined
  const last = versions.find((name) => versionNumber(name) === keep)
  if (keep > 0 && (last === undefined || !exists(join(folder, last, inventoryFile))))
    throw new InvalidVersion(
      `storage has no inventory of version ${keep}, so it cannot go back to that version`,
    )
  // A copy that a killed process began is continued: the same object has the same name.
  const name = `${folders.at(-1)}-v${versionNumber(found.inventory.head)}-${found.digest.slice(0, 32)}`
  const copy = copyAside(folder, root, name)
  await staging.use((work) => staging.cutVersions(work, { folders, last, cut }))
  return copy
}

const unfinished = '.next'

/**
 * Copies of one object, whose folders begin with `name`, or of all. Leaves out folders that cannot be read as
 * an object.
 */
export const copiesAside = (root: string, object?: string, name = ''): readonly SetAsideCopy[] =>
  namesIn(asideOf(root))
    .filter((copy) => copy.startsWith(name) && !copy.endsWith(unfinished))
    .sort((one, other) => headOf(one) - headOf(other))
    .flatMap((copy) => {
      const folder = join(asideOf(root), copy)
      const held = idIn(folder)
      return held === undefined || (object !== undefined && held !== object) ? [] : [{ object: held, folder }]
    })

const headOf = (copy: string): number => Number(/-v(\d+)-[^-]*$/.exec(copy)?.[1] ?? 0)

/** Makes a copy, which is on disk as a whole or does not exist. */
const copyAside = (folder: string, root: string, name: string): string => {
  const aside = asideOf(root)
  const copy = join(aside, name)
  const next = copy + unfinished
  if (exists(copy)) return copy
  makeFolderSync(aside)
  try {
    rmSync(next, { recursive: true, force: true })
    cpSync(folder, next, { recursive: true, errorOnExist: true, force: false, preserveTimestamps: true })
    for (const entry of readdirSync(next, { recursive: true, withFileTypes: true }))
      sync(join(entry.parentPath, entry.name))
    sync(next)
    renameSync(next, copy)
  } catch (error) {
    rmSync(next, { recursive: true, force: true })
    throw error
  }
  sync(aside)
  sync(dirname(aside))
  return copy
}
