import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bridgesFrom, pairOf } from '#src/projections/matching/questions/bridges.ts'
import { toDot } from '#src/projections/matching/questions/dot.ts'
import { focusOn, foldLeaves, unfolded } from '#src/projections/matching/questions/drawn-graph.ts'
import { component, link, node, placeholder } from './answer.ts'

const picturesOf = (hub: string, count: number, reason = 'is a picture in') => {
  const ids = Array.from({ length: count }, (_, i) => `${hub}p${String(i).padStart(4, '0')}`)
  return {
    nodes: ids.map((id) => node(id, { source: 'pictures' })),
    links: ids.map((id) => link(id, hub, { reasons: [reason] })),
  }
}

const hub = (count: number) => {
  const { nodes, links } = picturesOf('a', count)
  return component(
    [node('a', { document: 'merged', redirectsTo: null }), node('b'), ...nodes],
    [link('b', 'a'), ...links],
  )
}

describe('equal leaves', () => {
  test('are one with a count, and the reason on their link', () => {
    const dot = toDot(foldLeaves(unfolded(hub(559)), new Set(['a'])))
    expect(dot).toContain('label="559 works\\npictures · redirect\\nlike ap0000"')
    expect(dot).toContain('"ap0000" -> "a" [label="is a picture in"')
    expect(dot).not.toContain('"ap0001"')
    expect(dot).toContain('so many works that are alike')
    expect(dot).toContain('a: 561 works')
  })

  test('are those that differ in nothing: not by reason, direction, source, state, or another link', () => {
    const { nodes, links } = picturesOf('a', 9)
    const answer = component(
      [
        node('a'),
        ...nodes.map((one, i) => ({
          ...one,
          ...(i === 0 && { source: 'sierra' }),
          ...(i === 1 && { state: 'invisible' as const }),
        })),
      ],
      [
        ...links.map((one, i) => ({
          ...one,
          ...(i === 2 && { reasons: ['another'] }),
          ...(i === 3 && { from: one.to, to: one.from }),
          ...(i === 4 && { active: false }),
        })),
        link(nodes[5]!.id, nodes[6]!.id),
      ],
    )
    // Of nine, two are alike: too few to be folded.
    expect(foldLeaves(unfolded(answer), new Set()).folded.size).toBe(0)
  })

  test('stay where they are asked for, or have more links than are shown', () => {
    const kept = foldLeaves(unfolded(hub(5)), new Set(['ap0003']))
    expect([...kept.folded]).toEqual([['ap0000', 4]])
    expect(kept.answer.nodes.map(({ id }) => id)).toContain('ap0003')
    expect(foldLeaves(unfolded(hub(5)), new Set(), () => false).folded.size).toBe(0)
  })

  test('no work is lost: those drawn, and those that they stand for, are all', () => {
    const answers = fc
      .array(fc.tuple(fc.nat(12), fc.nat(12), fc.constantFrom('one', 'other')), { maxLength: 30 })
      .map((pairs) =>
        component(
          Array.from({ length: 13 }, (_, i) => (i % 5 === 4 ? placeholder(`n${i}`) : node(`n${i}`))),
          pairs.map(([from, to, reason]) => link(`n${from}`, `n${to}`, { reasons: [reason] })),
        ),
      )
    fc.assert(
      fc.property(answers, fc.integer({ min: 1, max: 13 }), (answer, max) => {
        const graph = foldLeaves(unfolded(answer), new Set(['n0']))
        const stands = (all: typeof graph) =>
          all.answer.nodes
            .filter(({ state }) => state !== 'placeholder')
            .reduce((sum, { id }) => sum + (all.folded.get(id) ?? 1), 0)
        const placeholders = answer.nodes.filter(({ state }) => state === 'placeholder')
        if ([...graph.folded.keys()].every((id) => !placeholders.some((one) => one.id === id)))
          expect(stands(graph)).toBe(answer.size)
        const near = focusOn(graph, 'n0', max, 1000)
        expect(near.answer.nodes.length).toBeLessThanOrEqual(Math.max(max, 1))
        expect(near.answer.nodes[0]?.id).toBe('n0')
        expect(stands(near) + near.answer.leftOut).toBe(stands(graph))
      }),
    )
  })
})

describe('a focus', () => {
  test('shows the nearest, and says how many are left out, with those that folded ones stand for', () => {
    const far = picturesOf('z', 40)
    const chain = component(
      [node('a'), node('b'), node('z'), ...far.nodes],
      [link('a', 'b'), link('b', 'z'), ...far.links],
    )
    const { answer } = focusOn(foldLeaves(unfolded(chain), new Set(['a'])), 'a', 3, 10)
    expect(answer.nodes.map(({ id }) => id)).toEqual(['a', 'b', 'z'])
    expect(answer.leftOut).toBe(40)
    expect(toDot(unfolded(answer))).toContain('40 of them not drawn')
  })
})

describe('bridges', () => {
  test('are all that would part others, and are marked', () => {
    const answer = component(
      [node('a'), node('b'), node('c'), node('d')],
      [link('a', 'b'), link('b', 'c'), link('c', 'a'), link('c', 'd')],
    )
    const dot = toDot(unfolded(answer, new Set([pairOf('d', 'c')])))
    expect(dot).toMatch(/"c" -> "d" \[.*arrowtail=dot\]/)
    expect(dot.match(/arrowtail/g)).toHaveLength(1)
    expect(dot).toContain('nothing else joins its ends')
  })

  test('are the pairs without which an end cannot be reached', () => {
    const graphs = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 16 })
    fc.assert(
      fc.property(graphs, (pairs) => {
        const steps = pairs.filter(([a, b]) => a !== b)
        const neighbours = (left: typeof steps) => (id: string) =>
          left.flatMap(([a, b]) => (`${a}` === id ? [`${b}`] : `${b}` === id ? [`${a}`] : []))
        const reach = (left: typeof steps, from: string): ReadonlySet<string> => {
          const found = new Set([from])
          for (const id of found) for (const next of neighbours(left)(id)) found.add(next)
          return found
        }
        const simple = (id: string) => [...new Set(neighbours(steps)(id))]
        const inReach = reach(steps, '0')
        const expected = new Set(
          steps
            .filter(([a]) => inReach.has(`${a}`))
            .filter(([a, b]) => {
              const key = pairOf(`${a}`, `${b}`)
              return !reach(
                steps.filter(([c, d]) => pairOf(`${c}`, `${d}`) !== key),
                `${a}`,
              ).has(`${b}`)
            })
            .map(([a, b]) => pairOf(`${a}`, `${b}`)),
        )
        expect(bridgesFrom('0', simple)).toEqual(expected)
      }),
    )
  })
})
