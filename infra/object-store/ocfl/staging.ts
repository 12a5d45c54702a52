import { mkdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { v4 as uuid } from 'uuid'
import type { ProcessLock } from '../../../src/ports/process-lock.ts'
import { exists, namesIn, replaceSynced, sync } from './disk.ts'
import { promoteInventory } from './object-folder.ts'
import { moveIn, moveOut } from './place.ts'

/*
 * Where versions are made, below `extensions` of the root, as all moves are within one volume. A process has a folder of
 * its own there, with the lock that tells others whether it still lives.
 */

const folderName = 'fonds-staging'
const markFile = 'process.json'
const journalFile = 'journal.json'
/** Where the object is while its version is added. */
const away = 'away'
/** The version to be added. */
const next = 'next'

/** What is under way with an object that has versions already. */
interface Journal {
  /** From the root down to the object. */
  readonly folders: readonly string[]
  /** The new version's folder, `v2`. */
  readonly version: string
}

export interface Staging {
  /** A folder for one write, which is removed with what is left in it. */
  use<A>(work: (folder: string) => Promise<A>): Promise<A>
  /** Where in the folder a version is made for `addVersion`. */
  nextOf(folder: string): string
  /** The version that was made becomes the object's last. */
  addVersion(folder: string, journal: Journal): Promise<void>
  /** Is this object out of its place, because a version is being added? */
  isUnderWay(folders: readonly string[]): Promise<boolean>
}

/** Finishes first what processes that have ended left behind. */
export const openStaging = async (root: string, lock: ProcessLock): Promise<Staging> => {
  const stagings = join(root, 'extensions', folderName)
  await recover(root, stagings, lock)
  const own = join(stagings, uuid())
  let made: Promise<void> | undefined
  const make = async () => {
    await mkdir(own, { recursive: true })
    await replaceSynced(join(own, markFile), JSON.stringify(lock.mark() ?? null))
    for (const folder of [own, stagings, dirname(stagings), root]) await sync(folder)
  }

  return {
    use: async (work) => {
      made ??= make()
      await made
      const folder = join(own, uuid())
      await mkdir(folder)
      try {
        return await work(folder)
      } finally {
        // What was moved out is put back by `addVersion`; should that have failed, it stays for the next start.
        if (!(await exists(join(folder, away)))) await rm(folder, { recursive: true, force: true })
      }
    },
    nextOf: (folder) => join(folder, next),
    addVersion: async (folder, journal) => {
      await replaceSynced(join(folder, journalFile), JSON.stringify(journal))
      await mkdir(join(folder, away))
      await sync(folder)
      await sync(own)
      await moveOut(root, journal.folders, join(folder, away))
      await finish(root, folder, journal)
    },
    isUnderWay: async (folders) => {
      for (const process of await namesIn(stagings))
        for (const write of await namesIn(join(stagings, process)))
          if (await exists(join(stagings, process, write, away, ...folders))) return true
      return false
    },
  }
}

/** Any number of times: every step looks at what is done already. */
const finish = async (root: string, folder: string, { folders, version }: Journal): Promise<void> => {
  const object = join(folder, away, ...folders)
  if (await exists(object)) {
    if (await exists(join(folder, next))) await rename(join(folder, next), join(object, version))
    await promoteInventory(object, version)
  }
  await moveIn(join(folder, away), root)
  await rm(join(folder, away), { recursive: true })
}

const recover = async (root: string, stagings: string, lock: ProcessLock): Promise<void> => {
  for (const process of await namesIn(stagings)) {
    const folder = join(stagings, process)
    if (!(await hasEnded(folder, lock))) continue
    for (const write of await namesIn(folder)) {
      const journal = await readJournal(join(folder, write))
      if (journal && (await exists(join(folder, write, away))))
        await finish(root, join(folder, write), journal)
    }
    await rm(folder, { recursive: true, force: true })
  }
}

/** Where this machine has no locks that are certain, whoever was here before is taken to have ended. */
const hasEnded = async (folder: string, lock: ProcessLock): Promise<boolean> => {
  const text = await readOrNone(join(folder, markFile))
  // Killed before it said who it is: it had begun nothing.
  if (text === undefined)
    return rmdir(folder).then(
      () => false,
      () => false,
    )
  const mark = JSON.parse(text)
  return mark === null ? lock.mark() === undefined : lock.hasEnded(mark)
}

const readJournal = async (folder: string): Promise<Journal | undefined> => {
  const text = await readOrNone(join(folder, journalFile))
  return text === undefined ? undefined : (JSON.parse(text) as Journal)
}

const readOrNone = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
