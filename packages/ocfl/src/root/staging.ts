import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { isSystemError } from '@fonds/toolbox'
import { makeFolderSync, sync } from '@fonds/toolbox/disk'
import { StorageRootError } from '../errors.ts'
import { rootDeclaration } from './declaration.ts'
import { exists, namesIn, replaceSynced, textIn } from './disk.ts'
import { promoteInventory } from './object-folder.ts'
import { moveIn, moveOut } from './place.ts'

/*
 * The staging area for versions, below `extensions` of the root, as all moves are within one volume. A
 * process has a folder of its own there. In that, each of its threads has one for new objects, which is
 * reused: removing a folder costs as much as making one. A new version of an existing object has a folder for
 * that write alone.
 *
 * An object is out of its place for some milliseconds while a version is added. If it stays out, its process
 * was killed or hangs: any process that needs the object takes over the write's folder, by renaming it into a
 * folder of its own. The former owner then finds nothing under the old name, and fails.
 */

const journalFile = 'journal.json'
/** Its modification time is when the process was last at work. */
const processFile = 'process'
/** Folder of the object while its version is added. */
const away = 'away'
/** Folder of the version to be added. */
const next = 'next'

export interface StagingLimits {
  /** Name of the folder below `extensions`, the same for all processes that write to the root. */
  readonly folder: string
  /** Time after which an object that is out of its place is put back by another process. */
  readonly awayMillis: number
  /** Time after which the folder of an inactive process is removed. */
  readonly leftMillis: number
}

export const usualStaging: StagingLimits = {
  folder: 'staging',
  awayMillis: 5000,
  leftMillis: 24 * 3600_000,
}

/** A change under way to an object that has versions already. */
type Journal = Adding | Cutting

interface Adding {
  /** From the root down to the object. */
  readonly folders: readonly string[]
  /** The new version's folder, and the one that would follow it. */
  readonly version: string
  readonly following: string
}

/** Takes versions out. */
interface Cutting {
  /** From the root down to the object. */
  readonly folders: readonly string[]
  /** The version that becomes the last; undefined: the whole object is removed. */
  readonly last: string | undefined
  /** Folders of the versions to remove. */
  readonly cut: readonly string[]
}

/** The staging of one thread, which does one thing at a time. */
export interface Staging {
  /** Provides an empty folder for a new object. Its content is removed on failure. */
  useForNew<A>(work: (folder: string) => Promise<A>): Promise<A>
  /** Provides a folder for a version, which is removed with its content. */
  use<A>(work: (folder: string) => Promise<A>): Promise<A>
  /** Path in the folder at which a version is made for `addVersion`. */
  nextOf(folder: string): string
  /** Makes the prepared version the object's last. Returns false if another process added it before. */
  addVersion(folder: string, journal: Adding): Promise<boolean>
  /** Takes versions out of the object. */
  cutVersions(folder: string, journal: Cutting): Promise<void>
  /**
   * Returns true if this object is out of its place while a version is added. Puts it back if no other
   * process does.
   */
  isUnderWay(folders: readonly string[]): Promise<boolean>
  /** Puts back objects that ended processes left out of place, and removes those processes' leftovers. */
  recover(): Promise<void>
}

const stagingsOf = (root: string, { folder }: StagingLimits): string => join(root, 'extensions', folder)

/** Interval of marks that the process is at work: they are rare, as its leftovers stay for hours. */
const sayMillis = 60_000

export const createStaging = (root: string, process: string, limits: StagingLimits): Staging => {
  const stagings = stagingsOf(root, limits)
  const own = join(stagings, process)
  const place: Place = { root, stagings, process, own, limits, presence: createPresence(root, stagings, own) }
  const forNew = join(own, `new-${threadId}`)
  const { prepare } = place.presence
  return {
    useForNew: async (work) => {
      prepare()
      try {
        makeFolder(forNew)
        return await work(forNew)
      } catch (error) {
        removeIfPossible(forNew)
        throw error
      }
    },
    use: async (work) => {
      prepare()
      const folder = join(own, randomUUID())
      mkdirSync(folder)
      try {
        return await work(folder)
      } finally {
        // An object that could not be put back stays, and the next process that needs it puts it back.
        if (!exists(join(folder, away))) rmSync(folder, { recursive: true, force: true })
      }
    },
    nextOf: (folder) => join(folder, next),
    addVersion: (folder, journal) => change(place, folder, journal),
    cutVersions: async (folder, journal) => void (await change(place, folder, journal)),
    isUnderWay: async (folders) => {
      for (const folder of writesIn(stagings)) {
        if (!exists(join(folder, away, ...folders))) continue
        await putBack(place, folder)
        return true
      }
      return false
    },
    recover: async () => {
      for (const folder of writesIn(stagings)) if (holdsObject(folder)) await putBack(place, folder)
      removeLeft(place)
    },
  }
}

/** A process in the staging area of a root. */
interface Place {
  readonly root: string
  /** The folders of all processes. */
  readonly stagings: string
  readonly process: string
  /** The folder of this process. */
  readonly own: string
  readonly limits: StagingLimits
  readonly presence: Presence
}

/** A file whose modification time is when this process was last at work. */
interface Presence {
  /** Marks now and then that the process is at work. To be called before each write. */
  prepare(): void
  /** The time by the clock of the file system, by which the ages of files are measured. */
  now(): number
}

