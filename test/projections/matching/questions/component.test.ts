import { beforeEach, describe, expect, it } from 'vitest'
import { componentAnswer } from '#src/projections/matching/questions/component.ts'
import { matchStateOf } from '#src/projections/matching/questions/reading.ts'
import { type Folded, folded } from '../folding.ts'

let all: Folded
beforeEach(() => {
  all = folded()
})
const ask = (work: string, scope = {}) => componentAnswer(all.views, work, scope)
const ids = (work: string, scope = {}) => ask(work, scope)?.nodes.map(({ id }) => id)
const links = (work: string) =>
  ask(work)?.links.map(({ from, to, active }) => `${from} ${active ? '→' : '⇢'} ${to}`)

describe('§6: the graph of a work', () => {
  it('its nodes and links, sorted, so that two pictures can be compared', () => {
    all.log.say('B', { links: ['A', 'P'], title: 'Second', source: 'mets', version: 4 })
    all.log.say('A', { links: ['B'], title: 'First' })
    all.log.flush()
    all.log.merge()
    const answer = ask('P')
    expect(answer).toMatchObject({
      generation: 1,
      graph: 1,
      component: 'A',
      size: 2,
      version: all.log.version(),
      target: 'A',
      bridge: null,
      leftOut: 0,
    })
    expect(answer?.nodes).toEqual([
      {
        id: 'A',
        state: 'visible',
        source: 'library',
        sourceVersion: 1,
        title: 'First',
        revision: 0,
        document: 'merged',
        redirectsTo: null,
      },
      expect.objectContaining({ id: 'B', sourceVersion: 4, document: 'redirect', redirectsTo: 'A' }),
      {
        id: 'P',
        state: 'placeholder',
        source: null,
        sourceVersion: null,
        title: null,
        revision: null,
        document: null,
        redirectsTo: null,
      },
    ])
    expect(links('A')).toEqual(['A → B', 'B → A', 'B → P'])
    expect(ask('B')).toEqual(answer)
    expect(answer?.links[0]).toMatchObject({ reasons: ['same as'], revision: 0 })
  })

  it('deleted works that a link leads to, or that name a member, stand behind the members', () => {
    all.log.say('M', { links: ['D'] })
    all.log.say('D', { state: 'deleted', links: ['Z'] })
    all.log.say('C', { state: 'deleted', links: ['M'] })
    all.log.say('Z')
    all.log.flush()
    expect(ids('M')).toEqual(['M', 'C', 'D'])
    expect(links('M')).toEqual(['C ⇢ M', 'M ⇢ D'])
    expect(ask('M')).toMatchObject({ size: 1, leftOut: 0 })
  })

  it('of a deleted work is itself, and its inactive links', () => {
    all.log.say('A', { links: ['D'] })
    all.log.say('D', { state: 'deleted', links: ['B', 'P'] })
    all.log.say('B')
    all.log.flush()
    expect(ids('D')).toEqual(['D', 'A', 'B', 'P'])
    expect(links('D')).toEqual(['A ⇢ D', 'D ⇢ B', 'D ⇢ P'])
  })

  it('too large to show: the nearest, and how many are left out', () => {
    const chain = ['e', 'c', 'a', 'b', 'd', 'f']
    for (const [i, id] of chain.entries()) all.log.say(id, { links: chain.slice(i + 1, i + 2) })
    all.log.flush()
    expect(ids('a', { maxWorks: 3 })).toEqual(['a', 'b', 'c'])
    expect(ask('a', { maxWorks: 3 })).toMatchObject({ size: 6, leftOut: 3 })
    expect(ask('a', { maxWorks: 3 })?.links).toHaveLength(2)
    expect(ids('a', { maxWorks: 1 })).toEqual(['a'])
    expect(ask('a')?.leftOut).toBe(0)
    expect(ask('a')?.bridge).toMatchObject({ side: 3 })
  })

  it('works that do not merge have no target', () => {
    const rules = { precedence: [], neverTarget: ['library'], fields: {}, otherFields: 'first' } as const
    all.log.say('A', { links: ['B'] })
    all.log.say('B')
    all.log.flush()
    all.log.merge(['A'], 1, { ...rules, precedence: [], neverTarget: ['library'] })
    expect(ask('A')).toMatchObject({ target: null })
  })

  it('an id that is in none: unknown, or waiting for the matcher', () => {
    all.log.say('A', { links: ['P'] })
    expect(ask('A')).toBeUndefined()
    expect(matchStateOf(all.views, 'A')).toBe('waiting')
    expect(matchStateOf(all.views, 'X')).toBe('unknown')
    all.log.flush()
    expect(matchStateOf(all.views, 'A')).toBe('matched')
    expect(matchStateOf(all.views, 'P')).toBe('matched')
  })

  it('is that of the live generation, or of the one asked for', () => {
    all.log.say('A', { links: ['B'] })
    all.log.say('B')
    all.log.flush()
    all.log.startGeneration(2)
    all.log.list(2)
    expect(ask('A')).toMatchObject({ generation: 1 })
    expect(ask('A', { generation: 2 })).toMatchObject({ generation: 2, size: 2 })
    all.log.switchGeneration(1, 2)
    expect(ask('A')).toMatchObject({ generation: 2 })
  })
})
