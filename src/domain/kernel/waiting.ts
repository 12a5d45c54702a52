import { addMillis, MINUTE } from './time.ts'

/** A back-off, as it is stored: both times are of the clock of who wrote them. */
export interface Wait {
  /** When it began; undefined where that is not known. */
  readonly since: string | undefined
  readonly until: string
}

/** How far clocks of machines may differ. */
export const maxSkewMillis = MINUTE

/**
 * Whether a back-off goes on. One that begins in the future is of a clock that ran ahead, and keeps nobody waiting: to try
 * once too early does no harm. Not for due dates of a schedule.
 */
export const isWaiting = ({ since, until }: Wait, now: string): boolean =>
  now < until && (since === undefined || since <= addMillis(now, maxSkewMillis))
