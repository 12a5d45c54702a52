import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recentCache } from '../../../src/processors/runtime/recent-cache.ts'

const use = fc.record({
  how: fc.constantFrom('set' as const, 'get' as const, 'delete' as const),
  key: fc.constantFrom(...'abcdefghij'),
})

describe('recent cache', () => {
  test('what it has is what was set last; what was used lately it has, and never more than it may', () => {
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
          lately = lately.filter((other) => other !== key)
          if (how !== 'delete') lately.unshift(key)
        }
        const held = [...'abcdefghij'].filter((key) => recentHolds(cache, key))
        expect(held.length).toBeLessThanOrEqual(Math.max(capacity, 2))
      }),
    )
  })
})

/** Asked of a key that is then deleted, so that asking moves nothing. */
const recentHolds = (cache: ReturnType<typeof recentCache<number>>, key: string): boolean => {
  const held = cache.get(key) !== undefined
  cache.delete(key)
  return held
}
