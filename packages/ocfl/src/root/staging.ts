import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { StorageRootError } from '../errors.ts'
import { exists, isSystemError, makeFolders, namesIn, replaceSynced, sync, textIn } from './disk.ts'
import { promoteInventory } from './object-folder.ts'
import { moveIn, moveOut } from './place.ts'
import { rootDeclaration } from './root.ts'

/*
 * Where versions are made, below `extensions` of the root, as all moves are within one volume. A process has a folder of
 * its own there, and in that each of its threads has one for new objects, which is used again: a folder that is removed
 * costs as much as one that is made. A version of an object that is there has a folder for that write alone.
 *
 * An object is out of its place for some milliseconds while a version is added. Where it stays out, its process was killed
 * or hangs: whoever needs the object takes over the write's folder, by renaming it into a folder of its own. What its
 * former owner still does then finds nothing under the old name, and fails.
 */

const journalFile = 'journal.json'
/** Its time says when the process was last at work. */
const processFile = 'process'
/** Where the object is while its version is added. */
const away = 'away'
/** The version to be added. */
const next = 'next'

export interface StagingLimits {
  /** Name of the folder below `extensions`, the same one for all that write to the root. */
  readonly folder: string
  /** An object that is out of its place for so long is put back by another. */
  readonly awayMillis: number
  /** The folder of a process is removed once the process has done nothing for so long. */
  readonly leftMillis: number
}

export const usualStaging: StagingLimits = {
  folder: 'staging',
  awayMillis: 5000,
  leftMillis: 24 * 3600_000,
}

/** A change under way of an object that has versions already. */
type Journal = Adding | Cutting

interface Adding {
  /** From the root down to the object. */
  readonly folders: readonly string[]
  /** The new version's folder, and the one that would follow it. */
  readonly version: string
  readonly following: string
}

/** Versions are taken out. */
interface Cutting {
  /** From the root down to the object. */
  readonly folders: readonly string[]
  /** The version that becomes the last; undefined: the whole object goes. */
  readonly last: string | undefined
  /** Folders of those that go. */
  readonly cut: readonly string[]
}

/** The staging of one thread, which does one thing at a time. */
export interface Staging {
  /** An empty folder, where a new object is made. What is left in it where that fails is removed. */
  useForNew<A>(work: (folder: string) => Promise<A>): Promise<A>
  /** A folder for a version, which is removed with what is left in it. */
  use<A>(work: (folder: string) => Promise<A>): Promise<A>
  /** Where in the folder a version is made for `addVersion`. */
  nextOf(folder: string): string
  /** The version that was made becomes the object's last. False where somebody else added it before. */
  addVersion(folder: string, journal: Adding): Promise<boolean>
  /** Takes versions out of the object. */
  cutVersions(folder: string, journal: Cutting): Promise<void>
  /** Is this object out of its place, because a version is being added? Puts it back where nobody else does. */
  isUnderWay(folders: readonly string[]): Promise<boolean>
  /** Puts back what processes that have ended left out of its place, and removes what they left behind. */
  recover(): Promise<void>
}

const stagingsOf = (root: string, { folder }: StagingLimits): string => join(root, 'extensions', folder)

/** A process says so rarely that it is at work: what it leaves stays for hours. */
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
        // An object that could not be put back stays, and is put back by who needs it.
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

/** A file whose time says when this process was last at work. */
interface Presence {
  /** To be called before each write: says now and then that the process is at work. */
  prepare(): void
  /** The time by the clock of the file system, which the ages of files are told by. */
  now(): number
}

const createPresence = (root: string, stagings: string, own: string): Presence => {
  let said = Number.NEGATIVE_INFINITY

  /** Touches the file that says that the process is at work. Makes its folder again if others removed it. */
  const sayAtWork = (): void => {
    try {
      writeFileSync(join(own, processFile), 'at work')
    } catch (error) {
      if (!isSystemError(error, 'ENOENT')) throw error
      // Its volume is not mounted any more: nothing is made beneath the mount point.
      if (!exists(join(root, rootDeclaration))) throw new StorageRootError(`the storage root ${root} is gone`)
      makeFolders(own)
      for (const folder of [own, stagings, dirname(stagings), root]) sync(folder)
      writeFileSync(join(own, processFile), 'at work')
    }
    said = performance.now()
  }

  return {
    prepare: () => {
      if (performance.now() - said > sayMillis || !exists(own)) sayAtWork()
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

/** The object is moved out, changed there, and moved in again. */
const change = async ({ root, own }: Place, folder: string, journal: Journal): Promise<boolean> => {
  mkdirSync(join(folder, away))
  replaceSynced(join(folder, journalFile), JSON.stringify(journal))
  sync(folder)
  sync(own)
  await moveOut(root, journal.folders, join(folder, away))
  return finish(root, folder, journal)
}

/** An object that is out of its place for too long is put back. */
const putBack = async (place: Place, folder: string): Promise<void> => {
  const { limits, presence } = place
  const at = timeOf(join(folder, journalFile))
  if (at !== undefined && presence.now() - at >= limits.awayMillis) await takeOver(place, folder)
}

/** Takes over a write that another does not finish, and finishes it. False where somebody else was faster. */
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

/** Removes what other processes left behind. */
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

/** Removes the folder of a process whose threads have ended, unless an object in it could not be put back. */
export const leaveStaging = (root: string, process: string, limits: StagingLimits = usualStaging): void => {
  const own = join(stagingsOf(root, limits), process)
  if (namesIn(own).every((write) => !exists(join(own, write, away))))
    rmSync(own, { recursive: true, force: true })
}

/** Removes a folder, and ignores errors of the file system: the one that ended the work says more. */
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

/** Any number of times: every step looks at what is done already. False where somebody else was faster. */
const finish = async (root: string, folder: string, journal: Journal): Promise<boolean> => {
  const object = join(folder, away, ...journal.folders)
  const isDone =
    exists(object) && ('cut' in journal ? cutBack(object, journal) : add(object, folder, journal))
  // The whole object was cut: nothing goes back.
  if (exists(object)) await moveIn(join(folder, away), root)
  rmSync(join(folder, away), { recursive: true })
  return isDone
}

/** A version that somebody else added meanwhile stays as it is, and the one that was made here is dropped. */
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
    for (const gone of cut) rmSync(join(object, gone), { recursive: true, force: true })
    sync(object)
  }
  return true
}

/** Is an object in it that is to be put back? */
const holdsObject = (folder: string): boolean => {
  const journal = readJournal(folder)
  return journal !== undefined && exists(join(folder, away, ...journal.folders))
}

const timeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.mtimeMs

const readJournal = (folder: string): Journal | undefined => {
  const text = textIn(join(folder, journalFile))
  return text === undefined ? undefined : (JSON.parse(text) as Journal)
}
