import { byId } from '../work.ts'
import { bridgeOf, type Link } from './bridge.ts'
import type { Component, Fact } from './component.ts'

/**
 * The components of some facts, the plain way (M9): what the graph must come to, and what it is checked against. The last
 * fact of a work counts. Large ones first, of equal size the one with the smallest id.
 */
export const componentsOf = (facts: Iterable<Fact>): Component[] => {
  const works = new Map<string, Fact>()
  for (const fact of facts) works.set(fact.id, fact)
  const neighbours = new Map<string, Set<string>>([...works.keys()].map((id) => [id, new Set()]))
  for (const work of works.values())
    for (const { from, to } of activeLinks(work, works)) {
      neighbours.get(from)?.add(to)
      neighbours.set(to, (neighbours.get(to) ?? new Set()).add(from))
    }

  const reached = new Set<string>()
  const components: Component[] = []
  for (const start of works.keys()) {
    if (reached.has(start)) continue
    reached.add(start)
    const ids = [start]
    for (const id of ids)
      for (const neighbour of neighbours.get(id) ?? [])
        if (!reached.has(neighbour)) {
          reached.add(neighbour)
          ids.push(neighbour)
        }
    components.push(component(ids.sort(byId), works))
  }
  return components.sort(bySize)
}

/** A seen and deleted work cuts, an id that was never seen connects. */
const activeLinks = ({ id, deleted, links }: Fact, works: ReadonlyMap<string, Fact>): Link[] =>
  deleted
    ? []
    : [...new Set(links)]
        .filter((to) => to !== id && !works.get(to)?.deleted)
        .map((to): Link => ({ from: id, to }))

const component = (ids: readonly string[], works: ReadonlyMap<string, Fact>): Component => {
  const seen = ids.flatMap((id) => works.get(id) ?? [])
  const members = seen.map(({ id, revision }): [string, number] => [id, revision])
  const placeholders = ids.filter((id) => !works.has(id))
  const links = seen.flatMap((work) => activeLinks(work, works))
  const bridge = bridgeOf(members, placeholders, links)
  return { members, placeholders, ...(bridge && { bridge }) }
}

const bySize = ({ members: a }: Component, { members: b }: Component): number =>
  b.length - a.length || byId(a[0]![0], b[0]![0])
