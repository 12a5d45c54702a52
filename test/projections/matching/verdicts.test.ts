import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { graphContent } from '#src/domain/matching/verdicts/content.ts'
import { matching } from '#src/projections/matching/projection.ts'
import { countOdd, quality } from '#src/projections/matching/questions/quality.ts'
import { runs } from '../../runs.ts'
import { type Catalogue, catalogue, lookedAt } from './catalogue.ts'
import { type Folded, foldAll, folded, openMatching } from './folding.ts'

let all: Folded
beforeEach(() => {
  all = folded()
})
const say = (works: Readonly<Record<string, readonly string[]>>) => {
  for (const [id, links] of Object.entries(works)) all.log.say(id, { links })
  all.log.flush()
}
const odd = (scope = {}) => quality(all.views, scope).map(({ what, id }) => `${what} ${id}`)
const chain = () => say({ A: ['B'], B: ['C'], C: ['D'], D: [] })

describe('a graph that a person confirmed', () => {
  it('leaves the list; is listed again once it changes, and not again once it is as it was looked at', () => {
    chain()
    expect(odd()).toEqual(['one-link A'])
    all.log.confirm('C')
    expect(odd()).toEqual([])
    expect(countOdd(all.views)).toEqual([])
    say({ E: ['D'] })
    expect(odd()).toEqual(['one-link A'])
    say({ E: [] })
    expect(odd()).toEqual([])
  })

  it('is not listed again by what changes nothing of it: a later version, another field, a re-sent graph', () => {
    chain()
    all.log.confirm('A')
    all.log.say('B', { links: ['C'], fields: { pages: 7 } })
    all.log.resend('A')
    all.log.flush()
    expect(odd()).toEqual([])
  })

  it.each([
    ['a title', { links: ['C'], title: 'Botany' }],
    ['a source', { links: ['C'], source: 'scans' }],
    ['a state', { links: ['C'], state: 'invisible' as const }],
    ['a reason of a link', { links: ['C'], reasons: ['part of'] }],
    ['an id that nobody describes', { links: ['C', 'P'] }],
  ])('is listed again with another: %s', (_, said) => {
    chain()
    all.log.confirm('A')
    all.log.say('B', said)
    all.log.flush()
    expect(odd()).toEqual(['one-link A'])
  })

  it('is listed if it changed between the look and the verdict', () => {
    chain()
    const looked = all.log.version()
    all.log.say('B', { links: ['C'], title: 'Botany' })
    all.log.flush()
    all.log.record('verdict-A', {
      type: 'GraphConfirmed',
      data: {
        content: graphContent(
          ['A', 'B', 'C', 'D'].map((id) => lookedAt(id, { ...all.log.works.get(id)!, title: undefined })),
        ),
        size: 4,
        versions: [[1, looked]],
        reason: 'right',
        at: all.log.events[0]!.recordedAt,
      },
    })
    expect(odd()).toEqual(['one-link A'])
  })

  it('is listed again once the verdict is taken back', () => {
    chain()
    all.log.confirm('A')
    all.log.unconfirm('A')
    expect(odd()).toEqual(['one-link A'])
    expect(all.row('matching-verdicts', { work: 'A', what: 'graph' })).toBeUndefined()
  })

  it('counts for its own name alone: parts of it, and what it becomes part of, are listed', () => {
    say({ C: ['D'], D: ['E'], E: ['F'], F: [] })
    all.log.confirm('C')
    say({ A: ['B'], B: ['C'] })
    expect(odd()).toEqual(['one-link A'])
    say({ B: [] })
    expect(odd()).toEqual([])
  })

  it('is left out as a hub, and as too large, too; other hubs are listed, page by page', () => {
    for (const hub of ['p', 'q', 'r'])
      for (let i = 0; i < (hub === 'q' ? 12 : 11); i++) all.log.say(`${hub}${i}`, { links: [`${hub}-hub`] })
    all.log.flush()
    const of = (what: string, scope = {}) => odd({ what, ...scope })
    expect(of('hub-placeholder')).toEqual(['q-hub', 'r-hub', 'p-hub'].map((id) => `hub-placeholder ${id}`))
    expect(of('oversized', { alarmSize: 11 })).toHaveLength(3)
    all.log.confirm('q0')
    expect(of('hub-placeholder', { limit: 1, offset: 1 })).toEqual(['hub-placeholder p-hub'])
    expect(of('hub-placeholder')).toHaveLength(2)
    expect(of('oversized', { alarmSize: 11 })).toEqual(['oversized r0', 'oversized p0'])
    expect(countOdd(all.views, { alarmSize: 11, what: 'hub-placeholder' })).toEqual([
      { what: 'hub-placeholder', count: 2 },
    ])
    expect(countOdd(all.views, { alarmSize: 11, what: 'oversized' })).toEqual([
      { what: 'oversized', count: 2 },
    ])
    all.log.say('q12', { links: ['q-hub'] })
    all.log.flush()
    expect(of('hub-placeholder')).toHaveLength(3)
  })

  it('in each generation of which it was looked at, and in one that is built later', () => {
    chain()
    all.log.confirm('A')
    all.log.startGeneration(2)
    all.log.list(2)
    expect(odd({ generation: 2 })).toEqual([])
    all.log.unconfirm('A')
    expect(odd({ generation: 2 })).toEqual(['one-link A'])
  })
})

