import { resolve } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import type { LockMark } from '../../src/domain/kernel/leader-lease.ts'
import type { ProcessLock } from '../../src/ports/process-lock.ts'
import type { WorkInHand } from '../../src/ports/work-in-progress.ts'
import { createOwnHand, type OwnHand } from './own-work-file.ts'
import { type Hand, handsIn, isForgotten, isOfDead, leftIn, markDead, removeHand } from './work-file.ts'

/**
 * `folder`: that of the lock files. `stays`: kinds of work that are kept until somebody settles them, where no other kind may
 * be what their process died of.
 */
export const openWorkInHand = (
  folder: string,
  processLock: Pick<ProcessLock, 'mark' | 'hasEnded'>,
  stays: readonly string[] = [],
): WorkInHand => {
  /** False where there can be none. */
  let own: OwnHand | false | undefined
  let othersDied = false

  const others = () => handsIn(resolve(folder), own ? own.file : undefined)

  /** Undefined where its process may live, or ended when the machine did. */
  const asDead = (hand: Hand): Hand | undefined => {
    if (isOfDead(hand)) return hand
    return processLock.hasEnded(hand.mark) ? markDead(hand) : undefined
  }

  const sweep = ({ bootId }: LockMark): void => {
    for (const hand of others()) {
      const dead = asDead(hand)
      othersDied ||= dead !== undefined
      const { file, slots } = dead ?? hand
      const isEmpty = dead !== undefined && slots.length === 0
      const isKept = dead !== undefined && slots.every(({ kind }) => stays.includes(kind))
      // One that had nothing to do for a week lives all the same.
      const mayLive = dead === undefined && hand.mark.bootId === bootId
      if (isEmpty || (!isKept && !mayLive && isForgotten(dead ?? hand))) removeHand(file)
    }
  }

  const openOwn = (): OwnHand | false => {
    if (own !== undefined) return own
    own = false
    try {
      const mark = processLock.mark()
      if (!mark) return false
      sweep(mark)
      own = createOwnHand(mark)
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
      const hand = openOwn()
      if (!hand) return noop
      try {
        return hand.take(kind, what)
      } catch (error) {
        if (!isSystemError(error)) throw error
        return noop
      }
    },
    leftOf: (kind) =>
      others().flatMap((hand) => {
        const slots = hand.slots.filter((slot) => slot.kind === kind)
        const dead = slots.length > 0 ? asDead(hand) : undefined
        return dead ? slots.map((slot) => leftIn(dead, slot)) : []
      }),
    locks: () => others().flatMap((hand) => (isOfDead(hand) ? [] : [hand.mark])),
    close: () => {
      if (own) own.remove()
      own = false
    },
  }
}

const noop = (): void => {}
