import { type Engine, type Match, matchedDuration } from './terms.ts'

/*
 * Matches of one clip in one episode that overlap are one place: half of a jingle resembles its other half, and scores
 * beside the place itself. Older versions of the search, and other engines, report them.
 */

/** Overlap, as a share of the shorter match, up to which two matches are two places. */
const mayShare = 0.05

/** The search keeps places apart since this version, by the clip's sound without the silence at its ends. */
const keepsPlacesApart = ({ name, version }: Engine): boolean =>
  name === 'correlator' && Number.parseInt(version, 10) >= 3

interface Found {
  readonly matches: readonly Match[]
  readonly clipDuration: number
  readonly engine: Engine
}

/** Divides matches, which are ordered by offset, into the best of each place and those that overlap a better one. */
export const placesOf = ({
  matches,
  clipDuration,
  engine,
}: Found): { readonly matches: readonly Match[]; readonly overlapping: readonly Match[] } => {
  const whole = { matches, overlapping: [] }
  if (keepsPlacesApart(engine)) return whole
  const ends = matches.map((match) => match.offset + matchedDuration(match, clipDuration))
  const share = (i: number, j: number): boolean => {
    const [one, other] = [matches[i]!, matches[j]!]
    const shared = Math.min(ends[i]!, ends[j]!) - Math.max(one.offset, other.offset)
    return shared > mayShare * Math.min(ends[i]! - one.offset, ends[j]! - other.offset)
  }
  if (!matches.some((_, i) => i > 0 && share(i - 1, i))) return whole
  const longest = matches.reduce((most, { offset }, i) => Math.max(most, ends[i]! - offset), 0)
  const taken = new Set<number>()
  const isTaken = (i: number): boolean => {
    const { offset } = matches[i]!
    for (let j = i - 1; j >= 0 && offset - matches[j]!.offset < longest; j--)
      if (taken.has(j) && share(i, j)) return true
    for (let j = i + 1; j < matches.length && matches[j]!.offset < ends[i]!; j++)
      if (taken.has(j) && share(i, j)) return true
    return false
  }
  const byScore = matches.map((_, i) => i).sort((i, j) => matches[j]!.score - matches[i]!.score || i - j)
  for (const i of byScore) if (!isTaken(i)) taken.add(i)
  return {
    matches: matches.filter((_, i) => taken.has(i)),
    overlapping: matches.filter((_, i) => !taken.has(i)),
  }
}
