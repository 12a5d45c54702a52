import type { ComponentAnswer, LinkLine, WorkNode } from './answers.ts'
import { pairOf } from './bridges.ts'

/** The drawn part of a component. */
export interface DrawnGraph {
  /** Its nodes and links are the drawn ones. */
  readonly answer: ComponentAnswer
  /** Works that stand for more, with how many they are together. */
  readonly folded: ReadonlyMap<string, number>
  /** Pairs (`pairOf`) whose link is the only one that joins them. */
  readonly bridges: ReadonlySet<string>
}

/** The whole answer, without any folding. */
export const unfolded = (answer: ComponentAnswer, bridges: ReadonlySet<string> = new Set()): DrawnGraph => ({
  answer,
  folded: new Map(),
  bridges,
})

/** Fewest works drawn as one; fewer are drawn one by one. */
const minFolded = 3

/**
 * Draws works as one, with their number, if they differ in id and title alone and are linked with one and the same work
 * only, for the same reasons. Works in `kept` stay as they are; `isLeaf` returns whether all links of a work are among
 * those of the answer.
 */
export const foldLeaves = (
  { answer, bridges }: DrawnGraph,
  kept: ReadonlySet<string>,
  isLeaf: (id: string) => boolean = () => true,
): DrawnGraph => {
  const folded = new Map<string, number>()
  const away = new Set<string>()
  for (const [first, ...others] of alikeLeaves(answer, kept, isLeaf))
    if (first !== undefined) {
      folded.set(first, others.length + 1)
      for (const id of others) away.add(id)
    }
  return { answer: without(answer, away), folded, bridges }
}

/** The ids of works that are drawn as one, in groups. */
export const alikeLeaves = (
  answer: ComponentAnswer,
  kept: ReadonlySet<string>,
  isLeaf: (id: string) => boolean,
): readonly (readonly string[])[] => {
  const links = linksByEnd(answer.links)
  const likenessOf = (node: WorkNode): string | undefined =>
    kept.has(node.id) || !isLeaf(node.id) ? undefined : likeness(node, links.get(node.id) ?? [])
  const alike = Map.groupBy(answer.nodes, likenessOf)
  alike.delete(undefined)
  return [...alike.values()]
    .filter((group) => group.length >= minFolded)
    .map((group) => group.map(({ id }) => id))
}

/**
 * The same text for works that differ in id and title alone; undefined if a work is not linked with exactly one other.
 */
const likeness = (
  { id, state, source, document, redirectsTo }: WorkNode,
  own: readonly LinkLine[],
): string | undefined => {
  const [other, ...more] = new Set(own.map((link) => otherEnd(link, id)))
  if (other === undefined || more.length > 0) return undefined
  const statements = own.map(({ from, reasons, active }) => [from === id, reasons, active])
  return JSON.stringify([other, state, source, document, redirectsTo, statements.sort()])
}

/**
 * Reduces the graph to the works nearest to one, within the given numbers of nodes and links. The others are left out.
 */
export const focusOn = (
  { answer, folded, bridges }: DrawnGraph,
  work: string,
  maxNodes: number,
  maxLinks: number,
): DrawnGraph => {
  if (answer.nodes.length <= maxNodes && answer.links.length <= maxLinks) return { answer, folded, bridges }
  const links = linksByEnd(answer.links)
  const near = new Set([work])
  let linked = 0
  for (const id of near)
    for (const link of links.get(id) ?? []) {
      const other = otherEnd(link, id)
      if (near.has(other)) continue
      const more = (links.get(other) ?? []).filter((one) => near.has(otherEnd(one, other))).length
      if (near.size >= maxNodes || linked + more > maxLinks) continue
      near.add(other)
      linked += more
    }
  const away = answer.nodes.filter(({ id }) => !near.has(id))
  const works = away.filter(({ state }) => state !== 'placeholder' && state !== 'deleted')
  const leftOut = works.reduce((sum, { id }) => sum + (folded.get(id) ?? 1), answer.leftOut)
  return { answer: { ...without(answer, new Set(away.map(({ id }) => id))), leftOut }, folded, bridges }
}

export const isBridge = ({ from, to, active }: LinkLine, { bridges }: DrawnGraph): boolean =>
  active && bridges.has(pairOf(from, to))

const without = (answer: ComponentAnswer, away: ReadonlySet<string>): ComponentAnswer => ({
  ...answer,
  nodes: answer.nodes.filter(({ id }) => !away.has(id)),
  links: answer.links.filter(({ from, to }) => !away.has(from) && !away.has(to)),
})

const otherEnd = ({ from, to }: LinkLine, id: string): string => (from === id ? to : from)

const linksByEnd = (links: readonly LinkLine[]): ReadonlyMap<string, readonly LinkLine[]> => {
  const byEnd = new Map<string, LinkLine[]>()
  for (const link of links)
    for (const end of new Set([link.from, link.to])) {
      const known = byEnd.get(end)
      if (known) known.push(link)
      else byEnd.set(end, [link])
    }
  return byEnd
}
