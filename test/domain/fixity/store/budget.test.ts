import { describe, expect, it } from 'vitest'
import { leftOf, nextDay, withinBudget } from '#src/domain/fixity/store/budget.ts'

const budget = (read: number, inHand = 0) => ({ bytesPerDay: 10, read, inHand })
const sizes = (...all: readonly (number | null)[]) => all.map((size) => ({ size }))

describe('a byte budget a day', () => {
  it.each([
    ['takes what fits, in order', budget(0), [4, 6, 1], 2],
    ['counts what was read today', budget(5), [4, 2], 1],
    ['counts what is being read', budget(0, 9), [1, 1], 1],
    ['is used up to its last byte', budget(10), [1], 0],
    ['still takes what is empty or of unknown size', budget(10), [0, null], 2],
    ['is not stepped over by small items behind a large one', budget(5), [6, 1], 0],
    ['takes an item larger than itself alone, on a day of which nothing was read', budget(0), [50, 1], 1],
    ['takes none such after anything else was read', budget(1), [50], 0],
    ['takes none such beside anything else that is being read', budget(0, 1), [50], 0],
  ] as const)('%s', (_, before, all, taken) => {
    expect(withinBudget(before, sizes(...all))).toHaveLength(taken)
  })

  it.each([
    ['goes while a byte is left, and those behind it wait', 9, [50, 50, 1], 1],
    ['goes beside others that fit', 0, [4, 4, 4, 4], 3],
    ['waits once the day is used up', 10, [1], 0],
  ] as const)('an item that may be unread %s', (_, read, all, taken) => {
    const items = sizes(...all).map((item) => ({ ...item, mayBeUnread: true }))
    expect(withinBudget(budget(read), items)).toHaveLength(taken)
  })

  it('that is not set takes all', () => {
    expect(withinBudget(undefined, sizes(50, 60))).toHaveLength(2)
  })

  it('begins anew at midnight of UTC', () => {
    expect(nextDay('2026-02-28T23:59:59.999Z')).toBe('2026-03-01T00:00:00.000Z')
    expect(nextDay('2026-02-28T00:00:00.000Z')).toBe('2026-03-01T00:00:00.000Z')
  })

  it('leaves nothing, and never less than nothing', () => {
    expect([leftOf(budget(3, 2)), leftOf(budget(30))]).toEqual([5, 0])
  })
})
