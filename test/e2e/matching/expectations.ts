import { expect } from 'vitest'
import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import { componentsOf } from '../../../src/domain/matching/graph/components.ts'
import type { GraphChanged } from '../../../src/domain/matching/graph/events.ts'
import { documentsOf } from '../../../src/domain/matching/merged/documents.ts'
import { defaultRules } from '../../../src/domain/matching/merged/rules.ts'
import type { WorkUpdated } from '../../../src/domain/matching/messages.ts'
import type { ViewStore } from '../../../src/ports/view-store.ts'

type Facts = ReadonlyMap<string, WorkUpdated>

/** Components of more works have documents of older versions, which one mark holds. */
const maxWrittenWhole = 16

/** At rest: components and documents are those of a fresh run, and all works of a component are held at one version (M9). */
export const expectMatched = (viewStore: ViewStore, facts: Facts, generation = 1): void => {
  const ofGeneration = { column: 'generation', is: '=', value: generation } as const
  const members = viewStore.query('matching-members', { where: [ofGeneration] })
  const works = members.filter(({ placeholder }) => placeholder === 0)
  const graphs = new Map(
    viewStore.query('matching-graphs', { where: [ofGeneration] }).map((row) => [row.graph, row]),
  )
  const merged = new Map(
    viewStore.query('matching-merged', { where: [ofGeneration] }).map((row) => [row.work as string, row]),
  )
  const expected = [...components(facts)]

  const grouped = [...Map.groupBy(works, ({ graph }) => graph).values()]
  expect(grouped.map((some) => some.map(({ id }) => id as string).sort()).sort(byFirst)).toEqual(
    expected.map(({ members }) => members.map(([id]) => id)).sort(byFirst),
  )
  expect(members.flatMap(({ placeholder, id }) => (placeholder === 1 ? [id as string] : [])).sort()).toEqual(
    expected.flatMap(({ placeholders }) => placeholders).sort(),
  )

  for (const { id, graph } of works) {
    const { version = 0, size = 0 } = (graphs.get(graph) ?? {}) as { version?: number; size?: number }
    const written = Number(merged.get(id as string)?.version)
    expect(written, `version of ${id}`).toBeLessThanOrEqual(version)
    if (size <= maxWrittenWhole) expect(written, `version of ${id}`).toBe(version)
  }
  // Each document is held at the version of its graph: written at it, or passed over by its mark.
  for (const { component, size, indexed } of graphs.values())
    expect({ component, indexed }).toEqual({ component, indexed: size })
  for (const { waitingSince, fault, component } of graphs.values())
    expect({ component, waitingSince, fault }).toEqual({ component, waitingSince: null, fault: null })

  const documents = Object.fromEntries([...merged].map(([work, { document }]) => [work, document]))
  expect(documents).toEqual(Object.fromEntries(expected.flatMap((one) => documentsIn(one.members, facts))))
}

/** Versions of a generation strictly grow, and times never fall. */
export const expectGrowing = (events: readonly RecordedEvent[]): void => {
  for (const [stream, life] of Map.groupBy(
    events.filter(({ type }) => type === 'GraphChanged'),
    ({ stream }) => stream,
  )) {
    let last = { version: 0, timeSent: '' }
    for (const { data } of life) {
      const change = data as GraphChanged
      // A change that is too large for one event is published in several.
      expect(change.version >= last.version && change.timeSent >= last.timeSent, stream).toBe(true)
      last = change
    }
  }
}

const components = (facts: Facts) =>
  componentsOf(
    [...facts.values()].map(({ id, state, links }) => ({
      id,
      revision: 0,
      deleted: state === 'deleted',
      links: links.map(({ to }) => to),
    })),
  )

const documentsIn = (members: readonly (readonly [string, number])[], facts: Facts) => [
  ...documentsOf(
    {
      component: members[0]![0],
      members: members
        .map(([id]) => facts.get(id)!)
        .map(({ id, source, state, title, fields }) => ({
          id,
          source,
          state,
          ...(title !== undefined && { title }),
          ...(fields && { fields }),
        })),
    },
    defaultRules,
  ),
]

const byFirst = (one: readonly string[], other: readonly string[]): number => (one[0]! < other[0]! ? -1 : 1)
