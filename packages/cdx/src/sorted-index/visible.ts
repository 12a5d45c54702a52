import type { Publication, Run } from './manifest.ts'
import { type Origins, publicationsOf } from './origins.ts'

/**
 * A run's statement on a line: a rank above 0 shows it, one below 0 hides it, and 0 is none. The rank
 * farthest from 0 among several runs decides: lines of files are always shown, and the last statement on a
 * posted line holds.
 */
export type Rank = number
export const shown: Rank = Number.POSITIVE_INFINITY
export const decisive = (a: Rank, b: Rank): Rank => (Math.abs(b) > Math.abs(a) ? b : a)

/** Visibility of a run's lines: `none` of them, one rank for all, or a rank by origin. */
export type Visible = 'none' | Rank | ((origin: number) => Rank)

export interface AskedOf {
  readonly isRemoved: boolean
  readonly asOf: bigint | undefined
  /** The index has removals, which hide posted lines. */
  readonly hasRemovals: boolean
}

/** Returns undefined if the table of the run has to be read. */
export const visibleAtOnce = (run: Run, { isRemoved, asOf, hasRemovals }: AskedOf): Visible | undefined => {
  const { publication, ended, posted } = run
  if (isRemoved && asOf === undefined) return 'none'
  if (publication && !isHeld(publication, ended[0]?.[1], asOf)) return 'none'
  if (publication) return hasRemovals ? rankOf(publication) : shown
  return asOf === undefined && ended.length === 0 && !(posted && hasRemovals) ? shown : undefined
}

export const visibleIn = (run: Run, origins: Origins, { asOf, hasRemovals }: AskedOf): Visible => {
  const ends = new Map(run.ended)
  const ranks = origins.publications.map((publication) =>
    isHeld(publication, ends.get(publication.number), asOf) ? rankOf(publication) : 0,
  )
  if (ranks.every((rank) => (hasRemovals ? rank === shown : rank > 0))) return shown
  return (origin) =>
    publicationsOf(origins, origin).reduce((rank, publication) => decisive(rank, ranks[publication]!), 0)
}

/** Publication numbers grow with positions. */
const rankOf = ({ posted, number }: Publication): Rank =>
  posted === undefined ? shown : posted === 'added' ? number : -number

const isHeld = ({ from, to }: Publication, ended: string | undefined, at: bigint | undefined): boolean => {
  const end = to ?? ended
  if (at === undefined) return end === undefined
  return BigInt(from) <= at && (end === undefined || at < BigInt(end))
}
