import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { onlyWays, shortestPath } from '#src/projections/matching/questions/paths.ts'
import { why } from '#src/projections/matching/questions/why.ts'
import { runs } from '../../../runs.ts'
import { t } from '../catalogue.ts'
import { type Folded, folded } from '../folding.ts'

let all: Folded
beforeEach(() => {
  all = folded()
})
/** Says all at once, with these links, and flushes. */
const say = (works: Readonly<Record<string, readonly string[]>>) => {
  for (const [id, links] of Object.entries(works)) all.log.say(id, { links })
  all.log.flush()
}
const together = (a: string, b: string) => {
  const answer = why(all.views, a, b)
  if (answer?.kind !== 'together') throw new Error('they are apart')
  const hops = (list: typeof answer.path) => list.map(({ from, to }) => `${from}${to}`)
  return { ...answer, path: hops(answer.path), parting: hops(answer.parting), hops: answer.path }
}
const apart = (a: string, b: string) => {
  const answer = why(all.views, a, b)
  if (answer?.kind !== 'apart') throw new Error('they are together')
  return { ...answer, cut: answer.cut.map(({ from, to }) => `${from}${to}`) }
}

describe('§6: why are these two matched', () => {
  it('a chain: every hop parts them', () => {
    say({ A: ['B'], B: [], C: ['B'] })
    const answer = together('A', 'C')
    expect(answer.path).toEqual(['AB', 'BC'])
    expect(answer.parting).toEqual(['AB', 'BC'])
    expect(answer.hops[1]?.links).toEqual([
      expect.objectContaining({ from: 'C', to: 'B', active: true, reasons: ['same as'], statedAt: t(2) }),
    ])
  })

  it('a ring: no single link parts them; of two shortest ways the smaller ids', () => {
    say({ A: ['B'], B: ['C'], C: ['D'], D: ['A'] })
    expect(together('A', 'C')).toMatchObject({ path: ['AB', 'BC'], parting: [] })
  })

  it('a ring with a tail: only the tail parts', () => {
    say({ A: ['B', 'C'], B: ['C'], C: ['T'], T: [] })
    expect(together('A', 'T')).toMatchObject({ path: ['AC', 'CT'], parting: ['CT'] })
  })

  it('a pair stated from both ends is one hop with two statements', () => {
    say({ A: ['B'], B: ['A'] })
    const { hops, parting } = together('A', 'B')
    expect(hops).toEqual([
      {
        from: 'A',
        to: 'B',
        links: [expect.objectContaining({ from: 'A' }), expect.objectContaining({ from: 'B' })],
      },
    ])
    expect(parting).toEqual(['AB'])
  })

  it('through a placeholder that nobody owns', () => {
    say({ A: ['P'], B: ['P'] })
    expect(together('A', 'B')).toMatchObject({ path: ['AP', 'PB'], parting: ['AP', 'PB'] })
    expect(together('A', 'P')).toMatchObject({ path: ['AP'], since: null })
  })

  it('in a graph of more works than the asker has time for, it is refused; apart, nobody has to look through it', () => {
    say({ A: ['B'], B: ['C'], C: [], X: [] })
    expect(why(all.views, 'A', 'C', { maxWorks: 3 })).toMatchObject({ kind: 'together' })
    expect(() => why(all.views, 'A', 'C', { maxWorks: 2 })).toThrow('more than 2 works')
    expect(why(all.views, 'A', 'X', { maxWorks: 2 })).toMatchObject({ kind: 'apart' })
  })

  it('a work and itself', () => {
    say({ A: [] })
    expect(together('A', 'A')).toMatchObject({ path: [], parting: [] })
  })

  it('since when: for the last time, through whatever graph they went on together', () => {
    say({ A: ['B'], B: [] })
    expect(together('A', 'B').since).toBe(t(2))
    say({ A: [] })
    say({ A: ['B'] })
    const since = together('A', 'B').since
    expect(since).toBe(t(6))
    // Both move into a larger graph at once.
    say({ X: ['Y'], Y: ['Z'], Z: [] })
    say({ B: ['X'] })
    expect(all.graphOf('A')).toBe(all.graphOf('X'))
    expect(together('A', 'B').since).toBe(since)
    expect(together('A', 'X').since).toBe(t(12))
  })
})

