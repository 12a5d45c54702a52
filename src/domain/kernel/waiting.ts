import { addMillis, MINUTE } from './time.ts'

/** A back-off as stored: both times are by the writer's clock. */
export interface Wait {
  /** When it began; undefined if unknown. */
  readonly since: string | undefined
  readonly until: string
}

/** Most that clocks of machines may differ. */
export const maxSkewMillis = MINUTE

/**
 * True while a back-off lasts. One that begins in the future is from a clock that ran ahead, and is ignored: a
 * retry too early does no harm. Not for due dates of a schedule.
 */
export const isWaiting = ({ since, until }: Wait, now: string): boolean =>
  now < until && (since === undefined || since <= addMillis(now, maxSkewMillis))