describe('a record that a person confirmed', () => {
  it('leaves the list until it is corrected again; taken back, all of its corrections count', () => {
    for (const type of ['WorkObserved', 'WorkCorrected', 'WorkCorrected'] as const) all.log.say('A', {}, type)
    expect(quality(all.views)).toMatchObject([{ what: 'corrected', id: 'A', seen: 2 }])
    all.log.confirmRecord('A', 2)
    expect(odd()).toEqual([])
    all.log.say('A', {}, 'WorkCorrected')
    expect(quality(all.views)).toMatchObject([{ what: 'corrected', weight: 1, seen: 1 }])
    all.log.confirmRecord('A', 1)
    expect(odd()).toEqual([])
    all.log.unconfirmRecord('A')
    expect(quality(all.views)).toMatchObject([{ what: 'corrected', weight: 3 }])
  })

  it('a correction between the look and the verdict stays listed; two persons confirm the same once', () => {
    for (const type of ['WorkObserved', 'WorkCorrected', 'WorkCorrected'] as const) all.log.say('A', {}, type)
    all.log.confirmRecord('A', 1)
    all.log.confirmRecord('A', 1)
    all.log.confirmRecord('A', 1)
    expect(odd()).toEqual([])
    all.log.unconfirmRecord('A')
    expect(quality(all.views)).toMatchObject([{ weight: 2 }])
  })
})

describe('whatever is said, and whoever confirms what', () => {
  const ids = ['A', 'B', 'C', 'D', 'E']
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('say' as const),
        id: fc.constantFrom(...ids),
        links: fc.uniqueArray(fc.constantFrom(...ids, 'P'), { maxLength: 2 }),
        title: fc.constantFrom('x', 'y'),
        state: fc.constantFrom('visible' as const, 'visible' as const, 'deleted' as const),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('flush' as const), piece: fc.integer({ min: 1, max: 6 }) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('confirm' as const), id: fc.constantFrom(...ids) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('unconfirm' as const), id: fc.constantFrom(...ids) }),
    },
  )
  type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

  /** The contents that stand, by the smallest work of their graph, as a plain reader of the log has them. */
  const play = (log: Catalogue, steps: readonly Step[]): ReadonlyMap<string, string> => {
    const standing = new Map<string, string>()
    let published: ReturnType<Catalogue['components']> = []
    let isClean = true
    for (const one of steps)
      if (one.kind === 'say') {
        log.say(one.id, one)
        isClean = false
      } else if (one.kind === 'flush') {
        log.flush(one)
        published = log.components()
        isClean = true
      } else if (one.kind === 'unconfirm') {
        if (standing.delete(one.id)) log.unconfirm(one.id)
      } else if (isClean) {
        const graph = published.find(({ members }) => members.some(([id]) => id === one.id))
        if (!graph) continue
        log.confirm(one.id)
        standing.set(graph.members[0]![0], contentOf(log, graph))
      }
    log.flush()
    return standing
  }
  const contentOf = (log: Catalogue, { members }: ReturnType<Catalogue['components']>[number]): string =>
    graphContent(members.map(([id]) => lookedAt(id, log.works.get(id)!)))

  it('at rest exactly those graphs count as confirmed whose content somebody confirmed, and nobody took back', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const log = catalogue()
        const standing = play(log, steps)
        if (log.events.length === 0) return
        const { viewStore, generation } = openMatching()
        foldAll(viewStore, generation, log.events)
        const expected = log
          .components()
          .filter((graph) => standing.get(graph.members[0]?.[0] ?? '') === contentOf(log, graph))
          .map(({ members }) => members[0]![0])
        const found = viewStore
          .query('matching-graphs', {})
          .filter(({ confirmedAt }) => confirmedAt !== null)
          .map(({ component }) => component)
        expect(found.toSorted()).toEqual(expected.toSorted())
        for (const { bridge, bridgeSide, confirmedAt } of viewStore.query('matching-graphs', {}))
          expect(bridgeSide).toBe(
            confirmedAt === null ? ((bridge as { side: number } | null)?.side ?? null) : null,
          )
        viewStore.close()
      }),
      { numRuns: runs(200) },
    )
  })

  it('a replay gives the same rows, however many events a transaction has', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.integer({ min: 1, max: 4 }), (steps, batch) => {
        const log = catalogue()
        play(log, steps)
        if (log.events.length === 0) return
        const { viewStore, generation } = openMatching({ rowBytes: 4000 })
        foldAll(viewStore, generation, log.events)
        const other = viewStore.create(matching.name, matching.version, matching.views)
        foldAll(viewStore, other, log.events, batch)
        expect(viewStore.compare(generation, other)).toEqual([])
        viewStore.close()
      }),
      { numRuns: runs(60) },
    )
  })
})
