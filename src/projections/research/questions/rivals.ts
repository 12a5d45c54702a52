import type { Occurrence } from './answers.ts'
import { compare } from './reading.ts'

/**
 * By episode and place; of clips that claim one place the better first, each with its rank and its best rival. A place is one where two
 * clips share half of the longer one, so that a word within a sentence is no rival.
 */
export const ranked = (all: readonly Occurrence[]): readonly Occurrence[] =>
  claims(all.toSorted(byPlace)).flatMap((claim) => claim.map((one, i) => ({ ...one, ...standing(claim, i) })))

const standing = (claim: readonly Occurrence[], i: number): Pick<Occurrence, 'rival' | 'rank'> => {
  const rival = claim.find(({ clip }) => clip !== claim[i]!.clip)
  return rival ? { rank: i + 1, rival: rival.clip } : {}
}

/** Occurrences of one place, the better first; the places in order. */
const claims = (sorted: readonly Occurrence[]): readonly (readonly Occurrence[])[] => {
  const found: Occurrence[][] = []
  /** Claims that may still get one more: those that have not ended. */
  let open: Occurrence[][] = []
  for (const one of sorted) {
    open = open.filter((claim) =>
      claim.some((other) => other.episode === one.episode && endOf(other) > one.offset),
    )
    const claim = open.find((some) => some.some((other) => isSamePlace(one, other)))
    if (claim) claim.push(one)
    else {
      const own = [one]
      found.push(own)
      open.push(own)
    }
  }
  for (const claim of found) claim.sort((a, b) => b.score - a.score || byPlace(a, b))
  return found
}

const isSamePlace = (one: Occurrence, other: Occurrence): boolean => {
  const shared = Math.min(endOf(one), endOf(other)) - Math.max(one.offset, other.offset)
  return one.clip !== other.clip && shared > 0 && 2 * shared >= Math.max(one.duration, other.duration)
}

const endOf = ({ offset, duration }: Occurrence): number => offset + duration

const byPlace = (one: Occurrence, other: Occurrence): number =>
  compare(one.episode, other.episode) || one.offset - other.offset || compare(one.clip, other.clip)
