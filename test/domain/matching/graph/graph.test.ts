import { describe, expect, it } from 'vitest'
import { createGraph } from '#src/domain/matching/graph/graph.ts'
import { batch, gone, graphOf, groups, live, taken, whole } from './drive.ts'

describe('links', () => {
  it('Self-link, repeated link, empty links: dropped, collapsed, fine', () => {
    const graph = createGraph()
    expect(batch(graph, live('A', 'A'))).toEqual(['A'])
    expect(batch(graph, live('A', 'A', 'B', 'B'))).toEqual(['A (B)'])
    expect(batch(graph, live('A'))).toEqual(['A', '-B'])
  })

  it('Link stated from both ends: breaks only when both drop it', () => {
    const graph = graphOf(live('A', 'B'), live('B', 'A'))
    expect(batch(graph, live('A'))).toEqual(['A B'])
    expect(batch(graph, live('B'))).toEqual(['A', 'B'])
  })

  it('One link of a ring removed, then another: no split, then a split', () => {
    const graph = graphOf(live('A', 'B'), live('B', 'C'), live('C', 'D'), live('D', 'A'))
    expect(batch(graph, live('A'))).toEqual(['A B C D'])
    expect(batch(graph, live('C'))).toEqual(['A D', 'B C'])
  })

  it('Update that both leaves and joins: both components are published, in one change', () => {
    const graph = graphOf(live('A', 'B'), live('B'), live('C', 'D'), live('D'))
    expect(batch(graph, live('A', 'C'))).toEqual(['A C D', 'B'])
  })

  it('M13: a work is unlinked, and its former partners are published in the same change', () => {
    const graph = graphOf(live('A', 'B', 'C'), live('B'), live('C'))
    expect(batch(graph, live('A'))).toEqual(['A', 'B', 'C'])
  })

  it('M14: no work remembers its old partners: their later updates are published apart', () => {
    const graph = graphOf(live('A', 'B'), live('B'))
    batch(graph, live('A'))
    expect(batch(graph, live('B'))).toEqual(['B'])
    expect(batch(graph, live('A'))).toEqual(['A'])
  })
})

describe('placeholders', () => {
  it('Link to an unknown id: it connects those that name it, and is no member', () => {
    const graph = graphOf(live('A', 'X'), live('B', 'X'))
    expect(graph.componentOf('X')).toEqual({
      members: [
        ['A', 0],
        ['B', 0],
      ],
      placeholders: ['X'],
    })
    expect([graph.works, graph.size]).toEqual([2, 3])
  })

  it('Unknown id arrives live: it joins, and its neighbours are published', () => {
    const graph = graphOf(live('A', 'X'), live('B', 'X'))
    expect(batch(graph, live('X'))).toEqual(['A B X'])
  })

  it('Unknown id arrives deleted: it cuts, and its neighbours are published apart', () => {
    const graph = graphOf(live('A', 'X'), live('B', 'X'))
    expect(batch(graph, gone('X'))).toEqual(['A', 'B', 'X'])
  })

  it('Last link to a placeholder goes: it disappears, and is published as dropped', () => {
    const graph = graphOf(live('A', 'X'), live('B', 'X'))
    expect(batch(graph, live('A'))).toEqual(['A', 'B (X)'])
    expect(batch(graph, live('B'))).toEqual(['B', '-X'])
    expect(graph.componentOf('X')).toBeUndefined()
    expect(graph.size).toBe(2)
  })

  it('a placeholder that was never published is not dropped', () => {
    const graph = createGraph()
    expect(batch(graph, live('A', 'X'), live('A'))).toEqual(['A'])
  })

  it('a placeholder that is named again in the same batch is not dropped', () => {
    const graph = graphOf(live('A', 'X'))
    graph.apply(live('A'))
    expect(graph.componentOf('X')).toBeUndefined()
    expect(batch(graph, live('B', 'X'))).toEqual(['A', 'B (X)'])
  })

  it('a statement that sleeps brings its placeholder back when its source returns', () => {
    const graph = graphOf(live('A', 'X'))
    expect(batch(graph, gone('A', 'X'))).toEqual(['A', '-X'])
    expect(batch(graph, live('A', 'X'))).toEqual(['A (X)'])
  })
})

