import * as E from 'fp-ts/lib/Either.js'
import { addMillis } from './time.ts'

/**
 * A lease: the holder of a piece of work, its deadline, and the fencing number that a late report must carry. Deadlines
 * are compared: no event has to arrive for one to pass.
 */
export interface Lease {
  readonly holder: string
  /** ISO 8601 UTC; the lease is active while now < deadline. */
  readonly deadline: string
  /** Increases with each grant of the same work. */
  readonly fence: number
  /** Milliseconds that the holder may be silent, counted from its last sign of life; absent from old events. */
  readonly millis?: number | undefined
}

/**
 * A waiting process's measurement by its monotonic clock: the lease has had this fence and deadline for `millis`.
 * Without it, a deadline from a clock that ran ahead would make everybody wait.
 */
export interface Silence extends Pick<Lease, 'fence' | 'deadline'> {
  readonly millis: number
}

export type LeaseRejection =
  | { readonly code: 'held'; readonly message: string }
  | { readonly code: 'fenced'; readonly message: string }

export const isActive = <L extends Pick<Lease, 'deadline'>>(lease: L | undefined, now: string): lease is L =>
  lease !== undefined && now < lease.deadline

/** True if the holder was silent for as long as it may be. */
export const isSilent = ({ fence, deadline, millis = 0 }: Lease, silence: Silence | undefined): boolean =>
  silence !== undefined &&
  silence.fence === fence &&
  silence.deadline === deadline &&
  silence.millis >= millis

/** Grants a lease if none is active. `lastFence` is the highest fence ever granted for this work (0 = none). */
export const grant = (
  current: Lease | undefined,
  lastFence: number,
  holder: string,
  now: string,
  deadline: string,
): E.Either<LeaseRejection, Lease> =>
  isActive(current, now)
    ? E.left({
        code: 'held',
        message: `held by ${current.holder} until ${current.deadline}; try again after that`,
      })
    : E.right({ holder, deadline, fence: lastFence + 1 })

/**
 * Right if `fence` is the last one granted and not given back. Its bearer may then act, even past the deadline: nobody
 * else took the work.
 */
export const checkFence = (current: Lease | undefined, fence: number): E.Either<LeaseRejection, Lease> =>
  current !== undefined && current.fence === fence
    ? E.right(current)
    : E.left({
        code: 'fenced',
        message: `claim ${fence} no longer holds this work${current ? `; claim ${current.fence} does` : ''}; drop the result`,
      })

/** Gives an active lease another deadline, computed from the current one and the one that its holder asks for. */
const withDeadline =
  (deadlineOf: (before: string, asked: string) => string) =>
  <L extends Pick<Lease, 'deadline' | 'fence'>>(
    current: L | undefined,
    fence: number,
    now: string,
    deadline: string,
  ): E.Either<LeaseRejection, L> =>
    current?.fence === fence && isActive(current, now)
      ? E.right({ ...current, deadline: deadlineOf(current.deadline, deadline) })
      : E.left({ code: 'fenced', message: `claim ${fence} has ended; stop the work and claim it again` })

/** Extends a lease. Deadlines never move back. */
export const extend = withDeadline((before, asked) => (asked > before ? asked : before))

/**
 * Sets the deadline that the holder asks for, which is earlier if its clock was put back. It changes each time, so that
 * a waiting process sees that the holder is alive.
 */
export const restate = withDeadline((before, asked) => (asked === before ? addMillis(asked, 1) : asked))
