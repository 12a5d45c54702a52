import { beforeEach, describe, expect, it } from 'vitest'
import { history } from '#src/projections/matching/questions/history.ts'
import { catalogue, t } from './catalogue.ts'
import { type Folded, foldAll, folded, openMatching } from './folding.ts'

let all: Folded
beforeEach(() => {
  all = folded()
})
const graph = (number: number) => all.row('matching-graphs', { generation: 1, graph: number })
const graphs = () => all.rows('matching-graphs').map(({ graph, component, size }) => [graph, component, size])
const members = () =>
  Object.fromEntries(all.rows('matching-members', { generation: 1 }).map(({ id, graph }) => [id, graph]))
const sizes = () =>
  Object.fromEntries(all.rows('matching-sizes').map(({ size, components }) => [String(size), components]))
const turns = (work: string) => all.rows('matching-turns', { generation: 1, work })
const graphTurns = (graph: number) => all.rows('matching-graph-turns', { generation: 1, graph })

/** Says all of them at once, with these links, and flushes. */
const say = (works: Readonly<Record<string, readonly string[]>>) => {
  for (const [id, links] of Object.entries(works)) all.log.say(id, { links })
  all.log.flush()
}

describe('M4, M6: the version of a graph', () => {
  it('is that of the last change that touched it; others keep theirs', () => {
    say({ A: ['B'], B: [], C: ['D'], D: ['C'] })
    const first = all.log.version()
    expect(graph(1)).toMatchObject({ component: 'A', version: first, changedAt: t(4) })
    say({ A: ['B'] })
    expect(graph(1)).toMatchObject({ version: first + 1, changedAt: t(6) })
    expect(graph(2)).toMatchObject({ component: 'C', version: first })
  })

  it('moves in the old and the new graph when a link of a member changes', () => {
    say({ A: ['B'], B: [], C: [] })
    say({ A: ['C'] })
    expect(graphs()).toEqual([
      [1, 'A', 2],
      [3, 'B', 1],
    ])
    for (const row of all.rows('matching-graphs')) expect(row.version).toBe(all.log.version())
  })

  it('the worked example: components and versions, step by step', () => {
    const versionsOf = () => ['A', 'B', 'C', 'D'].map((id) => graph(all.graphOf(id) as number)?.version)
    say({ A: ['B'], B: [], C: ['D'], D: ['C'] })
    const first = all.log.version()
    expect(versionsOf()).toEqual([first, first, first, first])
    say({ D: ['A'] })
    expect(versionsOf()).toEqual([first + 1, first + 1, first + 1, first + 1])
    say({ A: ['D'], C: ['B'] })
    expect(versionsOf()).toEqual([first + 2, first + 2, first + 2, first + 2])
    say({ B: ['C'] })
    expect(versionsOf()).toEqual([first + 2, first + 3, first + 3, first + 2])
    expect(all.graphOf('A')).toBe(all.graphOf('D'))
    expect(all.graphOf('B')).toBe(all.graphOf('C'))
    expect(sizes()).toEqual({ 2: 2 })
  })
})

describe('the number of a graph', () => {
  it('stays with most of its members when it splits; the others get a new one', () => {
    say({ A: ['B'], B: ['C'], C: ['D'], D: ['E'], E: [] })
    say({ B: [] })
    expect(members()).toEqual({ A: 2, B: 2, C: 1, D: 1, E: 1 })
    expect(sizes()).toEqual({ 2: 1, 3: 1 })
  })

  it('of the larger one stays when two are joined; the other is no more', () => {
    say({ A: [], B: ['C'], C: [] })
    expect(members()).toEqual({ A: 2, B: 1, C: 1 })
    say({ A: ['B'] })
    expect(members()).toEqual({ A: 1, B: 1, C: 1 })
    expect(graphs()).toEqual([[1, 'A', 3]])
    expect(sizes()).toEqual({ 3: 1 })
  })

  it('of two as large the older one stays', () => {
    say({ A: [] })
    say({ B: [] })
    say({ B: ['A'] })
    expect(graphs()).toEqual([[1, 'A', 2]])
  })

  it('is never given twice', () => {
    say({ A: ['B'], B: [] })
    say({ A: [] })
    say({ A: ['B'] })
    say({ A: [] })
    expect(Math.max(...all.rows('matching-graphs').map(({ graph }) => graph as number))).toBe(3)
    expect(all.row('matching-generations', { generation: 1 })).toMatchObject({ lastGraph: 3 })
  })
})

