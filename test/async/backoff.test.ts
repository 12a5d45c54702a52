import { describe, expect, it } from 'vitest'
import { backoffMillis } from '#src/async/backoff.ts'

describe('pauses between attempts', () => {
  it('are twice as long each time, from a tenth of a second to ten seconds', () => {
    const pauses = [0, 1, 2, 6, 7, 1000].map((before) => backoffMillis(before, { jitter: 0 }))
    expect(pauses).toEqual([100, 200, 400, 6400, 10_000, 10_000])
  })

  it('are up to half shorter, not alike for all', () => {
    const pauses = Array.from({ length: 50 }, () => backoffMillis(3))
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(400)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(800)
    expect(new Set(pauses).size).toBeGreaterThan(1)
  })

  it('have the bounds that somebody needs in particular', () => {
    const bounds = { minMillis: 1000, maxMillis: 3000, jitter: 0 }
    expect([0, 1, 2].map((before) => backoffMillis(before, bounds))).toEqual([1000, 2000, 3000])
  })
})
