import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { v4 as uuid } from 'uuid'
import { exists, isSystemError, namesIn, replaceSynced, sync } from './disk.ts'
import { promoteInventory } from './object-folder.ts'
import { moveIn, moveOut } from './place.ts'

/*
 * Where versions are made, below `extensions` of the root, as all moves are within one volume. A process has a folder of
 * its own there, and a folder in that for each write.
 *
 * An object is out of its place for some milliseconds while a version is added. Where it stays out, its process was killed
 * or hangs: whoever needs the object takes over the write's folder, by renaming it into a folder of its own. What its
 * former owner still does then finds nothing under the old name, and fails.
 */

const folderName = 'fonds-staging'
const journalFile = 'journal.json'
/** Its time says when the process was last at work. */
const processFile = 'process'
/** Where the object is while its version is added. */
const away = 'away'
/** The version to be added. */
const next = 'next'

export interface StagingLimits {
  /** An object that is out of its place for so long is put back by another. */
  readonly awayMillis: number
  /** What a process left behind is removed once it has done nothing for so long. */
  readonly leftMillis: number
}

const usual: StagingLimits = { awayMillis: 5000, leftMillis: 24 * 3600_000 }

/** What is under way with an object that has versions already. */
interface Journal {
  /** From the root down to the object. */
  readonly folders: readonly string[]
  /** The new version's folder, and the one that would follow it. */
  readonly version: string
  readonly following: string
}

export interface Staging {
  /** A folder for one write, which is removed with what is left in it. */
  use<A>(work: (folder: string) => Promise<A>): Promise<A>
  /** Where in the folder a version is made for `addVersion`. */
  nextOf(folder: string): string
  /** The version that was made becomes the object's last. False where somebody else added it before. */
  addVersion(folder: string, journal: Journal): Promise<boolean>
  /** Is this object out of its place, because a version is being added? Puts it back where nobody else does. */
  isUnderWay(folders: readonly string[]): Promise<boolean>
  close(): void
}

/** Puts back first what processes that have ended left out of its place, and removes what they left behind. */
export const openStaging = async (root: string, limits: StagingLimits = usual): Promise<Staging> => {
  const stagings = join(root, 'extensions', folderName)
  const own = join(stagings, uuid())

  let made: Promise<void> | undefined

  const make = async (): Promise<void> => {
    await mkdir(own, { recursive: true })
    for (const folder of [own, stagings, dirname(stagings), root]) await sync(folder)
  }

  /** The process is at work now. Should others have removed its folder, it is made anew. */
  const sayAtWork = async (): Promise<void> => {
    made ??= make()
    await made
    try {
      await writeFile(join(own, processFile), 'at work')
    } catch (error) {
      if (!isSystemError(error, 'ENOENT')) throw error
      made = undefined
      await sayAtWork()
    }
  }

  /** For how long a file has been as it is, by the clock of its file system. */
  const ageOf = async (file: string): Promise<number | undefined> => {
    const at = await timeOf(file)
    if (at === undefined) return undefined
    await sayAtWork()
    return ((await timeOf(join(own, processFile))) ?? at) - at
  }

  /** Takes over a write that another does not finish, and finishes it. False where somebody else was faster. */
  const takeOver = async (folder: string): Promise<boolean> => {
    await sayAtWork()
    const taken = join(own, uuid())
    try {
      await rename(folder, taken)
      const journal = await readJournal(taken)
      if (!journal) return false
      await replaceSynced(join(taken, journalFile), JSON.stringify(journal))
      await finish(root, taken, journal)
      await rm(taken, { recursive: true, force: true })
      return true
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) return false
      throw error
    }
  }

  const writesIn = async (): Promise<readonly string[]> => {
    const folders: string[] = []
    for (const process of await namesIn(stagings))
      for (const write of await namesIn(join(stagings, process)))
        if (write !== processFile) folders.push(join(stagings, process, write))
    return folders
  }

  const recover = async (): Promise<void> => {
    for (const folder of await writesIn()) {
      if (!(await holdsObject(folder))) continue
      if (((await ageOf(join(folder, journalFile))) ?? 0) >= limits.awayMillis) await takeOver(folder)
    }
    for (const process of await namesIn(stagings)) {
      const folder = join(stagings, process)
      const age = (await ageOf(join(folder, processFile))) ?? (await ageOf(folder)) ?? 0
      if (folder === own || age < limits.leftMillis) continue
      const writes = await namesIn(folder)
      const hold = await Promise.all(writes.map((write) => holdsObject(join(folder, write))))
      if (!hold.includes(true)) await rm(folder, { recursive: true, force: true })
    }
  }

  await recover()
  // What a process left that was killed a moment ago.
  const later = setTimeout(() => void recover().catch(() => {}), limits.awayMillis + 1000)
  later.unref()

  return {
    use: async (work) => {
      await sayAtWork()
      const folder = join(own, uuid())
      await mkdir(folder)
      try {
        return await work(folder)
      } finally {
        // An object that could not be put back stays, and is put back by who needs it.
        if (!(await exists(join(folder, away)))) await rm(folder, { recursive: true, force: true })
      }
    },
    nextOf: (folder) => join(folder, next),
    addVersion: async (folder, journal) => {
      await mkdir(join(folder, away))
      await replaceSynced(join(folder, journalFile), JSON.stringify(journal))
      await sync(folder)
      await sync(own)
      await moveOut(root, journal.folders, join(folder, away))
      return finish(root, folder, journal)
    },
    isUnderWay: async (folders) => {
      for (const folder of await writesIn()) {
        if (!(await exists(join(folder, away, ...folders)))) continue
        if (((await ageOf(join(folder, journalFile))) ?? 0) >= limits.awayMillis) await takeOver(folder)
        return true
      }
      return false
    },
    close: () => clearTimeout(later),
  }
}

/**
 * Any number of times: every step looks at what is done already. A version that somebody else added meanwhile stays as it
 * is, and ours is dropped.
 */
const finish = async (
  root: string,
  folder: string,
  { folders, version, following }: Journal,
): Promise<boolean> => {
  const object = join(folder, away, ...folders)
  const made = join(folder, next)
  let isAdded = false
  if (await exists(object)) {
    const isMade = await exists(made)
    const isTaken = isMade ? await exists(join(object, version)) : await exists(join(object, following))
    isAdded = !isTaken
    if (isMade && isAdded) await rename(made, join(object, version))
    if (isAdded) await promoteInventory(object, version)
  }
  await moveIn(join(folder, away), root)
  await rm(join(folder, away), { recursive: true })
  return isAdded
}

/** Is an object in it that is to be put back? */
const holdsObject = async (folder: string): Promise<boolean> => {
  const journal = await readJournal(folder)
  return journal !== undefined && exists(join(folder, away, ...journal.folders))
}

const timeOf = async (file: string): Promise<number | undefined> => {
  try {
    return (await stat(file)).mtimeMs
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

const readJournal = async (folder: string): Promise<Journal | undefined> => {
  try {
    return JSON.parse(await readFile(join(folder, journalFile), 'utf8')) as Journal
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}
