import { describe, expect, it } from 'vitest'
import { whenCaughtUp } from '#src/async/caught-up.ts'
import { UnavailableError } from '#src/async/unavailable.ts'
import { NotCaughtUp, waitUntil } from '#src/async/wait-until.ts'
import { fakeClock, turns } from '../fakes/clock.ts'

describe('waiting until something is done', () => {
  it('looks once where it is done already, and later looks again', async () => {
    const clock = fakeClock()
    expect(await waitUntil(() => ({ isDone: true }), { clock })).toEqual({ isDone: true })
    let looks = 0
    const waiting = waitUntil(async () => ({ isDone: ++looks === 3, looks }), { clock, pollMillis: 10 })
    await clock.advance(19)
    expect(looks).toBe(2)
    await clock.advance(1)
    expect(await waiting).toEqual({ isDone: true, looks: 3 })
  })

  it('looks often at first, as what is waited for mostly comes soon, and then each 10 ms', async () => {
    const clock = fakeClock()
    const start = clock.monotonic()
    const looks: number[] = []
    const poll = () => ({ isDone: looks.push(clock.monotonic() - start) === 8 })
    const waiting = waitUntil(poll, { clock })
    await clock.advance(30)
    await waiting
    expect(looks).toEqual([0, 1, 3, 6, 10, 15, 21, 28])
  })

  it('patience ends, and begins anew when something moves', async () => {
    const clock = fakeClock()
    const start = clock.monotonic()
    const poll = () => ({ isDone: false, mark: Math.min(clock.monotonic() - start, 500) })
    let gaveUpAt = 0
    void waitUntil(poll, { clock, patienceMillis: 1000, pollMillis: 100 }).then(() => {
      gaveUpAt = clock.monotonic() - start
    })
    await clock.advance(3000)
    expect(gaveUpAt).toBe(1500)
  })

  it('looks at once when a change is told, also one that came while it looked', async () => {
    const clock = fakeClock()
    let tell = () => {}
    let looks = 0
    const poll = async () => {
      if (++looks === 1) tell()
      return { isDone: looks === 3 }
    }
    let isListening = true
    const onChange = (listener: () => void) => {
      tell = listener
      return () => {
        isListening = false
      }
    }
    const waiting = waitUntil(poll, { clock, onChange })
    await turns()
    expect([looks, clock.sleepers()]).toEqual([2, 0])
    tell()
    expect(await waiting).toEqual({ isDone: true })
    expect(isListening).toBe(false)
  })

  it('ends with the signal, and gives the last look', async () => {
    const clock = fakeClock()
    const over = new AbortController()
    const waiting = waitUntil(() => ({ isDone: false }), { clock, signal: over.signal, pollMillis: 1e9 })
    await turns()
    over.abort()
    expect(await waiting).toEqual({ isDone: false })
    expect(await waitUntil(() => ({ isDone: false }), { clock, signal: over.signal })).toEqual({
      isDone: false,
    })
  })

  it('looks that take long stay a small part of the work', async () => {
    const clock = fakeClock()
    let looks = 0
    const poll = async () => {
      looks++
      await clock.sleep(50)
      return { isDone: false }
    }
    const over = new AbortController()
    const waiting = waitUntil(poll, { clock, isCostly: true, signal: over.signal })
    await clock.advance(50 + 1999)
    expect(looks).toBe(1)
    await clock.advance(1)
    expect(looks).toBe(2)
    over.abort()
    await clock.advance(4000)
    await waiting
  })

  it('views: says how far they are, whether they got there or not', async () => {
    const clock = fakeClock()
    let position = 0n
    const reached = () => position
    const late = whenCaughtUp(3n, { reached, clock, patienceMillis: 100 })
    await clock.advance(100)
    expect(await late).toBe(0n)
    const inTime = whenCaughtUp(3n, { reached, clock, patienceMillis: 100 })
    await clock.advance(50)
    position = 4n
    await clock.advance(50)
    expect(await inTime).toBe(4n)
  })

  it('what does not come is away for whoever tries again', () => {
    expect(new NotCaughtUp('at 3')).toBeInstanceOf(UnavailableError)
  })
})
