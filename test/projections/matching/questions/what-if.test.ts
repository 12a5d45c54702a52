import { beforeEach, describe, expect, it } from 'vitest'
import { whatIf } from '#src/projections/matching/questions/what-if.ts'
import { type Folded, folded } from '../folding.ts'

let all: Folded
beforeEach(() => {
  all = folded()
})
const say = (works: Readonly<Record<string, readonly string[]>>) => {
  for (const [id, links] of Object.entries(works)) all.log.say(id, { links })
  all.log.flush()
}
const drop = (from: string, to: string, of = {}) => whatIf(all.views, { kind: 'drop', from, to }, of)
const add = (from: string, to: string) => whatIf(all.views, { kind: 'add', from, to })
const groups = (fates: readonly { readonly members: readonly string[] }[] | undefined) =>
  fates?.map(({ members }) => members.join(''))

describe('§6: dry run', () => {
  it('a dropped link parts what it alone held', () => {
    say({ A: ['B'], B: ['C'], C: [], other: [] })
    const answer = drop('B', 'C')
    expect(answer?.before).toEqual([{ members: ['A', 'B', 'C'], placeholders: [], target: 'A' }])
    expect(answer?.after).toEqual([
      { members: ['A', 'B'], placeholders: [], target: 'A' },
      { members: ['C'], placeholders: [], target: 'C' },
    ])
    expect(answer?.changed).toEqual([{ work: 'C', before: 'redirect to A', after: 'merged' }])
  })

  it('a link of a ring, or one that the other end states as well, changes nothing', () => {
    say({ A: ['B'], B: ['C'], C: ['A'] })
    expect(drop('A', 'B')?.changed).toEqual([])
    say({ X: ['Y'], Y: ['X'] })
    expect(groups(drop('X', 'Y')?.after)).toEqual(['XY'])
  })

  it('a link that is not stated changes nothing', () => {
    say({ A: [], B: [] })
    const answer = drop('A', 'B')
    expect(answer?.after).toEqual(answer?.before)
    expect(groups(answer?.before)).toEqual(['A', 'B'])
  })

  it('an added link joins both ends, with all that is behind them', () => {
    say({ A: ['P'], B: ['P'], X: [], Y: ['X'] })
    const answer = add('Y', 'P')
    expect(groups(answer?.before)).toEqual(['AB', 'XY'])
    expect(answer?.after).toEqual([{ members: ['A', 'B', 'X', 'Y'], placeholders: ['P'], target: 'A' }])
    expect(answer?.changed).toEqual([
      { work: 'X', before: 'merged', after: 'redirect to A' },
      {
        work: 'Y',
        before: 'redirect to X',
        after: 'redirect to A',
      },
    ])
  })

  it('a link to an id that nobody knows makes a placeholder', () => {
    say({ A: [] })
    expect(add('A', 'new')?.after).toEqual([{ members: ['A'], placeholders: ['new'], target: 'A' }])
  })

  it('a link to or from a deleted work joins nothing', () => {
    say({ A: [], B: [] })
    all.log.say('D', { state: 'deleted', links: ['B'] })
    all.log.flush()
    expect(add('A', 'D')?.changed).toEqual([])
    expect(groups(add('A', 'D')?.after)).toEqual(['A', 'D'])
    expect(add('D', 'A')?.changed).toEqual([])
    // Deleted works around a component are none of its fate.
    expect(groups(add('A', 'B')?.after)).toEqual(['AB'])
  })

  it('by the rules of the generation', () => {
    say({ A: ['B'], B: ['C'] })
    all.log.say('C', { source: 'best' })
    all.log.flush()
    all.log.startGeneration(2, { precedence: ['best'], neverTarget: [], fields: {}, otherFields: 'first' })
    expect(drop('B', 'C')?.before[0]?.target).toBe('C')
    expect(drop('B', 'C', { generation: 2 })?.before[0]?.target).toBe('C')
    all.log.say('C', { source: 'zzz' })
    expect(drop('B', 'C')?.before[0]?.target).toBe('A')
  })

  it('about more works than the asker has time for, it is refused', () => {
    say({ A: ['B'], B: ['P'], C: [] })
    const ask = (most: number) => whatIf(all.views, { kind: 'add', from: 'A', to: 'C' }, { maxWorks: most })
    expect(groups(ask(4)?.after)).toEqual(['ABC'])
    expect(() => ask(3)).toThrow('A is linked with more than 3 works, too many to look through')
  })

  it('of a work that no source has spoken of there is nothing to change', () => {
    say({ A: ['P'] })
    expect(add('P', 'A')).toBeUndefined()
    expect(drop('nobody', 'A')).toBeUndefined()
  })
})
