import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Component, Fact } from '#src/domain/matching/graph/component.ts'
import { componentsOf } from '#src/domain/matching/graph/components.ts'
import { createGraph, type Graph, readGraph } from '#src/domain/matching/graph/graph.ts'
import { runs } from '../../../runs.ts'
import { fact, type Step, steps } from './arbitraries.ts'
import { expectDecided } from './deciding-links.ts'
import { expectedChange, idsIn, taken, whole } from './drive.ts'

const settings = { numRuns: runs(1000) }

/**
 * Those that hold works of one component as it was, and those alone, directly or by others, are one family; in each, and
 * among them, large components come first.
 */
const expectFamilies = (families: readonly (readonly Component[])[], before: readonly Fact[]): void => {
  const was = new Map(componentsOf(before).flatMap((one) => idsIn(one).map((id) => [id, one] as const)))
  const familyOf = new Map<Component, number>()
  for (const [number, family] of families.entries()) {
    const reached = new Set([family[0]!])
    for (const one of reached) {
      const old = new Set(idsIn(one).map((id) => was.get(id)))
      for (const other of family)
        if (idsIn(other).some((id) => was.has(id) && old.has(was.get(id)))) reached.add(other)
    }
    expect(reached.size).toBe(family.length)
    for (const id of family.flatMap(idsIn)) {
      const old = was.get(id)
      if (old) expect(familyOf.get(old) ?? number).toBe(number)
      if (old) familyOf.set(old, number)
    }
  }
  const firsts = families.map(([first]) => first!.members.length)
  expect(firsts).toEqual(firsts.toSorted((a, b) => b - a))
  for (const family of families) {
    const sizes = family.map(({ members }) => members.length)
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
  }
}

/** Lives through the steps beside the facts, and looks at each change as it is published. */
const live = (
  life: readonly Step[],
  seeChange: (
    published: ReturnType<typeof expectedChange>,
    before: readonly Fact[],
    after: readonly Fact[],
    changed: ReadonlySet<string>,
  ) => void = () => {},
): { graph: Graph; facts: readonly Fact[] } => {
  let graph = createGraph()
  graph.take()
  const latest = new Map<string, Fact>()
  let before: readonly Fact[] = []
  let changed = new Set<string>()
  const take = () => {
    const { components, families, count, dropped } = taken(graph)
    const published = { components, dropped }
    expect(components).toHaveLength(count)
    expectFamilies(
      families.map(({ components }) => components),
      before,
    )
    expect(graph.pending).toBe(0)
    expectDecided(families, before, [...latest.values()], changed)
    seeChange(published, before, [...latest.values()], changed)
    before = [...latest.values()]
    changed = new Set()
  }
  for (const step of [...life, { kind: 'take' } as const])
    switch (step.kind) {
      case 'fact':
        graph.apply(step.fact)
        latest.set(step.fact.id, step.fact)
        changed.add(step.fact.id)
        break
      case 'touch':
        expect(graph.touch(step.id)).toBe(latest.has(step.id))
        if (latest.has(step.id)) changed.add(step.id)
        break
      case 'ask':
        expect(graph.componentOf(step.id)).toEqual(
          componentsOf(latest.values()).find((component) => idsIn(component).includes(step.id)),
        )
        break
      case 'take':
        take()
        break
      case 'restart': {
        take()
        const read = readGraph(Buffer.concat([...graph.parts()]))
        expect(read).toBeDefined()
        graph = read!
        graph.take()
      }
    }
  return { graph, facts: [...latest.values()] }
}

it('M9: whatever the order of works, repeats and batches, the components are those of the latest facts', () => {
  fc.assert(
    fc.property(steps, (life) => {
      const { graph, facts } = live(life)
      const expected = componentsOf(facts)
      expect(whole(graph)).toEqual(expected)
      expect(graph.works).toBe(facts.length)
      expect(graph.size).toBe(expected.flatMap(idsIn).length)
    }),
    settings,
  )
})

it('M9: the latest facts in any order, published in any batches, come to the same', () => {
  const inAnyOrder = fc
    .uniqueArray(fact, { selector: ({ id }) => id })
    .chain((facts) =>
      fc.tuple(
        fc.shuffledSubarray(facts, { minLength: facts.length }),
        fc.shuffledSubarray(facts, { minLength: facts.length }),
        fc.array(fc.nat(facts.length)),
      ),
    )
  fc.assert(
    fc.property(inAnyOrder, ([once, again, takes]) => {
      const [graph, other] = [createGraph(), createGraph()]
      for (const fact of once) graph.apply(fact)
      for (const [i, fact] of [...again, ...once].entries()) {
        other.apply(fact)
        if (takes.includes(i)) other.take()
      }
      graph.take()
      other.take()
      expect(whole(other)).toEqual(whole(graph))
    }),
    settings,
  )
})

it('M6, M13: published are the old and the new component of each changed work, in order, and nothing else', () => {
  fc.assert(
    fc.property(steps, (life) => {
      live(life, (published, before, after, changed) => {
        expect(published).toEqual(expectedChange(before, after, changed))
      })
    }),
    settings,
  )
})

it('M14: who knows only what was published, the last word on each work, knows the whole graph at rest', () => {
  fc.assert(
    fc.property(steps, (life) => {
      const believed = new Map<string, string>()
      const { facts } = live(life, ({ components, dropped }) => {
        for (const id of dropped) expect(believed.delete(id)).toBe(true)
        for (const component of components)
          for (const id of idsIn(component)) believed.set(id, JSON.stringify(component))
      })
      const truth = componentsOf(facts).flatMap((component) =>
        idsIn(component).map((id) => [id, JSON.stringify(component)] as const),
      )
      expect(believed).toEqual(new Map(truth))
    }),
    settings,
  )
})

it('listed in pieces, every component of a graph at rest comes once', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 5 }), (life, most) => {
      const { graph, facts } = live(life)
      const listed: string[][] = []
      for (let from: number | undefined = 0; from !== undefined; ) {
        const { components, next } = graph.list(from, most)
        listed.push(...components.map(idsIn))
        from = next
      }
      expect(listed.sort()).toEqual(componentsOf(facts).map(idsIn).sort())
    }),
    settings,
  )
})

it('listed in pieces while it changes: what was listed and what was published make the whole graph', () => {
  fc.assert(
    fc.property(steps, steps, fc.integer({ min: 1, max: 5 }), (life, meanwhile, most) => {
      const { graph, facts } = live(life)
      const latest = new Map(facts.map((fact) => [fact.id, fact]))
      const believed = new Map<string, string>()
      const hear = (components: Iterable<Component>) => {
        for (const component of components)
          for (const id of idsIn(component)) believed.set(id, JSON.stringify(component))
      }
      const take = () => {
        const { components, dropped } = taken(graph)
        for (const id of dropped) believed.delete(id)
        hear(components)
      }
      const more = meanwhile.values()
      for (let from: number | undefined = 0; from !== undefined; ) {
        const { components, next } = graph.list(from, most)
        hear(components)
        from = next
        const step = more.next().value
        if (step?.kind === 'fact') {
          graph.apply(step.fact)
          latest.set(step.fact.id, step.fact)
        } else take()
      }
      take()
      const truth = componentsOf(latest.values()).flatMap((component) =>
        idsIn(component).map((id) => [id, JSON.stringify(component)] as const),
      )
      expect(believed).toEqual(new Map(truth))
    }),
    settings,
  )
})
