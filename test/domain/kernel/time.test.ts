import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addMillis, DAY, HOUR, MINUTE, millisBetween, SECOND } from '#src/domain/kernel/time.ts'

const instants = fc
  .date({ min: new Date('1970-01-01'), max: new Date('9900-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())

it('adds across the end of a day, a month and a leap year', () => {
  expect(addMillis('2028-02-28T23:59:59.999Z', 1)).toBe('2028-02-29T00:00:00.000Z')
  expect(addMillis('2026-12-31T12:00:00.000Z', DAY)).toBe('2027-01-01T12:00:00.000Z')
  expect(addMillis('2026-01-31T12:00:00.000Z', -HOUR - MINUTE - SECOND)).toBe('2026-01-31T10:58:59.000Z')
})

it('what was added is what lies between', () => {
  fc.assert(
    fc.property(instants, fc.integer({ min: -DAY, max: 400 * DAY }), (from, millis) => {
      expect(millisBetween(from, addMillis(from, millis))).toBe(millis)
    }),
  )
})

it('later times are greater text', () => {
  fc.assert(
    fc.property(instants, fc.integer({ min: 1, max: 400 * DAY }), (from, millis) => {
      expect(addMillis(from, millis) > from).toBe(true)
    }),
  )
})
