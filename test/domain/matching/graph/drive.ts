import type { Component, Fact } from '#src/domain/matching/graph/component.ts'
import { componentsOf } from '#src/domain/matching/graph/components.ts'
import { createGraph, type Graph } from '#src/domain/matching/graph/graph.ts'
import { byId } from '#src/domain/matching/work.ts'

/* A graph that is driven by sentences, and beside it the latest facts, for the oracle. */

export const live = (id: string, ...links: string[]): Fact => ({ id, revision: 0, deleted: false, links })
export const gone = (id: string, ...links: string[]): Fact => ({ ...live(id, ...links), deleted: true })

/** Members of each component, in the order published: `A B` is one component. A placeholder is in brackets. */
export const groups = (components: Iterable<Component>): string[] =>
  [...components].map(({ members, placeholders }) =>
    [...members.map(([id]) => id), ...placeholders.map((id) => `(${id})`)].join(' '),
  )

/** What is to be published, and in which families: component by component, in the order of a change. */
export const taken = (graph: Graph) => {
  const { families, count, dropped } = graph.take()
  const together = [...families]
  const components = together.flatMap((family) => family.components).sort(inOrder)
  return { components, families: together, count, dropped }
}

const inOrder = ({ members: a }: Component, { members: b }: Component): number =>
  b.length - a.length || byId(a[0]![0], b[0]![0])

/** Applies these facts as one batch: what is published, and what is dropped (`-id`). */
export const batch = (graph: Graph, ...facts: Fact[]): string[] => {
  for (const fact of facts) graph.apply(fact)
  const { components, dropped } = taken(graph)
  return [...groups(components), ...dropped.map((id) => `-${id}`)]
}

/** All components of a graph that has nothing to publish, in the order of a change. */
export const whole = (graph: Graph): readonly Component[] =>
  [...graph.list(0, Number.POSITIVE_INFINITY).components].sort(inOrder)

/** A graph of these facts that has been published, one batch. */
export const graphOf = (...facts: Fact[]): Graph => {
  const graph = createGraph()
  batch(graph, ...facts)
  return graph
}

export const idsIn = ({ members, placeholders }: Component): string[] => [
  ...members.map(([id]) => id),
  ...placeholders,
]

/**
 * What must be published when the facts were `before` and some works have changed: every component that holds a member of an
 * old component of theirs, or one of them; and the placeholders that are gone.
 */
export const expectedChange = (
  before: readonly Fact[],
  after: readonly Fact[],
  changed: ReadonlySet<string>,
): { components: readonly Component[]; dropped: readonly string[] } => {
  const [old, now] = [componentsOf(before), componentsOf(after)]
  const touched = new Set(changed)
  for (const component of old)
    if (idsIn(component).some((id) => changed.has(id))) for (const id of idsIn(component)) touched.add(id)
  const there = new Set(now.flatMap(idsIn))
  return {
    components: now.filter((component) => idsIn(component).some((id) => touched.has(id))),
    dropped: old
      .flatMap(({ placeholders }) => placeholders)
      .filter((id) => !there.has(id))
      .sort(byId),
  }
}
