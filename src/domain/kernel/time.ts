/** Times are ISO 8601 UTC text with milliseconds (`Date.toISOString`), so that they compare as text. */

export const addMillis = (instant: string, millis: number): string =>
  new Date(Date.parse(instant) + millis).toISOString()

export const millisBetween = (from: string, to: string): number => Date.parse(to) - Date.parse(from)

/** Returns the earlier of a time and now: a producer's clock may run ahead. */
export const earlier = (time: string, now: string): string => (time < now ? time : now)

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
