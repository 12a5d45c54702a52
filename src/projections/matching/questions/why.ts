import type { Views } from '../../../domain/kernel/view.ts'
import { byId } from '../../../domain/matching/work.ts'
import type { MemberRow } from '../tables.ts'
import type { Apart, Hop, LinkLine, Together, WhyAnswer } from './answers.ts'
import { idsOfCause } from './cause-words.ts'
import { type CoMembershipChange, coMembership } from './co-membership.ts'
import { linkLine, nodeReader } from './link-lines.ts'
import { type Neighbours, onlyWays, shortestPath } from './paths.ts'
import {
  type Bounded,
  generationOf,
  graphRow,
  linkRow,
  linksFrom,
  memberRow,
  membersOf,
  stated,
  turnsOf,
} from './reading.ts'
import { titleReader, titlesOf } from './titles.ts'
import { TooLarge } from './too-large.ts'

/** Most ids visited in the search for a path between two works that are apart. */
const maxVisited = 10_000

/** Why two ids are in one component, or are not; undefined if one of them is in none (see `matchStateOf`). */
export const why = (
  store: Views,
  a: string,
  b: string,
  { maxWorks = Number.POSITIVE_INFINITY, ...of }: Bounded = {},
): WhyAnswer | undefined => {
  const generation = generationOf(store, of)
  const memberA = memberRow(store, generation, a)
  const memberB = memberRow(store, generation, b)
  if (!memberA || !memberB) return undefined
  const meetings = meetingsOf(store, generation, memberA, memberB)
  const isOne = memberA.graph === memberB.graph
  if (isOne && sizeOf(store, memberA) > maxWorks) throw new TooLarge(a, maxWorks)
  const answer = isOne ? together(store, memberA, b, meetings) : apart(store, memberA, memberB, meetings)
  return { ...answer, titles: titlesOf(titleReader(store), idsIn(answer)) }
}

type Untitled = Omit<Together, 'titles'> | Omit<Apart, 'titles'>

const idsIn = (answer: Untitled): readonly string[] => {
  const ends = (links: readonly Pick<Hop, 'from' | 'to'>[]) => links.flatMap(({ from, to }) => [from, to])
  const others =
    answer.kind === 'together'
      ? ends(answer.path)
      : [...ends(answer.cut), ...(answer.lastTogether?.causes ?? []).flatMap(idsOfCause)]
  return [answer.a, answer.b, ...others]
}

const together = (
  store: Views,
  a: MemberRow,
  b: string,
  meetings: readonly CoMembershipChange[],
): Omit<Together, 'titles'> => {
  const { generation, id } = a
  const neighbours = activeNeighbours(store, generation, a.graph ?? 0)
  const hopOf = hopReader(store, generation)
  // A link may have been removed without the matcher having handled that: then there is no path any more.
  const path = shortestPath(id, b, neighbours) ?? []
  const hops = path.slice(1).map((to, i) => hopOf(path[i]!, to))
  return {
    kind: 'together',
    a: id,
    b,
    path: hops,
    parting: onlyWays(path, neighbours).map((place) => hops[place]!),
    since: meetings.at(-1)?.at ?? null,
  }
}

/** The links within one graph, either way. */
export const activeNeighbours = (store: Views, generation: number, graph: number): Neighbours => {
  const members = membersOf(store, generation, graph)
  const neighbours = new Map(members.map(({ id }) => [id, new Set<string>()]))
  for (const { id, placeholder } of members)
    for (const { to } of placeholder === 1 ? [] : linksFrom(store, id))
      if (neighbours.has(to)) {
        neighbours.get(id)?.add(to)
        neighbours.get(to)?.add(id)
      }
  return (id) => [...(neighbours.get(id) ?? [])].sort(byId)
}

const apart = (
  store: Views,
  a: MemberRow,
  b: MemberRow,
  meetings: readonly CoMembershipChange[],
): Omit<Apart, 'titles'> => {
  const last = meetings.at(-1)
  return {
    kind: 'apart',
    a: a.id,
    b: b.id,
    lastTogether: last ? { until: last.at, version: last.version, causes: last.causes } : null,
    cut: cutLinks(store, a, b),
  }
}

/** The inactive links on a shortest path over all stated links; the search begins on the smaller side. */
const cutLinks = (store: Views, a: MemberRow, b: MemberRow): readonly LinkLine[] => {
  const [from, to] = sizeOf(store, a) <= sizeOf(store, b) ? [a.id, b.id] : [b.id, a.id]
  const path = shortestPath(from, to, (id) => stated(store, id), maxVisited) ?? []
  const way = from === a.id ? path : path.toReversed()
  const hopOf = hopReader(store, a.generation)
  return way
    .slice(1)
    .flatMap((id, i) => hopOf(way[i]!, id).links)
    .filter(({ active }) => !active)
}

const sizeOf = (store: Views, { generation, graph }: MemberRow): number =>
  graphRow(store, generation, graph ?? 0)?.size ?? 0

const hopReader = (store: Views, generation: number): ((from: string, to: string) => Hop) => {
  const nodeOf = nodeReader(store, generation)
  return (from, to) => {
    const statements = [linkRow(store, from, to), linkRow(store, to, from)]
    return { from, to, links: statements.flatMap((row) => (row ? [linkLine(row, nodeOf)] : [])) }
  }
}

/** Empty for placeholders: they have no turns. */
const meetingsOf = (
  store: Views,
  generation: number,
  a: MemberRow,
  b: MemberRow,
): readonly CoMembershipChange[] => {
  const courseOf = ({ id, graph }: MemberRow) => ({
    turns: turnsOf(store, generation, id),
    graph: graph ?? 0,
  })
  if (a.placeholder === 1 || b.placeholder === 1) return []
  return coMembership(courseOf(a), courseOf(b))
}
