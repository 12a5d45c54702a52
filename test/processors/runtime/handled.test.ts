import { describe, expect, test } from 'vitest'
import type { Origin } from '../../../src/domain/kernel/event.ts'
import { isHandled, note, nothingHandled } from '../../../src/processors/runtime/handled.ts'

const origin = (offset: number, at?: string): Origin => ({
  log: 'log-1',
  topic: 'fonds.accounts.orders',
  partition: 0,
  offset: String(offset),
  ...(at && { at: `2026-01-01T00:00:${at}.000Z` }),
})
const handledUpTo = (...origins: readonly Origin[]) => {
  const handled = nothingHandled()
  for (const [i, one] of origins.entries()) note(handled, { causationId: `cause ${i}`, origin: one })
  return (one: Origin) => isHandled(handled, { causationId: 'another', origin: one })
}

describe('a message that was delivered again is told by its offset', () => {
  test('from one that comes behind what was handled', () => {
    const isRepeat = handledUpTo(origin(5, '10'))
    expect(isRepeat(origin(5, '10'))).toBe(true)
    expect(isRepeat(origin(4, '09'))).toBe(true)
    expect(isRepeat(origin(6, '10'))).toBe(false)
  })

  test('also where a producer’s clock runs behind: the latest time up to there counts', () => {
    const isRepeat = handledUpTo(origin(5, '10'), origin(6, '03'))
    expect(isRepeat(origin(5, '10'))).toBe(true)
    expect(isRepeat(origin(6, '03'))).toBe(true)
  })

  test('where either time is unknown the offset alone decides', () => {
    expect(handledUpTo(origin(5))(origin(4, '59'))).toBe(true)
    expect(handledUpTo(origin(5, '10'))(origin(4))).toBe(true)
    expect(handledUpTo(origin(5), origin(6, '10'))(origin(4, '11'))).toBe(false)
  })
})

describe('a topic that was deleted and made anew', () => {
  test('its messages are new, though their offsets were reached before', () => {
    const isRepeat = handledUpTo(origin(100, '10'))
    expect(isRepeat(origin(0, '11'))).toBe(false)
    expect(isRepeat(origin(100, '11'))).toBe(false)
  })

  test('and are told from their own repeats from then on', () => {
    const isRepeat = handledUpTo(origin(100, '10'), origin(0, '20'), origin(3, '22'))
    expect(isRepeat(origin(3, '22'))).toBe(true)
    expect(isRepeat(origin(1, '20'))).toBe(true)
    expect(isRepeat(origin(4, '22'))).toBe(false)
    expect(isRepeat(origin(2, '23'))).toBe(false)
  })
})

test('a cause is known whatever its offset says', () => {
  const handled = nothingHandled()
  note(handled, { causationId: 'c', origin: origin(100, '10') })
  expect(isHandled(handled, { causationId: 'c', origin: origin(0, '20') })).toBe(true)
})
