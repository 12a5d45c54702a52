import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import { LockMark } from '../../src/domain/kernel/leader-lease.ts'
import { DAY } from '../../src/domain/kernel/time.ts'
import type { LeftWork } from '../../src/ports/work-in-progress.ts'

/*
 * A file for each process, beside its lock file. The first line is the mark of the lock. Each further one is a slot,
 * `<kind> TAB <what>`, that is overwritten in place and blank while nothing is in hand. It is never synced: what a
 * process has written survives its death. After that the file names the work that it had in hand, until that is
 * resolved. The process that finds the death renames the file: after a reboot no lock proves it any more.
 */

const lockSuffix = '.lock'
const suffix = '.hand'
const diedSuffix = '.died'
/** Retention of slots that no process resolves: their topic was deleted, or another machine has the partition. */
const keptMillis = 7 * DAY

export interface Slot {
  readonly kind: string
  readonly what: string
  /** Byte offset of its text in the file. */
  readonly position: number
  readonly width: number
}

export interface WorkFile {
  readonly file: string
  readonly mark: LockMark
  /** Slots that are not blank. */
  readonly slots: readonly Slot[]
}

/** Returns the path of the file of the process that has this lock. */
export const workFileOf = ({ file }: LockMark): string => file.slice(0, -lockSuffix.length) + suffix

/** Returns all files in a folder, except `own`. */
export const workFilesIn = (folder: string, own: string | undefined): readonly WorkFile[] =>
  filesIn(folder).flatMap((file) => (file === own ? [] : (read(file) ?? [])))

export const isOfDead = ({ file }: WorkFile): boolean => file.endsWith(diedSuffix)

/** Renames the file of a process that has died, so that its death stays known. */
export const markDead = (workFile: WorkFile): WorkFile => {
  const file = diedName(workFile.file)
  try {
    renameSync(workFile.file, file)
    return { ...workFile, file }
  } catch (error) {
    if (!isSystemError(error)) throw error
    // Another process renamed it first; or the folder refuses writes, and the lock still proves the death.
    return error.code === 'ENOENT' ? { ...workFile, file } : workFile
  }
}

/** Returns true if the file was not written to for a week. */
export const isForgotten = ({ file }: WorkFile): boolean => {
  const found = statSync(file, { throwIfNoEntry: false })
  return found !== undefined && Date.now() - found.mtimeMs > keptMillis
}

export const leftIn = ({ file, slots }: WorkFile, { kind, what, position, width }: Slot): LeftWork => ({
  id: `${basename(file, diedSuffix)}/${position}`,
  file,
  what,
  hasOtherKinds: slots.some((other) => other.kind !== kind),
  blame: () => removeWorkFile(file),
  resolve: () => {
    try {
      const fd = openSync(file, 'r+')
      try {
        writeSync(fd, ''.padEnd(width), position, 'latin1')
      } finally {
        closeSync(fd)
      }
      if (read(file)?.slots.length === 0) rmSync(file, { force: true })
    } catch (error) {
      // Another process resolved the last slot.
      if (!isSystemError(error)) throw error
    }
  },
})

/** Deletes the file. It stays if the disk refuses that. */
export const removeWorkFile = (file: string): void => {
  try {
    rmSync(file, { force: true })
  } catch (error) {
    if (!isSystemError(error)) throw error
  }
}

const diedName = (file: string): string => file.slice(0, -suffix.length) + diedSuffix

/** Returns undefined if the file is missing or incomplete. */
const read = (file: string): WorkFile | undefined => {
  try {
    return workFileFrom(file, readFileSync(file, 'utf8'))
  } catch (error) {
    if (isSystemError(error, 'ENOENT') && file.endsWith(suffix)) return read(diedName(file))
    if (isSystemError(error) || error instanceof SyntaxError) return undefined
    throw error
  }
}

const workFileFrom = (file: string, text: string): WorkFile | undefined => {
  const [head = '', ...lines] = text.split('\n')
  const mark: unknown = JSON.parse(head)
  if (!LockMark.is(mark)) return undefined
  let end = Buffer.byteLength(head) + 1
  const slots = lines.flatMap((line): readonly Slot[] => {
    const begin = end
    end += Buffer.byteLength(line) + 1
    const [kind = '', padded = ''] = line.split('\t')
    const what = padded.trimEnd()
    const position = begin + Buffer.byteLength(kind) + 1
    return what === '' ? [] : [{ kind, what, position, width: padded.length }]
  })
  return { file, mark, slots }
}

const filesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(suffix) || name.endsWith(diedSuffix))
      .map((name) => join(folder, name))
  } catch {
    return []
  }
}
