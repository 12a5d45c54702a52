import { expect, test } from 'vitest'
import { sinceOf } from '#src/domain/kernel/since.ts'

test.each([
  ['7d', '2026-01-24T12:00:00.000Z'],
  ['36h', '2026-01-30T00:00:00.000Z'],
  ['30min', '2026-01-31T11:30:00.000Z'],
  ['2026-01-30T13:00:00+01:00', '2026-01-30T12:00:00.000Z'],
  ['0d', undefined],
  ['7', undefined],
  ['7w', undefined],
  ['999999d', undefined],
  ['noon', undefined],
])('%s', (text, wanted) => {
  expect(sinceOf(text, '2026-01-31T12:00:00.000Z')).toBe(wanted)
})
