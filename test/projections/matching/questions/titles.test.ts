import { beforeEach, describe, expect, it, test } from 'vitest'
import { history } from '#src/projections/matching/questions/history.ts'
import { quality } from '#src/projections/matching/questions/quality.ts'
import { stuck } from '#src/projections/matching/questions/stuck.ts'
import {
  namesIn,
  shortTitle,
  titleReader,
  titlesOf,
  withTitle,
} from '#src/projections/matching/questions/titles.ts'
import { whatIf } from '#src/projections/matching/questions/what-if.ts'
import { why } from '#src/projections/matching/questions/why.ts'
import { t } from '../catalogue.ts'
import { type Folded, folded } from '../folding.ts'

describe('a title beside an id', () => {
  test('is on one line, and ends behind a whole word', () => {
    expect(shortTitle('  A herbal\n of   the Alps ')).toBe('A herbal of the Alps')
    expect(shortTitle(`${'ab '.repeat(16)}`)).toHaveLength(47)
    expect(shortTitle('Physica sacra: iconibus aeneis illustrata, procurante Johanne Pfeffel')).toBe(
      'Physica sacra: iconibus aeneis illustrata…',
    )
  })

  test('of a script without blanks, or of one endless word, is cut between characters', () => {
    expect(shortTitle('本'.repeat(60))).toBe(`${'本'.repeat(47)}…`)
    expect(shortTitle('😀'.repeat(60))).toBe(`${'😀'.repeat(47)}…`)
    expect(shortTitle('😀'.repeat(48))).toBe('😀'.repeat(48))
  })

  test('is left out where none is known, and stands where the id is named first', () => {
    expect(withTitle('herbal', null)).toBe('herbal')
    const nameOf = namesIn({ herbal: 'A herbal' })
    expect([nameOf('herbal'), nameOf('herbal'), nameOf('toString')]).toEqual([
      'herbal “A herbal”',
      'herbal',
      'toString',
    ])
  })
})

describe('answers have the titles of the works that they name', () => {
  let all: Folded
  beforeEach(() => {
    all = folded()
    const say = (id: string, title: string | undefined, links: readonly string[] = []) =>
      all.log.say(id, { title, links })
    say('A', 'Alps', ['B'])
    say('B', 'Botany', ['C'])
    say('C', undefined, ['D'])
    say('D', ' ', ['nobody'])
    say('__proto__', 'Odd')
    all.log.flush()
  })

  it('a work without a title, with an empty one, and an id that nobody described have none', () => {
    const titleOf = titleReader(all.views)
    expect(['A', 'C', 'D', 'nobody', 'toString'].map(titleOf)).toEqual(['Alps', null, null, null, null])
    const titles = titlesOf(titleOf, ['A', '__proto__', 'C', 'A'])
    expect(JSON.stringify(titles)).toBe('{"A":"Alps","__proto__":"Odd"}')
    expect(namesIn(titles)('__proto__')).toBe('__proto__ “Odd”')
  })

  it('why, what-if, history', () => {
    expect(why(all.views, 'A', 'C')?.titles).toEqual({ A: 'Alps', B: 'Botany' })
    expect(why(all.views, 'A', '__proto__')?.titles).toEqual(
      titlesOf(titleReader(all.views), ['A', '__proto__']),
    )
    const change = { kind: 'drop', from: 'B', to: 'C' } as const
    expect(whatIf(all.views, change)?.titles).toEqual({ A: 'Alps', B: 'Botany' })
    expect(history(all.views, 'B')?.[0]?.titles).toEqual({ A: 'Alps', B: 'Botany' })
  })

  it('quality and stuck, in their sentences, too', () => {
    expect(quality(all.views)).toMatchObject([{ what: 'one-link', id: 'A', title: 'Alps' }])
    expect(quality(all.views)[0]?.says).toMatch(/^One link, from B “Botany” to C, holds 2 and 2 works/)
    expect(stuck(all.views, t(999)).map(({ id, title }) => [id, title])).toEqual([
      ['A', 'Alps'],
      ['__proto__', 'Odd'],
    ])
  })
})
