import type { Publication } from './manifest.ts'
import { createUnions, type Origins, publicationsOf } from './origins.ts'

/** Combines the origins of several runs, and separates ended ones from live ones. */
export interface OriginSorter {
  /** Tables of the two resulting runs. */
  readonly live: Origins
  readonly ended: Origins
  /** Maps an origin of one input to the origin among all. */
  originOf(input: number, origin: number): number
  unite(a: number, b: number): number
  /** Maps an origin to the table `live`, or `ended`; -1 if nothing of it belongs there. */
  livePart(origin: number): number
  endedPart(origin: number): number
}

/** `keepsEnded` counts all publications as live, for runs of removed lines. */
export const createOriginSorter = (tables: readonly Origins[], keepsEnded: boolean): OriginSorter => {
  const publications = tables.flatMap((table) => table.publications)
  const bases: number[] = []
  let count = 0
  for (const table of tables) {
    bases.push(count)
    count += table.publications.length
  }
  const all = createUnions(publications)
  const hasEnded = (publication: Publication) => !keepsEnded && publication.to !== undefined
  const live = createPart(all.origins, (publication) => !hasEnded(publication))
  const ended = createPart(all.origins, hasEnded)
  const known: number[][] = tables.map(() => [])

  return {
    live: live.origins,
    ended: ended.origins,
    originOf: (input, origin) => {
      const table = tables[input]!
      const base = bases[input]!
      if (origin < table.publications.length) return base + origin
      known[input]![origin] ??= all.of(publicationsOf(table, origin).map((member) => base + member))
      return known[input]![origin]!
    },
    unite: (a, b) =>
      a === b ? a : all.of([...publicationsOf(all.origins, a), ...publicationsOf(all.origins, b)]),
    livePart: live.of,
    endedPart: ended.of,
  }
}

const createPart = (all: Origins, belongs: (publication: Publication) => boolean) => {
  const places = new Map<number, number>()
  const publications: Publication[] = []
  for (const [i, publication] of all.publications.entries())
    if (belongs(publication)) places.set(i, publications.push(publication) - 1)
  const unions = createUnions(publications)
  const known: number[] = []
  const find = (origin: number): number => {
    const members = publicationsOf(all, origin).flatMap((member) => places.get(member) ?? [])
    return members.length === 0 ? -1 : unions.of(members)
  }
  return {
    origins: unions.origins,
    of: (origin: number): number => {
      known[origin] ??= find(origin)
      return known[origin]
    },
  }
}
