import { expect, it, test } from 'vitest'
import { MailAddress } from '#src/domain/ingest/submission.ts'
import {
  isPersonal,
  personalIn,
  personalText,
  replacePersonal,
  shownPersonal,
} from '#src/domain/kernel/personal.ts'
import { personalCommitment } from '#src/domain/kernel/personal-commitment.ts'
import vectors from './personal-vectors.json' with { type: 'json' }

/* Q41, Q44: the log has a reference and a commitment in the place of a personal value. */

test.each(vectors)('Q41 commitment to $value', ({ salt, value, commitment }) => {
  expect(personalCommitment(Buffer.from(salt, 'hex'), value)).toBe(commitment)
})

it('a salt of another length is refused', () => {
  expect(() => personalCommitment(Buffer.alloc(16), 'ada')).toThrow('a salt has 32 bytes, not 16')
})

const one = personalText('A'.repeat(22), 'b'.repeat(43), 'ada')
const other = personalText('-_'.repeat(11), '0'.repeat(43), 'ada@archive.example')

it('a reference is found alone and inside of a sentence', () => {
  expect([one, other].map(isPersonal)).toEqual([true, true])
  expect(one).toBe(`personal:${'A'.repeat(22)}.${'b'.repeat(43)}`)
  expect(other).toBe(`personal:${'-_'.repeat(11)}.${'0'.repeat(43)}@mail`)
  expect([one, other].map(MailAddress.is)).toEqual([false, true])
  expect(personalIn(`held by ${one}: ${other}, ${one}`)).toEqual([one, other])
  expect(replacePersonal(`held by ${one}: ${other}.`, (found) => (found === one ? 'ada' : 'ben'))).toBe(
    'held by ada: ben.',
  )
})

it.each(['personal:', one.slice(0, -1), `${one}b`, one.replace('.', '-'), 'ada', ` ${one.slice(1)}`])(
  '%j is none',
  (text) => {
    expect(isPersonal(text)).toBe(false)
    expect(personalIn(text)).toEqual([])
    expect(replacePersonal(text, () => 'ada')).toBe(text)
  },
)

it('Q44 readers see the value, the day of its erasing, or what the reference is', () => {
  expect(shownPersonal(one, { kind: 'value', text: 'ada', salt: '' })).toBe('ada')
  expect(shownPersonal(one, { kind: 'erased', at: '2026-11-30T17:00:00.000Z' })).toBe(
    '[erased on 2026-11-30]',
  )
  expect(shownPersonal(one, undefined)).toBe(`[personal value, not readable here: ${one}]`)
})
