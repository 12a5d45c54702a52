import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Bridge, maxBridged, minBridged } from '#src/domain/matching/graph/bridge.ts'
import type { Fact } from '#src/domain/matching/graph/component.ts'
import { componentsOf } from '#src/domain/matching/graph/components.ts'
import { byId } from '#src/domain/matching/work.ts'
import { runs } from '../../../runs.ts'
import { fact } from './arbitraries.ts'
import { live } from './drive.ts'

const bridgeOf = (...facts: Fact[]) => componentsOf(facts)[0]?.bridge

it('the link that parts most evenly, as it is stated', () => {
  expect(bridgeOf(live('A', 'B'), live('B'), live('D', 'C', 'B'), live('C'))).toEqual({
    from: 'D',
    to: 'B',
    side: 2,
  })
})

it('of equal ones the first by its source, then by its target', () => {
  const graph = [live('A', 'B', 'X'), live('B'), live('D', 'C', 'X'), live('C')]
  expect(bridgeOf(...graph)).toEqual({ from: 'A', to: 'X', side: 2 })
  expect(bridgeOf(...graph.toReversed())).toEqual({ from: 'A', to: 'X', side: 2 })
})

it('two statements of one pair are no bridge', () => {
  expect(bridgeOf(live('A', 'B'), live('B', 'C'), live('C', 'B', 'D'), live('D'))).toBeUndefined()
})

it('a ring has none, nor has a star: a lone work is no side', () => {
  expect(bridgeOf(live('A', 'B'), live('B', 'C'), live('C', 'D'), live('D', 'A'))).toBeUndefined()
  expect(bridgeOf(live('A', 'B', 'C', 'D'), live('B'), live('C'), live('D'))).toBeUndefined()
})

it('placeholders connect but do not count', () => {
  expect(bridgeOf(live('A', 'X'), live('B', 'X'), live('C', 'A', 'B'), live('D', 'C'))).toBeUndefined()
  expect(bridgeOf(live('A', 'X'), live('B', 'A', 'X'), live('C', 'X', 'D'), live('D'))).toEqual({
    from: 'C',
    to: 'X',
    side: 2,
  })
})

it(`components of ${minBridged} to ${maxBridged} works may have one`, () => {
  const chain = (length: number) =>
    Array.from({ length }, (_, n) => live(`w${n}`, ...(n > 0 ? [`w${n - 1}`] : [])))
  expect(bridgeOf(...chain(minBridged - 1))).toBeUndefined()
  expect(bridgeOf(...chain(minBridged))?.side).toBe(2)
  expect(bridgeOf(...chain(maxBridged))?.side).toBe(maxBridged / 2)
  expect(bridgeOf(...chain(maxBridged + 1))).toBeUndefined()
})

/** Takes each link away, one at a time, and looks at what is left. */
const byTrying = (facts: readonly Fact[]): (Bridge | undefined)[] =>
  componentsOf(facts).map(({ members }) => {
    const ids = new Set(members.map(([id]) => id))
    const found: Bridge[] = []
    for (const { id: from, links } of facts)
      for (const to of ids.has(from) ? new Set(links) : []) {
        const without = facts.map((fact) =>
          fact.id === from ? { ...fact, links: links.filter((link) => link !== to) } : fact,
        )
        const sides = componentsOf(without)
          .map((part) => part.members.filter(([id]) => ids.has(id)).length)
          .filter((size) => size > 0)
        if (ids.size >= minBridged && sides.length === 2 && Math.min(...sides) >= 2)
          found.push({ from, to, side: Math.min(...sides) })
      }
    return found.sort((a, b) => b.side - a.side || byId(a.from, b.from) || byId(a.to, b.to))[0]
  })

it('is the one that is found by trying each', () => {
  const catalogue = fc.uniqueArray(fact, { selector: ({ id }) => id, maxLength: 12 })
  let bridges = 0
  fc.assert(
    fc.property(catalogue, (facts) => {
      const found = componentsOf(facts).map(({ bridge }) => bridge)
      bridges += found.filter((bridge) => bridge !== undefined).length
      expect(found).toEqual(byTrying(facts))
    }),
    { numRuns: runs(1000), seed: 1 },
  )
  expect(bridges).toBeGreaterThan(runs(1000) / 20)
})
