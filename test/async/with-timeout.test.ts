import { describe, expect, it } from 'vitest'
import { orAborted } from '#src/async/aborted.ts'
import { withTimeout } from '#src/async/with-timeout.ts'
import { fakeClock } from '../fakes/clock.ts'

const never = new Promise<never>(() => {})

describe('work that may take too long', () => {
  it('in time, it is what it resolves or rejects with; no timer stays behind', async () => {
    const clock = fakeClock()
    expect(await withTimeout(Promise.resolve(undefined), 100, () => 'late', clock)).toBe(undefined)
    await expect(withTimeout(Promise.reject(new Error('a bug')), 100, () => 'late', clock)).rejects.toThrow(
      'a bug',
    )
    await clock.advance(0)
    expect(clock.sleepers()).toBe(0)
  })

  it('else it is what is said then, or thrown', async () => {
    const clock = fakeClock()
    const late = withTimeout(never, 100, () => 'late', clock)
    const failed = withTimeout(
      never,
      100,
      () => {
        throw new Error('no answer')
      },
      clock,
    )
    const thrown = expect(failed).rejects.toThrow('no answer')
    await clock.advance(100)
    expect(await late).toBe('late')
    await thrown
  })
})

describe('work that nobody wants any more', () => {
  it('rejects with the reason of the signal, also where that aborted before', async () => {
    const over = new AbortController()
    const work = orAborted(never, over.signal)
    over.abort(new Error('stopped'))
    await expect(work).rejects.toThrow('stopped')
    await expect(orAborted(never, over.signal)).rejects.toThrow('stopped')
  })

  it('also where the work fails because it was ended', async () => {
    const over = new AbortController()
    const { promise, reject } = Promise.withResolvers<never>()
    over.signal.addEventListener('abort', () => reject(new Error('broken off')))
    const work = orAborted(promise, over.signal)
    over.abort(new Error('stopped'))
    await expect(work).rejects.toThrow('stopped')
  })

  it('else it is what it resolves with', async () => {
    expect(await orAborted(Promise.resolve(1), new AbortController().signal)).toBe(1)
  })
})