describe('deleted works', () => {
  it('Suppress the middle; bring it back alone: three parts; whole again without touching neighbours', () => {
    const graph = graphOf(live('A', 'B'), live('B', 'C'), live('C'))
    expect(batch(graph, gone('B', 'C'))).toEqual(['A', 'B', 'C'])
    expect(batch(graph, live('B', 'C'))).toEqual(['A B C'])
  })

  it('Link made while the target is suppressed: kept, active once the target returns', () => {
    const graph = graphOf(gone('B'))
    expect(batch(graph, live('A', 'B'))).toEqual(['A'])
    expect(batch(graph, live('B'))).toEqual(['A B'])
  })

  it("Suppressed work's own links: inactive; it does not join its targets", () => {
    const graph = graphOf(live('B'))
    expect(batch(graph, gone('A', 'B', 'X'))).toEqual(['A'])
    expect(graph.componentOf('X')).toBeUndefined()
    expect(batch(graph, live('A', 'B', 'X'))).toEqual(['A B (X)'])
  })

  it('links that change while their work is deleted count when it returns', () => {
    const graph = graphOf(live('A', 'B'), live('B'), live('C'))
    expect(batch(graph, gone('A', 'C'))).toEqual(['A', 'B'])
    expect(batch(graph, live('A', 'C'))).toEqual(['A C'])
  })

  it('Deletion of a lone work: published as a group of one', () => {
    const graph = graphOf(live('A'))
    expect(batch(graph, gone('A'))).toEqual(['A'])
    expect(batch(createGraph(), gone('B'))).toEqual(['B'])
  })

  it('a work that is deleted and back in one batch leaves everything as it was', () => {
    const graph = graphOf(live('A', 'B'), live('B', 'X'))
    expect(batch(graph, gone('B', 'X'), live('B', 'X'))).toEqual(['A B (X)'])
  })

  it('Hidden (not suppressed) work: matches as any other: only `deleted` reaches the graph', () => {
    expect(groups(whole(graphOf(live('A', 'B'), live('B'))))).toEqual(['A B'])
  })
})

describe('batches', () => {
  it('Duplicate notification: published again, unchanged', () => {
    const graph = graphOf(live('A', 'B'), live('B'))
    expect(batch(graph, live('A', 'B'))).toEqual(['A B'])
    expect(graph.works).toBe(2)
  })

  it('M6: a work of which only the revision changed is published with its component', () => {
    const graph = graphOf(live('A', 'B'), live('B'), live('C'))
    expect(batch(graph, { ...live('B'), revision: 7 })).toEqual(['A B'])
    expect(graph.componentOf('B')?.members).toEqual([
      ['A', 0],
      ['B', 7],
    ])
  })

  it('Two linked works in one batch: both updates take effect', () => {
    const graph = graphOf(live('A', 'B'), live('B'), live('C'), live('D'))
    expect(batch(graph, live('A', 'C'), live('B', 'D'))).toEqual(['A C', 'B D'])
  })

  it('Two far ends of a chain at once: both applied; no work turns back into a placeholder', () => {
    const graph = graphOf(live('A', 'B'), live('B', 'C'), live('C', 'D'), live('D'), live('E'), live('F'))
    expect(batch(graph, live('A', 'B', 'E'), live('D', 'F'))).toEqual(['A B C D E F'])
  })

  it('Repeat of one work while another splits the group: the split stays', () => {
    const graph = graphOf(live('A', 'B'), live('B', 'C'), live('C'))
    expect(batch(graph, live('B'), live('A', 'B'))).toEqual(['A B', 'C'])
    expect(batch(graph, live('A', 'B'))).toEqual(['A B'])
    expect(graph.componentOf('C')?.members).toEqual([['C', 0]])
  })

  it('what is joined and left again in one batch is not published', () => {
    const graph = graphOf(live('A'), live('B', 'C'), live('C'))
    expect(batch(graph, live('A', 'B'), live('A'))).toEqual(['A'])
  })

  it('large components come first, equal ones by their smallest work', () => {
    const facts = [live('C'), live('B', 'A'), live('D', 'E'), live('F', 'D'), live('A'), live('G', 'D')]
    expect(batch(createGraph(), ...facts)).toEqual(['D F G (E)', 'A B', 'C'])
    expect(batch(createGraph(), ...facts.toReversed(), live('D'))).toEqual(['D F G', 'A B', 'C'])
    expect(batch(createGraph(), live('B', 'b'), live('A', 'a'), live('Z', 'Y'), live('Y'))).toEqual([
      'Y Z',
      'A (a)',
      'B (b)',
    ])
  })

  it("the seed's worked example: only the touched components are published, at each step", () => {
    const graph = graphOf(live('A', 'B'), live('B'), live('C', 'D'), live('D', 'C'))
    expect(batch(graph, live('D', 'A'))).toEqual(['A B C D'])
    expect(batch(graph, live('A', 'D'), live('C', 'B'))).toEqual(['A D', 'B C'])
    expect(batch(graph, live('B', 'C'))).toEqual(['B C'])
  })
})

