import type { Dirent } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import { SECOND } from '../../../domain/kernel/time.ts'

/** A file that a person put into `incoming/`. */
export interface HandMadeFile {
  readonly path: string
  /** Its name without the extension: lines of the same name replace each other. */
  readonly file: string
  readonly kind: 'lines' | 'withdrawn'
  /** Modification time and inode: they distinguish it from other files of this name. */
  readonly date: number
  readonly inode: number
}

export interface HandMadeFiles {
  /** Files that nobody writes to at present, the oldest first. */
  list(now: string): Promise<readonly HandMadeFile[]>
  /** Whether it is still the file that was listed: another may have replaced it, or it may be written to. */
  isAsListed(file: HandMadeFile): Promise<boolean>
  /** Deletes a file that was applied to the index (W33). Another file that took its name meanwhile stays. */
  remove(file: HandMadeFile): Promise<void>
  /** Renames a file that cannot be taken, to keep it. Returns its path. */
  putAside(file: HandMadeFile): Promise<string>
}

/** Time without a write. A slower writer must use another name and rename the file. */
const stillMillis = 5 * SECOND

const handMade = /^([^\s.][^\s]*)\.(cdx|cdxj|withdrawn)$/
/** Changes of the log, files put aside, and files still being written. */
const others = /^\.|\.(?:changes|damaged|tmp|part|open)$/

/** `onOdd` is called once for each entry that is neither. */
export const createHandMadeFiles = (
  folder: string,
  onOdd: (path: string, reason: string) => void,
): HandMadeFiles => {
  const reported = new Set<string>()
  const report = (path: string, reason: string) => {
    if (!reported.has(path)) onOdd(path, reason)
    reported.add(path)
  }

  const candidates = async (): Promise<readonly Dirent[]> => {
    try {
      return (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !others.test(name))
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) return []
      throw error
    }
  }

  const examine = async (entry: Dirent, now: number) => {
    const path = join(folder, entry.name)
    const [, file, ending] = handMade.exec(entry.name) ?? []
    if (!entry.isFile()) return report(path, 'it is no file')
    if (file === undefined)
      return report(path, 'its name does not end in .cdx, .cdxj or .withdrawn, or has a blank')
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
      for (const entry of await candidates()) files.push((await examine(entry, Date.parse(now))) ?? [])
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
