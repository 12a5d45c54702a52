import { resolve } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import type { LockMark } from '../../src/domain/kernel/leader-lease.ts'
import type { ProcessLock } from '../../src/ports/process-lock.ts'
import type { WorkInProgress } from '../../src/ports/work-in-progress.ts'
import { createOwnWorkFile, type OwnWorkFile } from './own-work-file.ts'
import {
  isForgotten,
  isOfDead,
  leftIn,
  markDead,
  removeWorkFile,
  type WorkFile,
  workFilesIn,
} from './work-file.ts'

/**
 * `folder`: that of the lock files. `stays`: kinds of work that are kept until somebody settles them, where no other kind may
 * be what their process died of.
 */
export const openWorkInProgress = (
  folder: string,
  processLock: Pick<ProcessLock, 'mark' | 'hasEnded'>,
  stays: readonly string[] = [],
): WorkInProgress => {
  /** False where there can be none. */
  let own: OwnWorkFile | false | undefined
  let othersDied = false

  const others = () => workFilesIn(resolve(folder), own ? own.file : undefined)

  /** Undefined where its process may live, or ended when the machine did. */
  const asDead = (other: WorkFile): WorkFile | undefined => {
    if (isOfDead(other)) return other
    return processLock.hasEnded(other.mark) ? markDead(other) : undefined
  }

  const sweep = ({ bootId }: LockMark): void => {
    for (const other of others()) {
      const dead = asDead(other)
      othersDied ||= dead !== undefined
      const { file, slots } = dead ?? other
      const isEmpty = dead !== undefined && slots.length === 0
      const isKept = dead !== undefined && slots.every(({ kind }) => stays.includes(kind))
      // One that had nothing to do for a week lives all the same.
      const mayLive = dead === undefined && other.mark.bootId === bootId
      if (isEmpty || (!isKept && !mayLive && isForgotten(dead ?? other))) removeWorkFile(file)
    }
  }

  const openOwn = (): OwnWorkFile | false => {
    if (own !== undefined) return own
    own = false
    try {
      const mark = processLock.mark()
      if (!mark) return false
      sweep(mark)
      own = createOwnWorkFile(mark)
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
      const mine = openOwn()
      if (!mine) return noop
      try {
        return mine.take(kind, what)
      } catch (error) {
        if (!isSystemError(error)) throw error
        return noop
      }
    },
    leftOf: (kind) =>
      others().flatMap((other) => {
        const slots = other.slots.filter((slot) => slot.kind === kind)
        const dead = slots.length > 0 ? asDead(other) : undefined
        return dead ? slots.map((slot) => leftIn(dead, slot)) : []
      }),
    locks: () => others().flatMap((other) => (isOfDead(other) ? [] : [other.mark])),
    close: () => {
      if (own) own.remove()
      own = false
    },
  }
}

const noop = (): void => {}
