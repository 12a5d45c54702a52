import { expect, it } from 'vitest'
import { ago, at } from '../../dashboard/src/parts/short-time.ts'

const now = new Date('2026-11-26T18:30:00')
const on = (local: string) => new Date(local)

it('tells how long ago it was within a day, and when from then on', () => {
  expect(ago(on('2026-11-26T18:29:30'), now)).toBe('just now')
  expect(ago(on('2026-11-26T18:18:00'), now)).toBe('12 min ago')
  expect(ago(on('2026-11-25T19:30:00'), now)).toBe('23 h ago')
  expect(ago(on('2026-11-25T17:20:00'), now)).toMatch(/^\S+ 17:20$/)
  expect(ago(on('2026-03-02T17:20:00'), now)).not.toMatch(/2026/)
  expect(ago(on('2024-03-02T17:20:00'), now)).toMatch(/2024/)
})

it('tells what is to come as such', () => {
  expect(ago(on('2026-11-26T18:30:30'), now)).toBe('in less than 1 min')
  expect(ago(on('2026-11-26T18:35:00'), now)).toBe('in 5 min')
  expect(ago(on('2027-02-24T01:55:50'), now)).toMatch(/2027/)
})

it('tells when behind since and until, to the second on the same day', () => {
  expect(at(on('2026-11-26T09:05:07'), now)).toBe('09:05:07')
  expect(at(on('2026-11-24T09:05:07'), now)).toMatch(/^\S+ 09:05$/)
})
