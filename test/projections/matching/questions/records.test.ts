import { beforeEach, describe, expect, it } from 'vitest'
import { compareRecords } from '#src/projections/matching/questions/records.ts'
import { recordsBlocks } from '#src/projections/matching/questions/records-lines.ts'
import { type Folded, folded } from '../folding.ts'

let all: Folded
beforeEach(() => {
  all = folded()
  const { log } = all
  log.say('A', {
    title: 'Alps',
    links: ['B', 'P'],
    fields: { year: 1821, subjects: ['Botany', 'Alps'], place: { name: 'Bern', code: 1 } },
  })
  log.say('B', {
    title: 'The Alps',
    source: 'scans',
    links: ['P'],
    fields: { year: 1821, subjects: ['Botany'], pages: 212, place: { code: 1, name: 'Bern' } },
  })
  log.say('X', { title: 'Alps' })
  log.flush()
  log.merge()
})
const compare = (a: string, b: string, scope = {}) => {
  const found = compareRecords(all.views, a, b, scope)
  if (!found) throw new Error('nothing is known of one of them')
  return found
}
const sentences = (a: string, b: string, scope = {}) =>
  recordsBlocks(compare(a, b, scope)).filter((block) => typeof block === 'string' && block !== '')

describe('two records side by side', () => {
  it('field by field: those that differ first, whatever the order of names in a value', () => {
    expect(compare('A', 'B').fields.map(({ field, agrees, both }) => [field, agrees, ...both])).toEqual([
      ['title', 'differs'],
      ['source', 'differs'],
      ['pages', 'only-b'],
      ['subjects', 'differs', 'Botany'],
      ['state', 'same'],
      ['place', 'same'],
      ['year', 'same'],
    ])
  })

  it('what links them: a link of their own, ids that both name, and whether readers get one for both', () => {
    const { direct, named, why, a, b } = compare('A', 'B')
    expect(direct).toMatchObject([{ from: 'A', to: 'B', active: true }])
    expect(named).toEqual([{ id: 'P', a: ['same as'], b: ['same as'] }])
    expect(why).toMatchObject({ kind: 'together', parting: [] })
    expect([a.shownAs, b.shownAs]).toEqual(['A', 'A'])
    expect(sentences('A', 'B')).toEqual([
      'A “Alps” and B “The Alps” are merged: readers get A, the first visible record by the order of sources.',
      expect.stringMatching(/^A “Alps” and B “The Alps” are one, since/),
      expect.stringMatching(/^ {2}A → B: same as \(stated by A since/),
      'No single link parts them.',
      'Both name P: A (same as), B (same as).',
    ])
  })

  it('that are apart: they are not one, though they share a title', () => {
    expect(compare('A', 'X')).toMatchObject({ direct: [], named: [], why: { kind: 'apart' } })
    expect(sentences('A', 'X')).toEqual([
      'A “Alps” and X “Alps” are not merged: they are in two graphs.',
      'A “Alps” and X “Alps” are not one.',
      'They never were.',
    ])
  })

  it('one that no source describes, one that is deleted, one that waits, and the same twice', () => {
    expect(compare('A', 'P').b).toMatchObject({ state: 'placeholder', namedBy: 2, shownAs: null })
    expect(sentences('A', 'P')[1]).toBe(
      'P is named by 2 works, and no source describes it: it has no fields.',
    )
    all.log.say('X', { title: 'Alps', state: 'deleted' })
    all.log.say('new', { links: ['A'] })
    expect(sentences('A', 'X')[1]).toBe('X is deleted: what it said last is shown.')
    expect(compare('new', 'A')).toMatchObject({
      why: null,
      direct: [{ from: 'new' }],
      a: { component: null },
    })
    expect(sentences('new', 'A')).toEqual([
      'new and A “Alps” cannot be compared by their graphs yet.',
      'new is in no graph yet; the matcher, where it runs, will come to it.',
    ])
    expect(sentences('A', 'A')).toEqual(['A “Alps” is the same record as itself.'])
    expect(compareRecords(all.views, 'A', 'nix')).toBeUndefined()
  })

  it('in one graph and not merged: why not; in a graph that is too large, all but the way', () => {
    all.log.say('A', { title: 'Alps', links: ['B', 'P'], state: 'invisible' })
    all.log.say('B', { links: ['P'], state: 'invisible' })
    all.log.flush()
    all.log.merge()
    expect(sentences('A', 'B')[0]).toBe(
      'A “Alps” and B are in one graph, and not merged: A is not shown, B is not shown.',
    )
    expect(compare('A', 'B', { maxWorks: 1 })).toMatchObject({ why: null, isTooLarge: true, direct: [{}] })
    expect(sentences('A', 'B', { maxWorks: 1 }).at(-2)).toContain('too large to be searched here')
  })
})
