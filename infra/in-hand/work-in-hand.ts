import { closeSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { isSystemError } from '../../src/async/system-error.ts'
import { LockMark } from '../../src/domain/kernel/leader-lease.ts'
import { DAY } from '../../src/domain/kernel/time.ts'
import type { ProcessLock } from '../../src/ports/process-lock.ts'
import type { LeftInHand, WorkInHand } from '../../src/ports/work-in-hand.ts'

/*
 * A file for each process, beside its lock file. The first line is the mark of the lock; each further one is a slot, `<kind> TAB
 * <what>`, that is overwritten in place and blank while nothing is in hand. It is never synced: what a process has written
 * outlives it. When the process has died the file says what it was at, until that is settled.
 */

const suffix = '.hand'
const lockSuffix = '.lock'
/** Two offsets, with a hyphen between. */
const minWidth = 41
/** Of what nobody came to settle: its topic is gone, or another machine has the partition. */
const keptMillis = 7 * DAY

/** `folder`: that of the lock files. `stays`: kinds of work that are kept until somebody settles them. */
export const openWorkInHand = (
  folder: string,
  processLock: Pick<ProcessLock, 'mark' | 'hasEnded'>,
  stays: readonly string[] = [],
): WorkInHand => {
  /** False where there can be none. */
  let own: OwnFile | false | undefined
  let othersDied = false

  const others = (): readonly OthersFile[] =>
    filesIn(resolve(folder)).flatMap((file) => (own && own.file === file ? [] : (readOthers(file) ?? [])))

  const sweep = (): void => {
    for (const { file, mark, slots } of others()) {
      const hasEnded = processLock.hasEnded(mark)
      othersDied ||= hasEnded
      const isForgotten = isOld(file) && !slots.some(({ kind }) => stays.includes(kind))
      if (isForgotten || (slots.length === 0 && hasEnded)) rmSync(file, { force: true })
    }
  }

  const openOwn = (): OwnFile | false => {
    if (own !== undefined) return own
    own = false
    try {
      const mark = processLock.mark()
      if (!mark) return false
      sweep()
      own = createOwn(mark)
    } catch (error) {
      if (!isSystemError(error)) throw error
    }
    return own
  }

  return {
    begin: () => {
      openOwn()
      return othersDied
    },
    take: (kind, what) => {
      const file = openOwn()
      if (!file) return noop
      try {
        return file.take(kind, what)
      } catch (error) {
        if (!isSystemError(error)) throw error
        return noop
      }
    },
    leftOf: (kind) =>
      others().flatMap(({ file, mark, slots }) => {
        const wanted = slots.filter((slot) => slot.kind === kind)
        return wanted.length > 0 && processLock.hasEnded(mark)
          ? wanted.map((slot) => leftInHand(file, slot))
          : []
      }),
    locks: () => others().flatMap(({ mark, slots }) => (slots.length > 0 ? [mark] : [])),
    close: () => {
      if (own) own.remove()
      own = false
    },
  }
}

const noop = (): void => {}

interface OwnFile {
  readonly file: string
  take(kind: string, what: string): () => void
  remove(): void
}

interface OwnSlot {
  /** Of what stands in it. */
  readonly position: number
  readonly width: number
}

const createOwn = (mark: LockMark): OwnFile => {
  const file = mark.file.slice(0, -lockSuffix.length) + suffix
  const fd = openSync(file, 'w')
  const free = new Map<string, OwnSlot[]>()
  const head = `${JSON.stringify(mark)}\n`
  writeSync(fd, head)
  let end = Buffer.byteLength(head)
  let isOpen = true

  const fill = ({ position, width }: OwnSlot, what: string): void => {
    writeSync(fd, what.padEnd(width), position, 'latin1')
  }

  const addSlot = (kind: string, what: string): OwnSlot => {
    const before = `${kind}\t`
    const slot = { position: end + Buffer.byteLength(before), width: Math.max(minWidth, what.length) }
    writeSync(fd, `${before}${what.padEnd(slot.width)}\n`, end)
    end = slot.position + slot.width + 1
    return slot
  }

  const slotFor = (kind: string, what: string): OwnSlot => {
    const ofKind = free.get(kind)
    const at = ofKind?.findIndex(({ width }) => width >= what.length) ?? -1
    if (!ofKind || at < 0) return addSlot(kind, what)
    const [slot] = ofKind.splice(at, 1) as [OwnSlot]
    fill(slot, what)
    return slot
  }

  return {
    file,
    take: (kind, what) => {
      const slot = slotFor(kind, what)
      return () => {
        if (!isOpen) return
        fill(slot, '')
        const ofKind = free.get(kind)
        if (ofKind) ofKind.push(slot)
        else free.set(kind, [slot])
      }
    },
    remove: () => {
      isOpen = false
      closeSync(fd)
      rmSync(file, { force: true })
    },
  }
}

interface Slot extends OwnSlot {
  readonly kind: string
  readonly what: string
}

interface OthersFile {
  readonly file: string
  readonly mark: LockMark
  /** Those with something in them. */
  readonly slots: readonly Slot[]
}

/** Undefined where it is gone, or was not written to the end. */
const readOthers = (file: string): OthersFile | undefined => {
  try {
    const [head = '', ...lines] = readFileSync(file, 'utf8').split('\n')
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
  } catch (error) {
    if (isSystemError(error) || error instanceof SyntaxError) return undefined
    throw error
  }
}

const leftInHand = (file: string, { what, position, width }: Slot): LeftInHand => ({
  id: `${basename(file, suffix)}/${position}`,
  file,
  what,
  settle: () => {
    try {
      const fd = openSync(file, 'r+')
      try {
        writeSync(fd, ''.padEnd(width), position, 'latin1')
      } finally {
        closeSync(fd)
      }
      if (readOthers(file)?.slots.length === 0) rmSync(file, { force: true })
    } catch (error) {
      // Another process settled the last of it.
      if (!isSystemError(error)) throw error
    }
  },
})

const isOld = (file: string): boolean => {
  const found = statSync(file, { throwIfNoEntry: false })
  return found !== undefined && Date.now() - found.mtimeMs > keptMillis
}

const filesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).flatMap((name) => (name.endsWith(suffix) ? [join(folder, name)] : []))
  } catch {
    return []
  }
}
