/**
 * The version of the next change of a generation: milliseconds × 1000 + counter, above the last one whatever the clock
 * does. A safe integer until the year 2255; a later clock is ignored.
 */
export const nextVersion = (last: number, nowMillis: number): number => {
  const wanted = nowMillis * 1000
  return Number.isSafeInteger(wanted) && wanted > last ? wanted : last + 1
}

/** Times are for people, versions for order; but times never go back either. ISO 8601 UTC. */
export const nextTimeSent = (last: string, now: string): string => (now > last ? now : last)
