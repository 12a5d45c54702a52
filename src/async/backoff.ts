const minPauseMillis = 100
const maxPauseMillis = 10_000

/** Milliseconds to wait after so many failures in a row: twice as long each time, and not the same for everybody. */
export const backoffMillis = (
  failures: number,
  minMillis = minPauseMillis,
  maxMillis = maxPauseMillis,
): number => Math.min(maxMillis, minMillis * 2 ** failures) * (0.5 + Math.random() / 2)
