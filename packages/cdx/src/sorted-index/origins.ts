import * as t from 'io-ts'
import { Publication } from './manifest.ts'

/**
 * Publications whose lines a merged run has. A line's origin is a number: the index of a publication or,
 * counted on behind those, of a union of publications that have the same line.
 */
export const Origins = t.type(
  { publications: t.array(Publication), unions: t.array(t.array(t.number)) },
  'origins of the lines of a run',
)
export type Origins = t.TypeOf<typeof Origins>

/** Indexes of an origin's publications, ascending. */
export const publicationsOf = ({ publications, unions }: Origins, origin: number): readonly number[] => {
  if (origin < publications.length) return [origin]
  const union = unions[origin - publications.length]
  if (!union) throw new RangeError(`a line has the origin ${origin}, which its run does not know`)
  return union
}

/** Collects unions of publications, each once. */
export const createUnions = (publications: readonly Publication[]) => {
  const unions: number[][] = []
  const known = new Map<string, number>()
  const origins: Origins = { publications: [...publications], unions }
  return {
    origins,
    /** Returns the origin of lines that all these publications have; at least one. */
    of: (members: readonly number[]): number => {
      if (members.length === 1) return members[0]!
      const sorted = [...new Set(members)].sort((a, b) => a - b)
      if (sorted.length === 1) return sorted[0]!
      const key = sorted.join()
      let union = known.get(key)
      if (union === undefined) {
        union = publications.length + unions.push(sorted) - 1
        known.set(key, union)
      }
      return union
    },
  }
}
