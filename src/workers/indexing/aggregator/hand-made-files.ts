import type { Dirent } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isSystemError } from '../../../async/system-error.ts'
import { SECOND } from '../../../domain/kernel/time.ts'

/** A file that somebody put into `incoming/`. */
export interface HandMadeFile {
  readonly path: string
  /** Its name without what it ends in: lines of the same name take each other's place. */
  readonly file: string
  readonly kind: 'lines' | 'withdrawn'
  /** When it was last changed, and which one it is of those that had this name. */
  readonly date: number
  readonly inode: number
}

export interface HandMadeFiles {
  /** Those that have stood still, the oldest first. */
  list(now: string): Promise<readonly HandMadeFile[]>
  /** Whether it still is what was listed: somebody may have put another in its place, or write into it. */
  isAsListed(file: HandMadeFile): Promise<boolean>
  /** It was taken over into the index (W33). Another one that took its name meanwhile stays. */
  remove(file: HandMadeFile): Promise<void>
  /** It cannot be taken: it is kept under another name. */
  putAside(file: HandMadeFile): Promise<string>
}

/** So long nothing was written into it. Whoever writes longer, writes under another name and renames. */
const stillMillis = 5 * SECOND

const handMade = /^([^\s.][^\s]*)\.(cdx|cdxj|withdrawn)$/
/** Changes of the log, what was put aside, and what somebody still writes. */
const others = /^\.|\.(?:changes|damaged|tmp|part|open)$/

/** `onOdd` hears once of each thing that is neither. */
export const createHandMadeFiles = (
  folder: string,
  onOdd: (path: string, reason: string) => void,
): HandMadeFiles => {
  const told = new Set<string>()
  const tell = (path: string, reason: string) => {
    if (!told.has(path)) onOdd(path, reason)
    told.add(path)
  }

  const candidates = async (): Promise<readonly Dirent[]> => {
    try {
      return (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !others.test(name))
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) return []
      throw error
    }
  }

  const look = async (entry: Dirent, now: number) => {
    const path = join(folder, entry.name)
    const [, file, ending] = handMade.exec(entry.name) ?? []
    if (!entry.isFile()) return tell(path, 'it is no file')
    if (file === undefined)
      return tell(path, 'its name does not end in .cdx, .cdxj or .withdrawn, or has a blank')
    const stats = await stat(path).catch(() => undefined)
    if (!stats || Math.abs(now - stats.mtimeMs) < stillMillis) return undefined
    const kind = ending === 'withdrawn' ? ('withdrawn' as const) : ('lines' as const)
    return { path, file, kind, date: stats.mtimeMs, inode: stats.ino }
  }

  const isAsListed = async ({ path, date, inode }: HandMadeFile): Promise<boolean> => {
    const stats = await stat(path).catch(() => undefined)
    return stats !== undefined && stats.mtimeMs === date && stats.ino === inode
  }

  return {
    list: async (now) => {
      const files = []
      for (const entry of await candidates()) files.push((await look(entry, Date.parse(now))) ?? [])
      return files.flat().sort((a, b) => a.date - b.date || (a.path < b.path ? -1 : 1))
    },
    isAsListed,
    remove: async (file) => {
      if (await isAsListed(file)) await rm(file.path, { force: true })
    },
    putAside: async ({ path }) => {
      await rename(path, `${path}.damaged`)
      return `${path}.damaged`
    },
  }
}
