const firstPause = 100
const longestPause = 15_000

/** Milliseconds to wait after so many failures in a row: twice as long each time, and not the same for everybody. */
export const pauseAfter = (failures: number, first = firstPause, longest = longestPause): number =>
  Math.min(longest, first * 2 ** failures) * (0.5 + Math.random() / 2)
