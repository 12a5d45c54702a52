import type { Views } from '../../../domain/kernel/view.ts'
import { byId } from '../../../domain/matching/work.ts'
import type { ComponentAnswer, LinkLine } from './answers.ts'
import { byEnds, linkLine, nodeReader } from './link-lines.ts'
import {
  generationOf,
  graphRow,
  linksFrom,
  linksTo,
  memberRow,
  type OfGeneration,
  stated,
} from './reading.ts'

interface ComponentScope extends OfGeneration {
  /** Most ids to show, 500 unless said: placeholders and deleted neighbours count, too. */
  readonly maxWorks?: number
  /** Most links between the work and a shown one. */
  readonly radius?: number
}

/** The component of a work or a placeholder; undefined for an id that is in none. */
export const componentAnswer = (
  store: Views,
  work: string,
  { maxWorks = 500, radius = Number.POSITIVE_INFINITY, ...of }: ComponentScope = {},
): ComponentAnswer | undefined => {
  const generation = generationOf(store, of)
  const number = memberRow(store, generation, work)?.graph
  const graph = typeof number === 'number' ? graphRow(store, generation, number) : undefined
  if (!graph) return undefined

  const isMember = remembered((id) => memberRow(store, generation, id)?.graph === graph.graph)
  const shown = nearest(store, work, isMember, { maxWorks, radius })
  const nodeOf = nodeReader(store, generation)
  const neighbours = new Set<string>()
  const links: LinkLine[] = []
  /** Shows a link that leads out of the component, and its other end; members that are left out are no neighbours. */
  const showLink = (link: LinkLine, neighbour: string) => {
    if (link.active || isMember(neighbour)) return
    if (!neighbours.has(neighbour) && shown.size + neighbours.size >= maxWorks) return
    neighbours.add(neighbour)
    links.push(link)
  }
  for (const id of shown) {
    for (const row of linksFrom(store, id))
      if (shown.has(row.to)) links.push(linkLine(row, nodeOf))
      else if (!isMember(row.to)) showLink(linkLine(row, nodeOf), row.to)
    for (const row of linksTo(store, id))
      if (!shown.has(row.from) && !isMember(row.from)) showLink(linkLine(row, nodeOf), row.from)
  }

  const members = [...shown].sort(byId).map(nodeOf)
  return {
    generation,
    graph: graph.graph,
    component: graph.component ?? work,
    size: graph.size ?? 0,
    version: graph.version ?? 0,
    changedAt: graph.changedAt ?? '',
    target: graph.merged === 1 ? graph.target : null,
    nodes: [...members, ...[...neighbours].sort(byId).map(nodeOf)],
    links: links.sort(byEnds),
    bridge: graph.bridge,
    leftOut: Math.max(0, (graph.size ?? 0) - members.filter(({ state }) => state !== 'placeholder').length),
  }
}

/** The nearest ids, breadth first; of equally near ones the smaller id first. */
const nearest = (
  store: Views,
  work: string,
  isMember: (id: string) => boolean,
  { maxWorks, radius }: Required<Pick<ComponentScope, 'maxWorks' | 'radius'>>,
): ReadonlySet<string> => {
  const shown = new Set([work])
  let ring = [work]
  for (let distance = 0; distance < radius && ring.length > 0 && shown.size < maxWorks; distance++) {
    const next: string[] = []
    for (const id of ring)
      for (const neighbour of shown.size < maxWorks ? stated(store, id) : [])
        if (shown.size < maxWorks && !shown.has(neighbour) && isMember(neighbour)) {
          shown.add(neighbour)
          next.push(neighbour)
        }
    ring = next
  }
  return shown
}

const remembered = (ask: (id: string) => boolean): ((id: string) => boolean) => {
  const known = new Map<string, boolean>()
  return (id) => {
    const answer = known.get(id) ?? ask(id)
    known.set(id, answer)
    return answer
  }
}
