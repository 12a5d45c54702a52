import { expect, test } from 'vitest'
import type { TurnCause } from '#src/domain/matching/turn-cause.ts'
import { causesInWords } from '#src/projections/matching/questions/cause-words.ts'

const cause = (effect: TurnCause['effect'], work: string): TurnCause =>
  effect === 'described'
    ? { work, revision: 0, effect, from: null, to: null }
    : { work, revision: 3, effect, from: 'a', to: 'b' }

test.each([
  [cause('linked', 'a'), 'a names b'],
  [cause('linked', 'b'), 'b is back, which a names'],
  [cause('unlinked', 'a'), 'a no longer names b'],
  [cause('unlinked', 'b'), 'b was deleted, which a names'],
  [cause('described', 'a'), 'a was described'],
])('%o', (one, words) => expect(causesInWords([one])).toBe(words))

test('of many the first three, and how many more there are, also of those that are not listed', () => {
  const many = ['a', 'b', 'c', 'd', 'e'].map((work) => cause('described', work))
  expect(causesInWords(many, 4404)).toBe('a was described; b was described; c was described; and 4,401 more')
  expect(causesInWords(many.slice(0, 3), 3)).not.toContain('more')
})

test('none: nobody made one up', () => expect(causesInWords([], 0)).toBe('cause not kept'))
