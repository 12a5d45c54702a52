import { mkdir, readdir, rename, rmdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { exists, isSystemError, sync } from './disk.ts'

/*
 * Under a storage root no folder may be empty, and no object half there. So whole trees are moved in, with the folders
 * above the object, and moved out with those that would be left empty. Others may do the same beside.
 */

const maxTries = 200

/** The place is taken by another object, or by something that is none. */
export class PlaceTaken extends Error {
  override readonly name = 'PlaceTaken'
}

/** Moves all that is in the folder `staged` to the same places below `root`; what is there already stays. */
export const moveIn = async (staged: string, root: string): Promise<void> => {
  for (let tries = 0; ; tries++)
    try {
      for (const name of await readdir(staged)) await merge(join(staged, name), join(root, name))
      return
    } catch (error) {
      // A folder on the way was moved out meanwhile, by who changes the only object in it: it comes back, or is made anew.
      if (!isSystemError(error, 'ENOENT') || tries === maxTries || !(await exists(staged))) throw error
      await setTimeout(5)
    }
}

const merge = async (from: string, to: string): Promise<void> => {
  try {
    await rename(from, to)
    await sync(dirname(to))
  } catch (error) {
    if (!isSystemError(error, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')) throw error
    const names = await readdir(from)
    if (names.some((name) => name.startsWith('0='))) throw new PlaceTaken(`${to} is there already`)
    for (const name of names) await merge(join(from, name), join(to, name))
  }
}

/**
 * Moves the object's folder out into `away`, with the folders above it that hold nothing else. Gives the folder that it
 * has there.
 */
export const moveOut = async (root: string, folders: readonly string[], away: string): Promise<string> => {
  const object = join(root, ...folders)
  for (let tries = 0; ; tries++) {
    const top = await lonelyTop(root, object)
    try {
      const there = join(away, relative(root, top))
      await mkdir(dirname(there), { recursive: true })
      await rename(top, there)
      await removeEmpty(root, dirname(top))
      return join(away, ...folders)
    } catch (error) {
      if (!isSystemError(error, 'ENOENT') || tries === maxTries) throw error
      await setTimeout(5)
    }
  }
}

/** The highest folder above the object in which nothing else stands. */
const lonelyTop = async (root: string, object: string): Promise<string> => {
  let top = object
  for (let above = dirname(top); above !== root; above = dirname(above)) {
    if ((await readdir(above)).length > 1) break
    top = above
  }
  return top
}

/** Two who move out the last two objects of a folder at once leave it empty. */
const removeEmpty = async (root: string, folder: string): Promise<void> => {
  try {
    for (let at = folder; at !== root; at = dirname(at)) await rmdir(at)
  } catch (error) {
    if (!isSystemError(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) throw error
  }
}
