import { StorageRootError } from '../errors.ts'
import { rootDeclaration } from '../root/declaration.ts'
import { type Bucket, type BucketObject, bytesOf, keysBelow, readText } from './bucket.ts'

/*
 * Writes that are under way, below `extensions` of the root: each process has a mark that it is at work, and a
 * journal for each of its writes. Who finds the journal of an ended process finishes or removes its write.
 *
 * A process has ended if its lock is free, or if its mark has not been renewed for `leftMillis`. A process whose
 * own mark is older than `doubtMillis` writes nothing more: servers refuse a request that was signed more than 15
 * minutes ago, so none of its requests arrives after others have removed its files.
 */

export interface JournalLimits {
  /** Name of the folder below `extensions`, the same for all processes that write to the root. */
  readonly folder: string
  /** Interval at which a process that writes renews its mark. */
  readonly markMillis: number
  readonly doubtMillis: number
  readonly leftMillis: number
}

export const usualJournals: JournalLimits = {
  folder: 'writes',
  markMillis: 60_000,
  doubtMillis: 4 * 60_000,
  leftMillis: 20 * 60_000,
}

/** A new version. */
export interface Adding {
  readonly kind: 'add'
  /** From the root down to the object. */
  readonly folders: readonly string[]
  readonly version: string
  /** Folder of the new bytes in that of the version's content: no other write has it. */
  readonly write: string
  /** SHA-256 of the inventory that makes the version visible, lower-case hex. */
  readonly inventory: string
  /** Keys of the records of stages whose bytes the version adopts; absent: none. */
  readonly adopts?: readonly string[]
}

/** Versions that are taken out of an object. */
export interface Cutting {
  readonly kind: 'cut'
  readonly folders: readonly string[]
  /** Prefix of the copy that was made first. */
  readonly copy: string
  /** SHA-256 of the inventory before, and of the one behind the last version that stays. */
  readonly before: string
  readonly inventory: string | undefined
}

export type Journal = Adding | Cutting

export interface LeftJournal {
  readonly key: string
  readonly journal: Journal
}

interface Options {
  readonly bucket: Bucket
  /** Ends with a slash. */
  readonly prefix: string
  /** Unique to this process. */
  readonly process: string
  readonly limits: JournalLimits
  /** Proves to processes with the same locks that this one has ended. JSON. */
  readonly lock?: unknown
  /** True only if it is certain that the process with this lock has ended. */
  readonly hasEnded?: (lock: unknown) => boolean
}

export interface Journals {
  /** Puts the journal of a write. Returns its key. */
  begin(id: string, journal: Journal): Promise<string>
  /** Throws `StorageRootError` if others may have removed the files of this process. */
  failIfInDoubt(): void
  /** Removes the journal of a write that is done. */
  end(key: string): Promise<void>
  /** Leaves the journal to the next process that looks for those of ended writes. */
  abandon(key: string): void
  /** Journals of all processes. */
  all(): Promise<readonly LeftJournal[]>
  /** Journals of writes that have ended. Removes marks of ended processes that have none. */
  left(): Promise<readonly LeftJournal[]>
  close(): Promise<void>
}

const markFile = 'process.json'
const isMark = (key: string): boolean => key.endsWith(`/${markFile}`)

export const createJournals = ({ bucket, prefix, process, limits, lock, hasEnded }: Options): Journals => {
  const writes = `${prefix}extensions/${limits.folder}/`
  const own = `${writes}${process}/`
  const underWay = new Set<string>()
  /** A journal of this process may stay: its mark proves to the next one that this process has ended. */
  let mayLeave = false
  const presence = createPresence(bucket, own + markFile, lock)
  let timer: NodeJS.Timeout | undefined

  /** A root that is missing, as behind a wrong address, is not written to. */
  const begin = async (): Promise<void> => {
    if (presence.age() <= limits.markMillis) return
    if (!(await bucket.head(prefix + rootDeclaration)))
      throw new StorageRootError(`the storage root ${prefix} is missing`)
    await presence.mark()
    timer ??= setInterval(() => {
      if (underWay.size > 0) presence.mark().catch(() => {})
    }, limits.markMillis).unref()
  }

  const hasLeft = async (folder: string, files: readonly BucketObject[], now: number): Promise<boolean> => {
    if (files.some(({ key }) => isMark(key))) {
      const mark = await readText(bucket, folder + markFile)
      if (mark && hasEnded?.(lockIn(mark.text))) return true
    }
    return files.every(({ modifiedAt }) => now - modifiedAt >= limits.leftMillis)
  }

  return {
    begin: async (id, journal) => {
      await begin()
      const key = `${own}${id}.json`
      underWay.add(key)
      try {
        await bucket.put(key, bytesOf(JSON.stringify(journal)))
      } catch (error) {
        underWay.delete(key)
        mayLeave = true
        throw error
      }
      return key
    },
    failIfInDoubt: () => {
      if (presence.age() > limits.doubtMillis)
        throw new StorageRootError(
          'this process has not reached the storage root for minutes, and others may have removed the files of its write; try again',
        )
    },
    end: async (key) => {
      await bucket.delete(key)
      underWay.delete(key)
    },
    abandon: (key) => {
      underWay.delete(key)
      mayLeave = true
    },
    all: async () => read(bucket, await keysBelow(bucket, writes)),
    left: async () => {
      const keys = await keysBelow(bucket, writes)
      const folders = Map.groupBy(keys, ({ key }) => key.slice(0, key.indexOf('/', writes.length) + 1))
      const found = (folders.get(own) ?? []).filter(({ key }) => !underWay.has(key))
      folders.delete(own)
      const now = folders.size === 0 ? 0 : await presence.now()
      for (const [folder, files] of folders) {
        if (!(await hasLeft(folder, files, now))) continue
        if (files.every(({ key }) => isMark(key))) await bucket.delete(folder + markFile)
        else found.push(...files)
      }
      return read(bucket, found)
    },
    close: async () => {
      clearInterval(timer)
      if (underWay.size === 0 && !mayLeave) await presence.end()
    },
  }
}

/** A file by whose time others see that this process is at work. */
const createPresence = (bucket: Bucket, key: string, lock: unknown) => {
  let marked: { readonly at: number; readonly steady: number } | undefined

  const mark = async (): Promise<void> => {
    const now = { at: Date.now(), steady: performance.now() }
    await bucket.put(key, bytesOf(JSON.stringify({ lock })))
    marked = now
  }

  return {
    mark,
    /** Milliseconds since the last mark, by the clock that went further: one of them stops with the machine. */
    age: () =>
      marked ? Math.max(Date.now() - marked.at, performance.now() - marked.steady) : Number.POSITIVE_INFINITY,
    /** The time by the server's clock, by which the ages of files are measured. */
    now: async () => {
      await mark()
      return (await bucket.head(key))?.modifiedAt ?? Date.now()
    },
    end: async () => {
      if (marked) await bucket.delete(key)
    },
  }
}

const read = async (bucket: Bucket, files: readonly BucketObject[]): Promise<readonly LeftJournal[]> => {
  const found: LeftJournal[] = []
  for (const { key } of files) {
    const text = isMark(key) ? undefined : await readText(bucket, key)
    if (text) found.push({ key, journal: JSON.parse(text.text) as Journal })
  }
  return found
}

const lockIn = (text: string): unknown => (JSON.parse(text) as { readonly lock?: unknown }).lock
