import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextTimeSent, nextVersion } from '../../../../src/domain/matching/graph/version.ts'

const january = Date.parse('2026-01-01T00:00:00.000Z')

describe('versions', () => {
  test('milliseconds × 1000', () => expect(nextVersion(0, january)).toBe(january * 1000))

  test('Two results in one clock tick: the later one is higher', () =>
    expect(nextVersion(january * 1000, january)).toBe(january * 1000 + 1))

  test('Clock steps back: it goes on from the last one', () =>
    expect(nextVersion(january * 1000 + 7, january - 60_000)).toBe(january * 1000 + 8))

  test('more than a thousand in a tick run on into the next', () =>
    expect(nextVersion(january * 1000 + 1000, january + 1)).toBe(january * 1000 + 1001))

  test('whatever the clock says, they grow strictly and stay safe integers', () => {
    const clock = fc.array(fc.integer({ min: -1, max: Number.MAX_SAFE_INTEGER }))
    fc.assert(
      fc.property(clock, (times) => {
        let last = 0
        for (const time of times) {
          const version = nextVersion(last, time)
          expect(version).toBeGreaterThan(last)
          // One that was near the end already leaves no room; no clock that is believed gets there.
          if (last < Number.MAX_SAFE_INTEGER - 1000) expect(Number.isSafeInteger(version)).toBe(true)
          last = version
        }
      }),
    )
  })
})

test('the time of a change never goes back', () => {
  const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:01.000Z']
  expect(nextTimeSent('', early)).toBe(early)
  expect(nextTimeSent(early, late)).toBe(late)
  expect(nextTimeSent(late, early)).toBe(late)
})
