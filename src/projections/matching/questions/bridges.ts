import type { Neighbours } from './paths.ts'

/** Names the pair of two ids, whichever way round. */
export const pairOf = (a: string, b: string): string => JSON.stringify(a < b ? [a, b] : [b, a])

interface Visit {
  readonly id: string
  readonly from: string | undefined
  readonly left: Iterator<string>
  readonly number: number
  /** The lowest number that is reached from it without the step by which it was found. */
  lowest: number
}

/**
 * The bridges among all pairs that can be reached from `start`: pairs of ids joined by one step alone. `why` says that
 * these would part others. Tarjan's search by lowest link, without recursion.
 */
export const bridgesFrom = (start: string, neighbours: Neighbours): ReadonlySet<string> => {
  const bridges = new Set<string>()
  const visits = new Map<string, Visit>()
  const visit = (id: string, from?: string): Visit => {
    const number = visits.size
    const one = { id, from, left: neighbours(id)[Symbol.iterator](), number, lowest: number }
    visits.set(id, one)
    return one
  }
  const path = [visit(start)]
  for (let here = path.at(-1); here; here = path.at(-1)) {
    const { value: next, done } = here.left.next()
    if (done) {
      path.pop()
      const before = path.at(-1)
      if (!before) break
      before.lowest = Math.min(before.lowest, here.lowest)
      if (here.lowest === here.number) bridges.add(pairOf(before.id, here.id))
      continue
    }
    const there = visits.get(next)
    if (!there) path.push(visit(next, here.id))
    else if (next !== here.from) here.lowest = Math.min(here.lowest, there.number)
  }
  return bridges
}
