import { expect, it } from 'vitest'
import { createBrokenSpell } from '../../../../infra/broker/kafka/broken-spell.ts'

const start = Date.parse('2026-01-31T12:00:00.000Z')

const spellOf = () => {
  let passed = 0
  const spell = createBrokenSpell({
    now: () => new Date(start + passed).toISOString(),
    monotonic: () => passed,
    soundMillis: 60_000,
  })
  return { spell, pass: (seconds: number) => (passed += seconds * 1000) }
}

it('there is none before a member broke down, nor while the next one is in the group', () => {
  const { spell, pass } = spellOf()
  expect(spell.now()).toBeUndefined()
  spell.joined()
  pass(100)
  spell.broke('it was thrown out')
  expect(spell.now()).toEqual({ since: '2026-01-31T12:01:40.000Z', because: 'it was thrown out' })
  spell.joined()
  expect(spell.now()).toBeUndefined()
})

it('one breakdown after another counts from the first, with the last reason; after a sound member it is another spell', () => {
  const { spell, pass } = spellOf()
  spell.broke('no right')
  pass(30)
  spell.joined()
  pass(5)
  spell.broke('no right to read')
  expect(spell.now()).toEqual({ since: '2026-01-31T12:00:00.000Z', because: 'no right to read' })
  spell.joined()
  pass(61)
  spell.broke('again')
  expect(spell.now()).toEqual({ since: '2026-01-31T12:01:36.000Z', because: 'again' })
})
