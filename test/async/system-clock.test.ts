import { afterEach, expect, it, vi } from 'vitest'
import { systemClock } from '#src/async/system-clock.ts'

afterEach(() => void vi.useRealTimers())

const longestTimer = 2 ** 31 - 1

it('sleeps longer than a timer of Node can wait', async () => {
  vi.useFakeTimers()
  let isAwake = false
  void systemClock.sleep(2 * longestTimer + 1000).then(() => {
    isAwake = true
  })
  await vi.advanceTimersByTimeAsync(2 * longestTimer + 999)
  expect(isAwake).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(isAwake).toBe(true)
})

it('leaves no timer behind when a long sleep is ended', async () => {
  vi.useFakeTimers()
  const stop = new AbortController()
  const slept = systemClock.sleep(2 * longestTimer, stop.signal)
  await vi.advanceTimersByTimeAsync(longestTimer + 1)
  stop.abort()
  await slept
  expect(vi.getTimerCount()).toBe(0)
})
