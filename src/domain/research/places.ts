import { type Span, selectApart } from '@fonds/sound'
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
  if (keepsPlacesApart(engine)) return { matches, overlapping: [] }
  const taken = new Set(
    selectApart(
      matches.map((match) => spanOf(match, clipDuration)),
      mayShare,
    ),
  )
  return {
    matches: matches.filter((_, i) => taken.has(i)),
    overlapping: matches.filter((_, i) => !taken.has(i)),
  }
}

/** The less of the clip a part is, the less its score means: the search weighs parts alike. */
const spanOf = (match: Match, clipDuration: number): Span => {
  const { offset, score, part } = match
  const duration = Math.max(1, matchedDuration(match, clipDuration))
  const share = part ? Math.min(1, (part.to - part.from) / Math.max(1, clipDuration)) : 1
  return { start: offset, end: offset + duration, score: score * Math.sqrt(share) }
}
