import { watchSilence } from '../../async/silence.ts'
import type { LockMark } from '../../domain/kernel/leader-lease.ts'
import type { Silence } from '../../domain/kernel/lease.ts'
import type { Ending } from '../../domain/kernel/task.ts'
import { addMillis } from '../../domain/kernel/time.ts'
import type { Condition } from '../../domain/kernel/view.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ProcessLock } from '../../ports/process-lock.ts'
import type { Overdue, Passed } from './ticker.ts'

/** A claim as a view shows it, and the command that expires it. */
export interface HeldClaim extends Pick<Silence, 'fence' | 'deadline'> {
  readonly name: string
  readonly holder?: string
  /** Lock of the holder's process; null, or absent, if it has none. */
  readonly lock?: LockMark | null
  readonly expiry: (ending: Ending) => Passed
}

interface ExpiredClaimsOptions {
  readonly name: string
  /** Returns at most a page of claims, the earliest deadlines first. */
  readonly claimsWhose: (deadline: Condition<'deadline'>) => readonly HeldClaim[]
  readonly clock: Pick<Clock, 'monotonic'>
  /** How long a claim lasts without a sign of life. Only a clock that ran ahead sets a later deadline. */
  readonly claimMillis: number
  /** Absent: no claim has a lock. */
  readonly processLock?: Pick<ProcessLock, 'hasEnded'> | undefined
}

/**
 * Expires claims whose deadline has passed, and those whose holder's process has ended. A deadline further ahead than a
 * claim lasts comes from a clock that ran ahead: such a claim expires once its holder was silent for that long.
 */
export const expiredClaimsOf = (options: ExpiredClaimsOptions): Overdue => {
  const { name, claimsWhose, clock, claimMillis, processLock } = options
  const silenceOf = watchSilence(clock)

  /** Tests each lock once, however many claims share it. */
  const ended = (at: string): readonly HeldClaim[] => {
    if (!processLock) return []
    const known = new Map<string, boolean>()
    return claimsWhose({ column: 'deadline', is: '>', value: at }).filter(({ lock }) => {
      if (!lock) return false
      const hasEnded = known.get(lock.file) ?? processLock.hasEnded(lock)
      known.set(lock.file, hasEnded)
      return hasEnded
    })
  }

  const silent = (at: string): readonly Passed[] => {
    const ahead = claimsWhose({ column: 'deadline', is: '>', value: addMillis(at, claimMillis) })
    return silenceOf(ahead, (one) => [one.name, `${one.fence}/${one.deadline}`]).flatMap(
      ([{ fence, deadline, expiry }, millis]) =>
        millis >= claimMillis ? [expiry({ at, silence: { fence, deadline, millis } })] : [],
    )
  }

  return {
    name,
    passed: async (at) => [
      ...claimsWhose({ column: 'deadline', is: '<=', value: at }).map(({ expiry }) => expiry({ at })),
      ...ended(at).map(({ holder, expiry }) => expiry({ at, endedHolder: holder })),
      ...silent(at),
    ],
  }
}
