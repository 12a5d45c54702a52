import { type Missing, type Piece, Unreadable } from './sound.ts'

/** A stretch that cannot be decoded; seconds from the beginning. At the end of a file it is behind the last sample. */
export interface Gap {
  readonly at: number
  readonly seconds: number
}

/** Shorter differences from a stated length are usual. */
const leastMissing = 0.1

const maxGaps = 10_000

/** Collects gaps; those that touch are one. */
export const createGaps = (gaps: Gap[]) => {
  let lost = 0
  let missing = 0

  const add = (at: number, seconds: number) => {
    const before = gaps.at(-1)
    if (before && at - (before.at + before.seconds) < 1e-6)
      gaps[gaps.length - 1] = { at: before.at, seconds: at + seconds - before.at }
    else if (gaps.push({ at, seconds }) > maxGaps)
      throw new Unreadable(`is damaged in more than ${maxGaps} places; fetch or export it again`)
  }

  return {
    add: (at: number, seconds: number, kind: NonNullable<Piece['lost']>) => {
      if (kind === 'as-much') lost += seconds
      add(at, seconds)
    },
    atEnd: (at: number, end: Missing) => {
      const seconds = end.missing / end.rate
      if (!(seconds >= leastMissing)) return
      if (!end.isDoubtful) missing = seconds
      add(at, seconds)
    },
    /** Throws `Unreadable` if surely less than half of the sound was decoded: to find nothing in it would mean little. */
    check: (seconds: number) => {
      const read = seconds - lost
      const all = seconds + missing
      if (read >= all / 2) return
      const share = `${read.toFixed(1)} s of ${all.toFixed(1)} s can be read`
      throw new Unreadable(
        missing > lost
          ? `ends in the middle (${share}); fetch or export it again`
          : `is damaged (${share}); fetch or export it again`,
      )
    },
  }
}
