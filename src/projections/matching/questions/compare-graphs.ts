import { is } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { pagesOf } from '../../../domain/kernel/view-pages.ts'
import type { Fact } from '../../../domain/matching/graph/component.ts'
import { componentsOf } from '../../../domain/matching/graph/components.ts'
import * as views from '../../../domain/matching/views.ts'
import type { Difference, Verified } from './answers.ts'

const maxExamples = 5

interface Graph {
  /** Component and size as in the views. */
  readonly component: string | null
  readonly size: number | null
  /** Its works, and its placeholders with a mark. */
  readonly ids: string[]
}

/** The graphs of a generation as the views have them. */
interface Graphs {
  readonly graphOf: ReadonlyMap<string, number>
  readonly graphs: ReadonlyMap<number, Graph>
}

export const graphsIn = (store: Pick<Views, 'query'>, generation: number): Graphs => {
  const ofIt = { where: [is('generation', generation)] }
  const graphs = new Map<number, Graph>()
  for (const page of pagesOf(store, views.graphs, ofIt))
    for (const { graph, component, size } of page) graphs.set(graph, { component, size, ids: [] })
  const graphOf = new Map<string, number>()
  for (const page of pagesOf(store, views.members, ofIt))
    for (const { id, graph, placeholder: isPlaceholder } of page) {
      graphOf.set(id, graph)
      if (!graphs.has(graph)) graphs.set(graph, { component: null, size: null, ids: [] })
      graphs.get(graph)?.ids.push(isPlaceholder === 1 ? placeholder(id) : id)
    }
  return { graphOf, graphs }
}

const placeholder = (id: string): string => `(${id})`

/** Compares the graphs with the components of some facts. */
export const compareGraphs = (
  facts: ReadonlyMap<string, Fact>,
  { graphOf, graphs }: Graphs,
): Omit<Verified, 'generation' | 'titles'> => {
  const components = componentsOf(facts.values())
  const examples: Difference[] = []
  let differences = 0
  const differ = (difference: Difference) => {
    differences++
    if (examples.length < maxExamples) examples.push(difference)
  }
  const compared = new Set<number>()
  for (const { members, placeholders } of components) {
    const component = members[0]![0]
    const number = graphOf.get(component)
    const graph = number === undefined ? undefined : graphs.get(number)
    if (number !== undefined) compared.add(number)
    const expected = [...members.map(([id]) => id), ...placeholders.map(placeholder)].sort()
    const found = (graph?.ids ?? []).toSorted()
    const isEqual = expected.length === found.length && expected.every((id, i) => id === found[i])
    if (!isEqual || graph?.component !== component || graph.size !== members.length)
      differ({ expected, found })
  }
  for (const [number, { ids }] of graphs) if (!compared.has(number)) differ({ expected: [], found: ids })
  return { components: components.length, works: facts.size, differences, examples }
}
