import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cacheShares, defaultCacheBytes, minCacheBytes } from '#src/workflows/system/cache-shares.ts'

const sum = (bytes: number) => Object.values(cacheShares(bytes)).reduce((all, share) => all + share, 0)

describe('the shares of all caches', () => {
  it('are together the setting, and never more', () => {
    fc.assert(
      fc.property(fc.integer({ min: minCacheBytes, max: 2 ** 40 }), (bytes) => {
        expect(sum(bytes)).toBeLessThanOrEqual(bytes)
        expect(sum(bytes)).toBeGreaterThan(bytes * 0.999)
      }),
    )
  })

  it('of the smallest setting leave room for ten pages of SQLite in each connection', () => {
    const { lease, logReaderPages } = cacheShares(minCacheBytes)
    expect(Math.min(lease / 4, logReaderPages)).toBeGreaterThan(10 * 4096)
    expect(defaultCacheBytes).toBeGreaterThan(minCacheBytes)
  })
})