const createPresence = (root: string, stagings: string, own: string): Presence => {
  let markedAt = Number.NEGATIVE_INFINITY

  /** Again if another process left meanwhile, and took the folder of all away. */
  const makeOwn = (attempts = 5): void => {
    try {
      makeFolderSync(own)
      for (const folder of [own, stagings, dirname(stagings), root]) sync(folder)
      writeFileSync(join(own, processFile), 'at work')
    } catch (error) {
      if (attempts === 1 || !isSystemError(error, 'ENOENT')) throw error
      makeOwn(attempts - 1)
    }
  }

  /** Marks the process as at work by touching a file. Makes its folder again if others removed it. */
  const sayAtWork = (): void => {
    try {
      writeFileSync(join(own, processFile), 'at work')
    } catch (error) {
      if (!isSystemError(error, 'ENOENT')) throw error
      // The volume is not mounted any more: nothing may be made beneath the mount point.
      if (!exists(join(root, rootDeclaration)))
        throw new StorageRootError(`the storage root ${root} is missing`)
      makeOwn()
    }
    markedAt = performance.now()
  }

  return {
    prepare: () => {
      if (performance.now() - markedAt > sayMillis || !exists(own)) sayAtWork()
    },
    now: () => {
      sayAtWork()
      return timeOf(join(own, processFile)) ?? Date.now()
    },
  }
}

/** Folders of the writes of all processes. */
const writesIn = (stagings: string): readonly string[] =>
  namesIn(stagings).flatMap((process) =>
    namesIn(join(stagings, process))
      .filter((write) => write !== processFile)
      .map((write) => join(stagings, process, write)),
  )

/** Moves the object out, changes it there, and moves it in again. */
const change = async ({ root, own }: Place, folder: string, journal: Journal): Promise<boolean> => {
  mkdirSync(join(folder, away))
  replaceSynced(join(folder, journalFile), JSON.stringify(journal))
  sync(folder)
  sync(own)
  await moveOut(root, journal.folders, join(folder, away))
  return finish(root, folder, journal)
}

/** Puts back an object that is out of its place for too long. */
const putBack = async (place: Place, folder: string): Promise<void> => {
  const { limits, presence } = place
  const at = timeOf(join(folder, journalFile))
  if (at !== undefined && presence.now() - at >= limits.awayMillis) await takeOver(place, folder)
}

/** Takes over and finishes another process's unfinished write. Returns false if a third was faster. */
const takeOver = async ({ root, own, presence }: Place, folder: string): Promise<boolean> => {
  presence.prepare()
  const taken = join(own, randomUUID())
  try {
    renameSync(folder, taken)
    const journal = readJournal(taken)
    if (!journal) return false
    replaceSynced(join(taken, journalFile), JSON.stringify(journal))
    await finish(root, taken, journal)
    rmSync(taken, { recursive: true, force: true })
    return true
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return false
    throw error
  }
}

/** Removes leftovers of other processes. */
const removeLeft = ({ stagings, process, limits, presence }: Place): void => {
  const others = namesIn(stagings).filter((name) => name !== process)
  if (others.length === 0) return
  const time = presence.now()
  for (const name of others) {
    const folder = join(stagings, name)
    const at = timeOf(join(folder, processFile)) ?? timeOf(folder)
    if (at === undefined || time - at < limits.leftMillis) continue
    if (!namesIn(folder).some((write) => holdsObject(join(folder, write))))
      rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Removes the folder of a process whose threads have ended, unless an object in it could not be put back. The last one
 * takes the folder of all with it: some readers of OCFL stop at an extension that they do not know.
 */
export const leaveStaging = (root: string, process: string, limits: StagingLimits = usualStaging): void => {
  const stagings = stagingsOf(root, limits)
  const own = join(stagings, process)
  if (namesIn(own).every((write) => !exists(join(own, write, away))))
    rmSync(own, { recursive: true, force: true })
  try {
    rmdirSync(stagings)
  } catch (error) {
    if (!isSystemError(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) throw error
  }
}

/** Removes a folder. Ignores errors of the file system: the error that ended the work matters more. */
const removeIfPossible = (folder: string): void => {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    if (!isSystemError(error)) throw error
  }
}

const makeFolder = (path: string): void => {
  try {
    mkdirSync(path)
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error
  }
}

/** Finishes a change. May be repeated: steps check what is done. Returns false if another was faster. */
const finish = async (root: string, folder: string, journal: Journal): Promise<boolean> => {
  const object = join(folder, away, ...journal.folders)
  const isDone =
    exists(object) && ('cut' in journal ? cutBack(object, journal) : add(object, folder, journal))
  // If the whole object was cut, nothing is moved back.
  if (exists(object)) await moveIn(join(folder, away), root)
  rmSync(join(folder, away), { recursive: true })
  return isDone
}

/**
 * Adds a version. If another process added it meanwhile, that one stays, and the one made here is dropped.
 */
const add = (object: string, folder: string, { version, following }: Adding): boolean => {
  const made = join(folder, next)
  const isMade = exists(made)
  const isTaken = isMade ? exists(join(object, version)) : exists(join(object, following))
  if (isMade && !isTaken) renameSync(made, join(object, version))
  if (!isTaken) promoteInventory(object, version)
  return !isTaken
}

const cutBack = (object: string, { last, cut }: Cutting): true => {
  if (last === undefined) rmSync(object, { recursive: true })
  else {
    promoteInventory(object, last)
    for (const version of cut) rmSync(join(object, version), { recursive: true, force: true })
    sync(object)
  }
  return true
}

/** Returns true if the folder has an object that is to be put back. */
const holdsObject = (folder: string): boolean => {
  const journal = readJournal(folder)
  return journal !== undefined && exists(join(folder, away, ...journal.folders))
}

const timeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.mtimeMs

const readJournal = (folder: string): Journal | undefined => {
  const text = textIn(join(folder, journalFile))
  return text === undefined ? undefined : (JSON.parse(text) as Journal)
}
