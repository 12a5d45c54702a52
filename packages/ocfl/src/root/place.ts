import { readdirSync, renameSync, rmdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isSystemError } from '@fonds/toolbox'
import { makeFolderSync, sync, syncAll } from '@fonds/toolbox/disk'
import { PlaceTaken } from '../errors.ts'
import { exists } from './disk.ts'

/*
 * A storage root must not have empty folders or incomplete objects. So whole trees are moved in, with the
 * folders above the object, and moved out with those that would be left empty. Other processes may do the
 * same at the same time.
 */

const maxTries = 200
const pauseMillis = 5

/** Number of folders above an object that exist: these need not be made to be moved in. */
export const countThere = (root: string, folders: readonly string[]): number => {
  let count = 0
  while (count < folders.length - 1 && exists(join(root, ...folders.slice(0, count + 1)))) count++
  return count
}

/** Moves a tree, made in `staged` without folders that existed, to its place: at once if they still do. */
export const moveBelow = async (
  root: string,
  folders: readonly string[],
  there: number,
  staged: string,
): Promise<void> => {
  const above = folders.slice(0, there)
  const name = folders[there] ?? ''
  try {
    renameSync(join(staged, name), join(root, ...above, name))
    await syncAll(upTo(root, join(root, ...above)))
  } catch (error) {
    if (!isSystemError(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')) throw error
    // Another process moved a folder out, or in, since they were counted.
    const whole = join(staged, '.whole')
    makeFolderSync(join(whole, ...above))
    renameSync(join(staged, name), join(whole, ...above, name))
    await moveIn(whole, root)
  }
}

/** Moves everything in the folder `staged` to the same places below `root`; existing files stay. */
export const moveIn = async (staged: string, root: string): Promise<void> => {
  for (let tries = 0; ; tries++)
    try {
      for (const name of readdirSync(staged)) merge(join(staged, name), join(root, name), root)
      return
    } catch (error) {
      // A process that changes the only object in a folder on the way moved that out: it comes back, or is
      // made again.
      if (!isSystemError(error, 'ENOENT') || tries === maxTries || !exists(staged)) throw error
      await setTimeout(pauseMillis)
    }
}

const merge = (from: string, to: string, root: string): void => {
  try {
    renameSync(from, to)
    for (const folder of upTo(root, dirname(to))) sync(folder)
  } catch (error) {
    if (!isSystemError(error, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')) throw error
    const names = readdirSync(from)
    if (names.some((name) => name.startsWith('0='))) throw new PlaceTaken(`${to} is there already`)
    for (const name of names) merge(join(from, name), join(to, name), root)
  }
}

/** The folder and those above it, which are synced with it: another process may have moved them in and not be done. */
const upTo = (root: string, folder: string): readonly string[] =>
  folder === root ? [root] : [folder, ...upTo(root, dirname(folder))]

/**
 * Moves the object's folder out into `away`, with the folders above it that have nothing else. Returns its
 * folder there.
 */
export const moveOut = async (root: string, folders: readonly string[], away: string): Promise<string> => {
  const object = join(root, ...folders)
  for (let tries = 0; ; tries++) {
    const top = lonelyTop(root, object)
    try {
      const there = join(away, relative(root, top))
      makeFolderSync(dirname(there))
      renameSync(top, there)
      removeEmpty(root, dirname(top))
      return join(away, ...folders)
    } catch (error) {
      if (!isSystemError(error, 'ENOENT') || tries === maxTries) throw error
      await setTimeout(pauseMillis)
    }
  }
}

/** The highest folder above the object with nothing else in it. */
const lonelyTop = (root: string, object: string): string => {
  let top = object
  for (let above = dirname(top); above !== root; above = dirname(above)) {
    if (readdirSync(above).length > 1) break
    top = above
  }
  return top
}

/** Removes folders that become empty when two processes move out their last two objects at once. */
const removeEmpty = (root: string, folder: string): void => {
  try {
    for (let at = folder; at !== root; at = dirname(at)) rmdirSync(at)
  } catch (error) {
    if (!isSystemError(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) throw error
  }
}