const described = (work: string) => ({ work, revision: 0, effect: 'described', from: null, to: null })
const unlinked = (from: string, to: string, work = from) => ({
  work,
  revision: 1,
  effect: 'unlinked',
  from,
  to,
})

describe('M13: who leaves and who joins', () => {
  it('has a turn, with its cause, and so have the graphs that stay', () => {
    say({ A: ['B'], B: ['C'], C: [], X: ['Y'], Y: ['Z'], Z: [] })
    say({ A: ['X'], C: [] })
    expect(turns('A')).toEqual([
      expect.objectContaining({ was: null, graph: 1, size: 3, joinedBy: described('A'), leftBy: null }),
      expect.objectContaining({
        was: 1,
        graph: 2,
        size: 4,
        joinedBy: { work: 'A', revision: 1, effect: 'linked', from: 'A', to: 'X' },
        leftBy: unlinked('A', 'B'),
        at: t(9),
      }),
    ])
    expect(graphTurns(1).at(-1)).toMatchObject({
      joined: 0,
      left: 1,
      size: 2,
      some: [],
      gone: ['A'],
      joinedBy: null,
      leftBy: [unlinked('A', 'B')],
      leftCauses: 1,
    })
    expect(graphTurns(2).at(-1)).toMatchObject({ isNew: 0, joined: 1, left: 0, size: 4, some: ['A'] })
  })

  it('no turn when the members stay the same', () => {
    say({ A: ['B'], B: [] })
    const both = () => [...all.rows('matching-turns'), ...all.rows('matching-graph-turns')]
    const before = both()
    say({ A: ['B'] })
    say({ B: ['A'] })
    expect(both()).toEqual(before)
  })

  it('a work alone in a new graph has one turn; a graph of several is named whole, with the first ten names', () => {
    say({ A: [] })
    expect(all.rows('matching-turns').map(({ work }) => work)).toEqual(['A'])
    expect(all.rows('matching-graph-turns')).toEqual([])
    const ids = Array.from({ length: 12 }, (_, i) => `b${String(i).padStart(2, '0')}`)
    say(Object.fromEntries(ids.map((id, i) => [id, ids.slice(i + 1, i + 2)])))
    expect(graphTurns(2)).toEqual([
      expect.objectContaining({ isNew: 1, joined: 12, left: 0, some: ids.slice(0, 10), size: 12 }),
    ])
  })

  it('a graph that is no more has no turn of its own', () => {
    say({ A: [], B: ['C'], C: [] })
    say({ A: ['B'] })
    expect(graphTurns(2)).toEqual([])
    expect(turns('A').at(-1)).toMatchObject({ was: 2, graph: 1 })
  })

  it('names only causes that concern the graph, though one change covers many', () => {
    say({ A: ['B'], B: [], C: ['D'], D: [] })
    say({ A: [], C: ['D'], E: [] })
    expect(graph(all.graphOf('B') as number)).toMatchObject({ causes: ['A'] })
    expect(graph(all.graphOf('C') as number)).toMatchObject({ causes: ['C'] })
    expect(graph(all.graphOf('E') as number)).toMatchObject({ causes: ['E'] })
  })

  it('of an older change, which did not keep the cause: none', () => {
    const older = catalogue({ isOlder: true })
    older.say('A', { links: ['B'] })
    older.say('B')
    older.flush()
    older.say('A')
    older.flush()
    const { viewStore, generation } = openMatching()
    foldAll(viewStore, generation, older.events)
    const moved = viewStore.query('matching-turns', {}).filter(({ work }) => work === 'B')
    expect(moved.map(({ was, joinedBy, leftBy }) => [was, joinedBy, leftBy])).toEqual([
      [null, null, null],
      [1, null, null],
    ])
    expect(history(viewStore, 'B')?.map(({ causes, caused }) => [causes, caused])).toEqual([
      [[], 0],
      [[], 0],
    ])
  })

  it('five causes at most, of how many', () => {
    say(Object.fromEntries('ABCDEFG'.split('').map((id) => [id, id === 'A' ? [] : ['A']])))
    expect(graph(1)).toMatchObject({ causes: ['A', 'B', 'C', 'D', 'E'], caused: 7 })
  })
})

