import { beforeEach, describe, expect, it } from 'vitest'
import type { Document } from '#src/domain/matching/merged/document.ts'
import { compareGenerations } from '#src/projections/matching/questions/compare-generations.ts'
import { countOdd, quality } from '#src/projections/matching/questions/quality.ts'
import { countStuck, oldestWaiting, stuck } from '#src/projections/matching/questions/stuck.ts'
import { summary } from '#src/projections/matching/questions/summary.ts'
import { t } from './catalogue.ts'
import { type Folded, folded } from './folding.ts'

let all: Folded
beforeEach(() => {
  all = folded()
})
const say = (works: Readonly<Record<string, readonly string[]>>) => {
  for (const [id, links] of Object.entries(works)) all.log.say(id, { links })
  all.log.flush()
}
const redirect = (to: string): Document => ({ kind: 'redirect', component: 'A', to })
const lone = (id: string, fields = {}): Document => ({
  kind: 'merged',
  component: id,
  size: 1,
  from: [],
  fields,
})

describe('M17: stuck', () => {
  const list = (now: string, scope = {}) =>
    stuck(all.views, now, scope).map(({ what, id, since }) => [what, id, since])

  it('accepted and in no graph, longer than allowed', () => {
    all.log.say('A')
    expect(list(t(60))).toEqual([])
    expect(list(t(61))).toEqual([['unmatched', 'A', t(0)]])
    expect(list(t(10), { allowedSeconds: 5 })).toHaveLength(1)
  })

  it('graph above index, longer than allowed', () => {
    say({ A: ['B'], B: [] })
    expect(list(t(99))).toEqual([['unindexed', 'A', t(2)]])
    all.log.document('A', lone('A'))
    expect(stuck(all.views, t(99))[0]?.says).toMatch(/^1 of 2 documents of the graph of A is not written/)
    all.log.document('B', redirect('A'))
    expect(list(t(99))).toEqual([])
  })

  it('wrong at rest, at once; the oldest comes first; each says how to repair it (M18)', () => {
    say({ A: ['B'], B: [] })
    all.log.document('A', redirect('B'))
    all.log.document('B', redirect('A'))
    all.log.say('C')
    const lines = stuck(all.views, t(99))
    expect(lines.map(({ what, id }) => [what, id])).toEqual([
      ['no-target', 'A'],
      ['unmatched', 'C'],
    ])
    expect(lines[0]?.says).toBe(
      '2 works of the graph of A redirect, and none of it is shown; have its documents made again from the facts: `fonds matching resend A`.',
    )
    for (const { id, says } of lines) expect(says).toContain(`fonds matching resend ${id}`)
    expect(list(t(99), { limit: 1 })).toHaveLength(1)
  })

  it('two targets, and redirects out of the graph', () => {
    say({ A: ['B', 'C'], B: [], C: [], X: ['Y'], Y: [] })
    for (const id of ['A', 'B']) all.log.document(id, lone('A'))
    all.log.document('C', redirect('A'))
    all.log.document('X', lone('X'))
    all.log.document('Y', redirect('A'))
    expect(list(t(9)).map(([what, id]) => [what, id])).toEqual([
      ['two-targets', 'A'],
      ['astray', 'X'],
    ])
  })

  it('written, and not on its topic, longer than allowed, among the others by time', () => {
    all.log.say('A')
    const one = { topic: 'fonds.matching.merged', id: 'B', since: t(5), count: 1, isCounted: true }
    const many = {
      ...one,
      topic: 'fonds.matching.graphs',
      id: 'C',
      since: t(6),
      count: 1000,
      isCounted: false,
    }
    const at = (now: string) => stuck(all.views, now, {}, [many, one])
    expect(at(t(65)).map(({ what, id }) => [what, id])).toEqual([['unmatched', 'A']])
    expect(at(t(67)).map(({ what, id }) => [what, id])).toEqual([
      ['unmatched', 'A'],
      ['unsent', 'B'],
      ['unsent', 'C'],
    ])
    expect(countStuck(all.views, t(67), {}, [many, one])).toEqual([
      { what: 'unmatched', count: 1 },
      { what: 'unsent', count: 2 },
    ])
    expect(stuck(all.views, t(67), { what: 'unsent', offset: 1 }, [one, many])).toMatchObject([{ id: 'C' }])
    const [, first, second] = at(t(67))
    expect(first?.says).toMatch(
      /^1 event from that of B on is not on fonds\.matching\.merged yet; .*reactions/,
    )
    expect(second?.says).toMatch(
      /^1,000 events or more from that of C on are not on fonds\.matching\.graphs yet/,
    )
  })

  it('of one work: it, and the graph that it is in', () => {
    say({ A: ['B'], B: [], X: [] })
    all.log.document('A', redirect('B'))
    all.log.document('B', redirect('A'))
    all.log.say('C')
    const of = (work: string) => list(t(99), { work }).map(([what, id]) => `${what} ${id}`)
    expect(of('A')).toEqual(['no-target A'])
    expect(of('B')).toEqual(['no-target A'])
    expect(of('C')).toEqual(['unmatched C'])
    expect(of('X')).toEqual(['unindexed X'])
    expect(of('nowhere')).toEqual([])
    expect(countStuck(all.views, t(99), { work: 'B' })).toEqual([{ what: 'no-target', count: 1 }])
  })

  it('since when the oldest waits, for the matcher and for the merger', () => {
    say({ A: [], B: [] })
    expect(oldestWaiting(all.views)).toEqual({ work: undefined, graph: t(2) })
    all.log.merge()
    all.log.say('C')
    all.log.say('A')
    expect(oldestWaiting(all.views)).toEqual({ work: t(5), graph: undefined })
  })

  it('of the generation that is asked for; of the live one unless told', () => {
    say({ A: [] })
    all.log.merge()
    all.log.startGeneration(2)
    all.log.list(2)
    expect(list(t(999))).toEqual([])
    expect(list(t(999), { generation: 2 })).toMatchObject([['unindexed', 'A', expect.any(String)]])
  })
})

