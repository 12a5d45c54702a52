import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/runs.ts'
import { recentCache } from '../src/recent-cache.ts'

const use = fc.record({
  how: fc.constantFrom('set' as const, 'get' as const, 'delete' as const),
  key: fc.constantFrom(...'abcdefghij'),
})

describe('recent cache', () => {
  test('what it has is what was set last, and what was used lately it has', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 8 }), fc.array(use, { maxLength: 60 }), (capacity, uses) => {
        const cache = recentCache<number>(capacity)
        const truth = new Map<string, number>()
        let lately: string[] = []
        for (const [i, { how, key }] of uses.entries()) {
          const known = truth.get(key)
          if (how === 'set') {
            cache.set(key, i)
            truth.set(key, i)
          } else if (how === 'delete') {
            cache.delete(key)
            truth.delete(key)
          } else {
            const found = cache.get(key)
            if (found !== undefined || lately.slice(0, Math.floor(capacity / 2)).includes(key))
              expect(found).toBe(known)
            if (found === undefined) continue
          }
          // What is deleted keeps its place: nothing that was let go comes back for it.
          if (how !== 'delete') lately = [key, ...lately.filter((other) => other !== key)]
        }
      }),
      { numRuns: runs(1000) },
    )
  })

  test('what weighs more takes the place of more, as it weighs when it was set last', () => {
    const cache = recentCache<number>(10, (weight) => weight)
    const has = (keys: string) => [...keys].filter((key) => cache.get(key) !== undefined).join('')
    for (const key of 'abc') cache.set(key, 1)
    cache.set('c', 4)
    expect(has('abc')).toBe('abc')
    for (const key of 'de') cache.set(key, 4)
    expect(has('abc')).toBe('')
    for (const key of 'fg') cache.set(key, 50)
    expect(has('fg')).toBe('fg')
    expect(has('de')).toBe('')
  })

  test.each([2, 3, 8, 9])('of %i places the one used longest ago is let go of for others', (capacity) => {
    const cache = recentCache<number>(capacity)
    cache.set('first', 1)
    for (let i = 0; i < capacity; i++) cache.set(`other-${i}`, i)
    expect(cache.get('first')).toBeUndefined()
    expect(cache.get(`other-${capacity - 1}`)).toBe(capacity - 1)
  })
})