describe('publishing', () => {
  it('names what joined each of two components that both hold works of the same former two', () => {
    const graph = graphOf(live('A', 'B'), live('B'), live('C', 'D'), live('D'))
    for (const fact of [live('A', 'C'), live('B', 'D'), live('C')]) graph.apply(fact)
    const links = [...graph.take().families].flatMap((family) => family.links)
    const made = links.filter(({ effect }) => effect === 'made')
    expect(made.map(({ from, to }) => `${from} ${to}`)).toEqual(['A C', 'B D'])
  })

  it('counts what came since the last change, and publishes everything once', () => {
    const graph = createGraph()
    graph.apply(live('A', 'B'))
    graph.apply(live('B'))
    expect(graph.pending).toBe(2)
    expect(graph.take().count).toBe(1)
    expect(graph.pending).toBe(0)
    expect(batch(graph)).toEqual([])
  })

  it('a touched work is published with its component, at the revision given', () => {
    const graph = graphOf(live('A', 'B'), live('B', 'X'))
    expect(graph.touch('A', 3)).toBe(true)
    expect(graph.pending).toBe(1)
    expect(taken(graph).components).toEqual([
      {
        members: [
          ['A', 3],
          ['B', 0],
        ],
        placeholders: ['X'],
      },
    ])
    expect(graph.touch('B')).toBe(true)
    expect(groups(taken(graph).components)).toEqual(['A B (X)'])
  })

  it('only works can be touched', () => {
    const graph = graphOf(live('A', 'X'))
    expect([graph.touch('X'), graph.touch('Y'), createGraph().touch('A')]).toEqual([false, false, false])
    expect(graph.pending).toBe(0)
  })

  it('a change can be read twice, but not after the next fact', () => {
    const graph = createGraph()
    graph.apply(live('A'))
    const { families } = graph.take()
    expect([...families]).toEqual([...families])
    graph.apply(live('B'))
    expect(() => [...families]).toThrow('read it all before the next one')
  })

  it('a list that is asked for piece by piece ends', () => {
    const graph = graphOf(live('A', 'B'), live('B'), live('C'), gone('D'), live('E', 'X'))
    const pieces: string[][] = []
    for (let from: number | undefined = 0; from !== undefined; ) {
      const { components, next } = graph.list(from, 2)
      pieces.push(groups(components))
      from = next
    }
    expect(pieces.filter((piece) => piece.length > 0)).toEqual([['A B'], ['C', 'D'], ['E (X)']])
  })
})

describe('size', () => {
  const long = 200_000
  const chain = (n: number) => live(`w${n}`, ...(n > 0 ? [`w${n - 1}`] : []))

  it('a chain of 200,000 is one component, and falls in two without the stack overflowing', () => {
    const graph = createGraph()
    for (let n = 0; n < long; n++) graph.apply(chain(n))
    expect(taken(graph).components.map(({ members }) => members.length)).toEqual([long])
    graph.apply(live('w50000'))
    expect(taken(graph).components.map(({ members }) => members.length)).toEqual([150_000, 50_000])
  })

  it('a work that names 10,000 ids comes, goes and comes back', () => {
    const ids = Array.from({ length: 10_000 }, (_, n) => `x${n}`)
    const graph = graphOf(live('A', ...ids))
    expect(graph.size).toBe(10_001)
    expect(batch(graph, gone('A', ...ids))).toHaveLength(10_001)
    expect(graph.size).toBe(1)
    expect(batch(graph, live('A', ...ids))).toHaveLength(1)
    expect(graph.componentOf('x77')?.placeholders).toHaveLength(10_000)
  })
})