describe('§6: why not', () => {
  it('never together', () => {
    say({ A: [], B: [] })
    expect(apart('A', 'B')).toMatchObject({ lastTogether: null, cut: [] })
  })

  it('until when they were, and whose update parted them', () => {
    say({ A: ['B'], B: [], C: [] })
    say({ A: [] })
    expect(apart('A', 'B')).toMatchObject({
      lastTogether: {
        until: t(5),
        version: all.log.version(),
        causes: [{ work: 'A', effect: 'unlinked', from: 'A', to: 'B' }],
      },
      cut: [],
    })
    expect(apart('B', 'A').lastTogether).toMatchObject({ until: t(5) })
    expect(apart('A', 'C').lastTogether).toBeNull()
  })

  it('the suppressed middle: both its links would join them', () => {
    say({ A: ['M'], M: ['B'], B: [] })
    all.log.say('M', { links: ['B'], state: 'deleted' })
    all.log.flush()
    expect(apart('A', 'B')).toMatchObject({
      lastTogether: { until: t(5), causes: [{ work: 'M', effect: 'unlinked', from: 'M', to: 'B' }] },
      cut: ['AM', 'MB'],
    })
    expect(apart('B', 'A').cut).toEqual(['MB', 'AM'])
    expect(apart('A', 'M').cut).toEqual(['AM'])
  })

  it('a longer way: only the inactive links on it', () => {
    say({ A: ['B'], B: ['M'], M: ['P'], C: ['P'] })
    all.log.say('M', { links: ['P'], state: 'deleted' })
    all.log.flush()
    expect(apart('A', 'C').cut).toEqual(['BM', 'MP'])
  })

  it('an id that is in no graph has no answer', () => {
    say({ A: [] })
    expect(why(all.views, 'A', 'nobody')).toBeUndefined()
    expect(why(all.views, 'nobody', 'A')).toBeUndefined()
  })

  it('in a generation that got what there is: together since nobody knows when', () => {
    say({ A: ['B'], B: [], C: [] })
    all.log.startGeneration(2)
    all.log.list(2)
    expect(why(all.views, 'A', 'B', { generation: 2 })).toMatchObject({ kind: 'together', since: null })
    expect(why(all.views, 'A', 'C', { generation: 2 })).toMatchObject({ kind: 'apart', lastTogether: null })
    all.log.say('A')
    all.log.flush({ generation: 2 })
    expect(why(all.views, 'A', 'B', { generation: 2 })).toMatchObject({
      kind: 'apart',
      lastTogether: { until: t(8) },
    })
  })

  it('of two who never met though both were in graph 1, one after the other', () => {
    say({ A: ['B'], B: [], C: [] })
    say({ B: [], A: [] })
    const stays = all.graphOf('A') === 1 ? 'A' : 'B'
    const goes = stays === 'A' ? 'B' : 'A'
    say({ C: [stays] })
    expect(all.graphOf('C')).toBe(1)
    expect(apart(goes, 'C').lastTogether).toBeNull()
  })
})

it('only ways: exactly the steps without which there is no path', () => {
  const graph = fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 12 })
  fc.assert(
    fc.property(graph, (pairs) => {
      const without =
        (a?: string, b?: string) =>
        (id: string): string[] =>
          pairs
            .flatMap(([x, y]) => [
              [`${x}`, `${y}`],
              [`${y}`, `${x}`],
            ])
            .filter(([x, y]) => x === id && !(x === a && y === b) && !(x === b && y === a))
            .map(([, y]) => y as string)
            .sort()
      const path = shortestPath('0', '7', without())
      if (!path) return
      const expected = path
        .slice(0, -1)
        .flatMap((id, i) => (shortestPath('0', '7', without(id, path[i + 1])) ? [] : [i]))
      expect(onlyWays(path, without())).toEqual(expected)
    }),
    { numRuns: runs(1000) },
  )
})
