import { byId } from '../work.ts'
import type { Member } from './events.ts'

/** A link in its stated direction. */
export interface Link {
  readonly from: string
  readonly to: string
}

/** The only link between two parts of a component: its loss would separate `side` works from the others. */
export interface Bridge extends Link {
  readonly side: number
}

/** Smaller components are not worth a search; larger ones are a data error of another kind. */
export const minBridged = 4
export const maxBridged = 1000

/**
 * Finds the links whose loss alone would leave at least two works on each side. Returns the one that divides the
 * component most evenly; of equal ones the first by `from`, then `to`. A pair that is stated from both ends is not
 * divided by one loss. `links` are the active ones of a whole component.
 *
 * The search is Tarjan's bridge search by lowest link, without recursion: chains are long. The link over which a node
 * was reached is skipped only once, so that a second statement of a pair counts as another path.
 */
export const bridgeOf = (
  members: readonly Member[],
  placeholders: readonly string[],
  links: readonly Link[],
): Bridge | undefined => {
  const works = members.length
  if (works < minBridged || works > maxBridged) return undefined
  const numbers = new Map<string, number>()
  for (const [id] of members) numbers.set(id, numbers.size)
  for (const id of placeholders) numbers.set(id, numbers.size)
  const { first, next, ends } = adjacency(numbers, links)

  const found = new Int32Array(numbers.size)
  const lowest = new Int32Array(numbers.size)
  /** Number of works found at or behind a node. */
  const weight = new Int32Array(numbers.size).fill(1, 0, works)
  /** The half-link over which a node was found. */
  const via = new Int32Array(numbers.size).fill(none)
  let best: Bridge | undefined
  let clock = 1
  let node = 0
  found[node] = lowest[node] = clock
  for (;;) {
    const half = first[node]!
    const back = via[node]!
    if (half !== none) {
      first[node] = next[half]!
      const end = ends[half]!
      if (half === (back ^ 1)) continue
      if (found[end] === 0) {
        found[end] = lowest[end] = ++clock
        via[end] = half
        node = end
      } else if (found[end]! < lowest[node]!) lowest[node] = found[end]!
    } else if (back === none) return best
    else {
      const before = ends[back ^ 1]!
      weight[before]! += weight[node]!
      if (lowest[node]! < lowest[before]!) lowest[before] = lowest[node]!
      if (lowest[node] === found[node]) {
        const side = Math.min(weight[node]!, works - weight[node]!)
        best = better(best, links[back >> 1]!, side)
      }
      node = before
    }
  }
}

const none = -1

/** Adjacency lists: each link is two halves, 2i at its source and 2i + 1 at its target; `ends` are the far ends. */
const adjacency = (numbers: ReadonlyMap<string, number>, links: readonly Link[]) => {
  const first = new Int32Array(numbers.size).fill(none)
  const next = new Int32Array(2 * links.length)
  const ends = new Int32Array(2 * links.length)
  for (const [i, { from, to }] of links.entries()) {
    const source = numbers.get(from)!
    const target = numbers.get(to)!
    ends[2 * i] = target
    next[2 * i] = first[source]!
    first[source] = 2 * i
    ends[2 * i + 1] = source
    next[2 * i + 1] = first[target]!
    first[target] = 2 * i + 1
  }
  return { first, next, ends }
}

const better = (best: Bridge | undefined, { from, to }: Link, side: number): Bridge | undefined =>
  side >= 2 && (!best || (best.side - side || byId(from, best.from) || byId(to, best.to)) < 0)
    ? { from, to, side }
    : best
