import { closeSync, openSync, writeSync } from 'node:fs'
import { isSystemError } from '@fonds/toolbox'
import type { LockMark } from '../../src/domain/kernel/leader-lease.ts'
import { removeWorkFile, workFileOf } from './work-file.ts'

/** The work in hand of this process, in its file. Throws errors of the file system. */
export interface OwnWorkFile {
  readonly file: string
  take(kind: string, what: string): () => void
  remove(): void
}

interface OwnSlot {
  /** Byte offset of its text in the file. */
  readonly position: number
  readonly width: number
}

/** Width of two offsets with a hyphen between. */
const minWidth = 41

export const createOwnWorkFile = (mark: LockMark): OwnWorkFile => {
  const file = workFileOf(mark)
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

  const release = (kind: string, slot: OwnSlot): void => {
    if (!isOpen) return
    try {
      fill(slot, '')
    } catch (error) {
      // The work is done, even if the disk refuses the write.
      if (!isSystemError(error)) throw error
    }
    const ofKind = free.get(kind)
    if (ofKind) ofKind.push(slot)
    else free.set(kind, [slot])
  }

  return {
    file,
    take: (kind, what) => {
      const slot = slotFor(kind, what)
      return () => release(kind, slot)
    },
    remove: () => {
      isOpen = false
      closeSync(fd)
      removeWorkFile(file)
    },
  }
}
