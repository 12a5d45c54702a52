import { describe, expect, test } from 'vitest'
import { type Failed, keepTrying, levelOf } from '#src/async/keep-trying.ts'
import { UnavailableError } from '#src/async/unavailable.ts'
import { fakeClock } from '../fakes/clock.ts'

const start = (work: (attempt: number, succeeded: () => void) => Promise<void>) => {
  const clock = fakeClock()
  const stopping = new AbortController()
  const failures: Failed[] = []
  let attempts = 0
  const done = keepTrying((succeeded) => work(++attempts, succeeded), {
    clock,
    signal: stopping.signal,
    onFailure: (failed) => failures.push(failed),
  })
  return { clock, stopping, failures, done, attempts: () => attempts }
}

describe('work that is tried again', () => {
  test('after pauses that grow, and begin anew once it succeeded', async () => {
    const { clock, stopping, failures, done } = start(async (attempt, succeeded) => {
      if (attempt === 4) succeeded()
      throw new UnavailableError('no disk')
    })
    await clock.advance(1500)
    expect(failures.slice(0, 5).map(({ before }) => before)).toEqual([0, 1, 2, 0, 1])
    for (const { before, retryInMillis } of failures) {
      expect(retryInMillis).toBeGreaterThanOrEqual(50 * 2 ** before)
      expect(retryInMillis).toBeLessThanOrEqual(100 * 2 ** before)
    }
    stopping.abort()
    await done
  })

  test('what is away after pauses of its own', async () => {
    const clock = fakeClock()
    const stopping = new AbortController()
    const pauses: number[] = []
    const errors = [new UnavailableError('away'), new Error('a bug')]
    const done = keepTrying(() => Promise.reject(errors[pauses.length < 8 ? 0 : 1]), {
      clock,
      signal: stopping.signal,
      backoff: { jitter: 0 },
      awayBackoff: { maxMillis: 1000 },
      onFailure: ({ retryInMillis }) => pauses.push(retryInMillis),
    })
    await clock.advance(20_000)
    expect(pauses.slice(0, 9)).toEqual([100, 200, 400, 800, 1000, 1000, 1000, 1000, 10_000])
    stopping.abort()
    await done
  })

  test('no more once it is stopped, also in the middle of a pause', async () => {
    const { clock, stopping, done, attempts } = start(() => Promise.reject(new Error('a bug')))
    await clock.advance(0)
    stopping.abort()
    await done
    expect(attempts()).toBe(1)
  })

  test('what is away while it stops is no failure', async () => {
    const { stopping, failures, done } = start(async () => {
      await Promise.resolve()
      stopping.abort()
      throw new UnavailableError('closed')
    })
    await done
    expect(failures).toEqual([])
  })

  test('is logged once while something is away, and each time for a bug', () => {
    const failed = (error: unknown, before: number) => levelOf({ error, before, retryInMillis: 1 })
    expect(failed(new UnavailableError('no disk'), 0)).toBe('warn')
    expect(failed(new UnavailableError('no disk'), 1)).toBe('debug')
    expect(failed(new Error('a bug'), 1)).toBe('error')
  })
})
