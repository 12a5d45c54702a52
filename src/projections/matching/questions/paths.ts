/** The ids next to one, in the order in which they are tried. */
export type Neighbours = (id: string) => Iterable<string>

/** A shortest path, both ends included; undefined if there is none, or none among the `max` ids nearest to `a`. */
export const shortestPath = (
  a: string,
  b: string,
  neighbours: Neighbours,
  max = Number.POSITIVE_INFINITY,
): readonly string[] | undefined => {
  const cameFrom = new Map<string, string | undefined>([[a, undefined]])
  for (const id of cameFrom.keys()) {
    if (id === b) return walkBack(cameFrom, b)
    if (cameFrom.size >= max) continue
    for (const next of neighbours(id)) if (!cameFrom.has(next)) cameFrom.set(next, id)
  }
  return undefined
}

const walkBack = (cameFrom: ReadonlyMap<string, string | undefined>, end: string): readonly string[] => {
  const path: string[] = []
  for (let id: string | undefined = end; id !== undefined; id = cameFrom.get(id)) path.push(id)
  return path.reverse()
}

/**
 * The steps of a path (0 is the one from its first id to its second) that every path between its ends takes: its
 * bridges. A step is no bridge if an id before it leads to one after it without taking any step of the path.
 */
export const onlyWays = (path: readonly string[], neighbours: Neighbours): readonly number[] => {
  const places = new Map(path.map((id, place) => [id, place]))
  const reached = new Set<string>()
  const only: number[] = []
  let furthest = 0
  for (const [place, start] of path.slice(0, -1).entries()) {
    const found = reached.has(start) ? [] : [start]
    reached.add(start)
    for (const id of found) {
      const here = places.get(id)
      furthest = Math.max(furthest, here ?? 0)
      for (const next of neighbours(id)) {
        const there = places.get(next)
        const isStep = here !== undefined && there !== undefined && Math.abs(here - there) === 1
        if (isStep || reached.has(next)) continue
        reached.add(next)
        found.push(next)
      }
    }
    if (furthest <= place) only.push(place)
  }
  return only
}
