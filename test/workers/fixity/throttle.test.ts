import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createThrottleState, reserve, waitForBudget } from '../../../src/workers/fixity/throttle.ts'

const second = 1_000_000_000n

describe('throttle', () => {
  test('turns are given in the order of asking, each after the bytes before it', () => {
    const state = createThrottleState(1000)
    expect([500, 500, 1000, 1].map((bytes) => reserve(state, bytes, 7n * second))).toEqual([
      0n,
      second / 2n,
      second,
      2n * second,
    ])
  })

  test('time that nobody used is not saved up', () => {
    const state = createThrottleState(1000)
    reserve(state, 1000, second)
    expect(reserve(state, 1000, 60n * second)).toBe(0n)
    expect(reserve(state, 1000, 60n * second)).toBe(second)
  })

  test('over any stretch no more than the rate is let through, plus one chunk', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.array(
          fc.record({ bytes: fc.integer({ min: 1, max: 300_000 }), later: fc.integer({ min: 0, max: 5 }) }),
        ),
        (rate, asks) => {
          const state = createThrottleState(rate)
          let now = second
          let through = 0
          let lastStart = 0n
          for (const { bytes, later } of asks) {
            now += BigInt(later) * (second / 10n)
            const start = now + reserve(state, bytes, now)
            expect(start >= lastStart).toBe(true)
            expect(through).toBeLessThanOrEqual((rate * Number(start - second)) / 1e9 + 1)
            lastStart = start
            through += bytes
          }
        },
      ),
    )
  })

  test('a long wait is told four times a second, sooner than any stall, and ends when the signal says so', async () => {
    const state = createThrottleState(1)
    const slept: number[] = []
    let told = 0
    const take = (
      signal: AbortSignal,
      sleep = async (millis: number): Promise<void> => {
        slept.push(millis)
      },
    ) => waitForBudget(state, 10, sleep, () => told++, signal)
    await take(new AbortController().signal)
    expect(slept).toEqual([])
    await take(new AbortController().signal)
    expect(slept.length).toBe(40)
    expect(slept.every((millis) => millis <= 250)).toBe(true)
    expect(told).toBe(40)

    const controller = new AbortController()
    await take(controller.signal, async () => controller.abort())
    expect(told).toBe(41)
  })

  test('a rate that is no rate is refused', () => {
    for (const rate of [0, -1, Number.NaN])
      expect(() => createThrottleState(rate)).toThrow(/bytesPerSecond: wants a number/)
  })
})