describe('placeholders in a graph', () => {
  it('connect, have a row, and are no works', () => {
    say({ A: ['P'], B: ['P'] })
    expect(members()).toEqual({ A: 1, B: 1, P: 1 })
    expect(graph(1)).toMatchObject({ size: 2, placeholders: 1 })
    expect(all.row('matching-members', { id: 'P' })).toMatchObject({ placeholder: 1, revision: null })
    expect(turns('P')).toEqual([])
  })

  it('that become works join as works', () => {
    say({ A: ['P'] })
    say({ P: [] })
    expect(all.row('matching-members', { id: 'P' })).toMatchObject({ placeholder: 0, revision: 0, graph: 1 })
    expect(turns('P')).toEqual([expect.objectContaining({ was: null, graph: 1, size: 2 })])
    expect(graphTurns(1).at(-1)).toMatchObject({ joined: 1, left: 0, some: ['P'], size: 2 })
    expect(graph(1)).toMatchObject({ size: 2, placeholders: 0 })
  })

  it('that nobody names any more lose their row', () => {
    say({ A: ['P'] })
    say({ A: [] })
    expect(members()).toEqual({ A: 1 })
  })

  it('that arrive deleted cut: their neighbours part, by their doing', () => {
    say({ A: ['P'], B: ['P'] })
    all.log.say('P', { state: 'deleted' })
    all.log.flush()
    expect(new Set(Object.values(members())).size).toBe(3)
    expect(turns('B').at(-1)).toMatchObject({
      was: 1,
      leftBy: { ...unlinked('B', 'P', 'P'), revision: 0 },
    })
    expect(sizes()).toEqual({ 1: 3 })
  })
})

describe('a deleted work', () => {
  it('is a graph of its own; alone from the start it is published as well', () => {
    say({ A: ['B'], B: ['C'], C: [] })
    all.log.say('B', { state: 'deleted', links: ['C'] })
    all.log.flush()
    expect(sizes()).toEqual({ 1: 3 })
    all.log.say('B', { links: ['C'] })
    all.log.flush()
    expect(sizes()).toEqual({ 3: 1 })
    expect(members()).toEqual({ A: 1, B: 1, C: 1 })
  })
})

describe('rows that do not change are not written', () => {
  it('a new title of one member leaves the rows of the others', () => {
    say({ A: ['B'], B: ['C'], C: [] })
    const before = all.rows('matching-members')
    say({ B: ['C'] })
    const after = all.rows('matching-members')
    expect(after.map(({ revision }) => revision)).toEqual([0, 1, 0])
    expect(after.map(({ graph }) => graph)).toEqual(before.map(({ graph }) => graph))
  })
})