describe('§6: data quality', () => {
  const list = (scope = {}) => quality(all.views, scope).map(({ what, id, weight }) => [what, id, weight])

  it('components that one link holds together, the most evenly parted first', () => {
    say({ A: ['B'], B: ['C'], C: ['D'], D: [] })
    say({ a: ['b'], b: ['c'], c: ['d'], d: ['e'], e: ['f'], f: [] })
    say({ x: ['y'], y: ['z'], z: [] })
    expect(list()).toEqual([
      ['one-link', 'a', 3],
      ['one-link', 'A', 2],
    ])
    expect(quality(all.views)[1]?.says).toBe(
      'One link, from B to C, holds 2 and 2 works together; check that it is right.',
    )
    expect(list({ limit: 1 })).toHaveLength(1)
    expect(list({ what: 'one-link', limit: 1, offset: 1 })).toEqual([['one-link', 'A', 2]])
    expect(list({ what: 'corrected' })).toEqual([])
    expect(countOdd(all.views)).toEqual([{ what: 'one-link', count: 2 }])
  })

  it('placeholders that many works name', () => {
    say(
      Object.fromEntries(
        Array.from({ length: 10 }, (_, i) => [`w${i}`, ['hub', ...(i < 9 ? ['small'] : [])]]),
      ),
    )
    expect(list()).toEqual([['hub-placeholder', 'hub', 10]])
    expect(list({ hubSize: 9 })).toHaveLength(2)
  })

  it('components above the alarm size', () => {
    say({ A: ['B'], B: ['C'], C: [], X: ['Y'], Y: [] })
    expect(list({ alarmSize: 2 })).toEqual([
      ['oversized', 'A', 3],
      ['oversized', 'X', 2],
    ])
  })

  it('works of which one version came with other content, the most often first', () => {
    for (const id of ['A', 'B', 'B']) {
      if (!all.log.works.has(id)) all.log.say(id)
      all.log.say(id, {}, 'WorkCorrected')
    }
    expect(list()).toEqual([
      ['corrected', 'B', 2],
      ['corrected', 'A', 1],
    ])
  })
})

describe('§6: comparison of two generations', () => {
  it('document for document, without versions', async () => {
    for (const id of ['same', 'other', 'old', 'new']) all.log.say(id)
    for (const [generation, version] of [
      [1, 10],
      [2, 20],
    ] as const) {
      all.log.document('same', lone('same', generation === 1 ? { a: 1, b: 2 } : { b: 2, a: 1 }), {
        generation,
        version,
      })
      all.log.document('other', lone('other', { generation }), { generation, version })
    }
    all.log.document('old', lone('old'), { generation: 1, version: 1 })
    all.log.document('new', lone('new'), { generation: 2, version: 1 })
    expect(await compareGenerations(all.views, 1, 2)).toEqual({
      first: 1,
      second: 2,
      same: 1,
      different: 1,
      onlyInFirst: 1,
      onlyInSecond: 1,
      examples: [
        { work: 'new', title: null, first: null, second: lone('new') },
        { work: 'old', title: null, first: lone('old'), second: null },
        {
          work: 'other',
          title: null,
          first: lone('other', { generation: 1 }),
          second: lone('other', { generation: 2 }),
        },
      ],
    })
  })

  it('over many pages, in the order of the file, with twenty examples', async () => {
    // Beyond the basic plane: by code units they would stand before the private use area, by bytes behind it.
    const ids = ['\u{1f600}', '\ue000', ...Array.from({ length: 1500 }, (_, i) => `w${i}`)]
    for (const id of ids) {
      all.log.say(id)
      all.log.document(id, lone(id), { generation: 1 })
      if (id !== '\ue000') all.log.document(id, lone(id, id.endsWith('7') ? { x: 1 } : {}), { generation: 2 })
    }
    const compared = await compareGenerations(all.views, 1, 2)
    expect(compared).toMatchObject({ same: 1351, different: 150, onlyInFirst: 1, onlyInSecond: 0 })
    expect(compared.examples).toHaveLength(20)
  })
})

it('§6: counts', () => {
  say({ A: ['B', 'P'], B: [], C: [] })
  all.log.say('D', { state: 'deleted' })
  all.log.say('E', { state: 'invisible' })
  all.log.flush()
  all.log.merge()
  all.log.refuse({ details: { work: 'A', offered: 1, held: 2 } })
  all.log.say('C', {}, 'WorkCorrected')
  expect(summary(all.views)).toEqual({
    generation: 1,
    works: { visible: 3, invisible: 1, deleted: 1 },
    links: 2,
    placeholders: 1,
    components: 4,
    sizes: [
      { size: 1, components: 3 },
      { size: 2, components: 1 },
    ],
    largest: [
      { component: 'A', title: null, size: 2 },
      { component: 'E', title: null, size: 1 },
      { component: 'D', title: null, size: 1 },
      { component: 'C', title: null, size: 1 },
    ],
    documents: { merged: 2, redirect: 1, hidden: 1, deleted: 1 },
    refusals: { 'older-version': 1 },
    corrected: 1,
    unmatched: 1,
    unindexed: 0,
    faults: 0,
  })
})