describe('a component in pieces', () => {
  const chain = (length: number, from = 0) => {
    const ids = Array.from({ length }, (_, i) => `w${String(from + i).padStart(4, '0')}`)
    return Object.fromEntries(ids.map((id, i) => [id, ids.slice(i + 1, i + 2)]))
  }
  const sayIn = (piece: number, works: Readonly<Record<string, readonly string[]>>) => {
    for (const [id, links] of Object.entries(works)) all.log.say(id, { links })
    all.log.flush({ piece })
  }

  it('is one graph, with one turn', () => {
    sayIn(4, { ...chain(10), lone: [] })
    expect(graphs()).toEqual([
      [1, 'w0000', 10],
      [2, 'lone', 1],
    ])
    expect(new Set(Object.entries(members()).map(([id, n]) => id.startsWith('w') && n))).toEqual(
      new Set([1, false]),
    )
    expect(graphTurns(1)).toEqual([expect.objectContaining({ isNew: 1, joined: 10, size: 10 })])
    expect(graphTurns(1)[0]?.some).toHaveLength(10)
    expect(sizes()).toEqual({ 1: 1, 10: 1 })
  })

  it('keeps its number, takes in another and lets some go, in whatever piece they are', () => {
    sayIn(100, chain(10))
    sayIn(100, chain(3, 20))
    sayIn(3, { w0008: [], w0007: ['w0008', 'w0020'] })
    expect(graphs()).toEqual([
      [1, 'w0000', 12],
      [3, 'w0009', 1],
    ])
    expect(graphTurns(1).at(-1)).toMatchObject({ isNew: 0, joined: 3, left: 1, size: 12 })
    expect(turns('w0009').at(-1)).toMatchObject({
      was: 1,
      graph: 3,
      leftBy: unlinked('w0008', 'w0009'),
    })
    expect(sizes()).toEqual({ 1: 1, 12: 1 })
  })
})

describe('generations', () => {
  const rules = { precedence: ['mets'], neverTarget: [], fields: {}, otherFields: 'union' } as const
  const generation = (number: number) => all.row('matching-generations', { generation: number })

  it('the first is there with the first work, live and with the default rules', () => {
    expect(generation(1)).toBeUndefined()
    all.log.say('A')
    expect(generation(1)).toMatchObject({ status: 'live', rules: { otherFields: 'first' }, startedAt: t(0) })
  })

  it('another is built beside it, listed, switched to and back, and dropped', () => {
    say({ A: ['B'], B: [] })
    all.log.startGeneration(2, { ...rules, precedence: ['mets'], neverTarget: [] })
    expect(generation(2)).toMatchObject({ status: 'building', rules, reason: 'new rules' })
    all.log.list(2)
    expect(generation(2)).toMatchObject({ status: 'ready', components: 1 })
    all.log.switchGeneration(1, 2)
    expect([generation(1)?.status, generation(2)?.status]).toEqual(['ready', 'live'])
    all.log.switchGeneration(2, 1)
    expect([generation(1)?.status, generation(2)?.status]).toEqual(['live', 'ready'])
    all.log.dropGeneration(2)
    expect(generation(2)).toMatchObject({ status: 'dropped', reason: 'worse' })
  })

  it('one that was live before it got everything goes on being built', () => {
    say({ A: [] })
    all.log.startGeneration(2)
    all.log.switchGeneration(1, 2)
    all.log.switchGeneration(2, 1)
    expect(generation(2)).toMatchObject({ status: 'building' })
  })

  it('what a listing publishes is nobody’s turn; what happens from then on is', () => {
    say({ A: ['B'], B: [] })
    all.log.startGeneration(2)
    all.log.list(2)
    expect(all.rows('matching-turns', { generation: 2 })).toEqual([])
    expect(all.rows('matching-graph-turns', { generation: 2 })).toEqual([])
    expect(all.rows('matching-graphs', { generation: 2 })).toMatchObject([{ graph: 1, size: 2 }])
    all.log.say('A')
    all.log.flush()
    all.log.flush({ generation: 2 })
    expect(all.rows('matching-turns', { generation: 2, work: 'B' })).toMatchObject([{ was: 1, graph: 2 }])
  })
})
