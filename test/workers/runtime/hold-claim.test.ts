import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { addMillis, DAY } from '../../../src/domain/kernel/time.ts'
import type { Claimed } from '../../../src/ports/task-queue.ts'
import { holdClaim } from '../../../src/workers/runtime/hold-claim.ts'
import { type FakeClock, fakeClock, turns } from '../../fakes/clock.ts'

let clock: FakeClock
let askedAt: number[]
beforeEach(() => {
  clock = fakeClock()
  askedAt = []
})

/** A claim for a minute; `answer` says what becomes of a try to extend it. */
const hold = (
  answer: (attempt: number) => Promise<string | undefined>,
  { stallMillis = 3_600_000, signal = new AbortController().signal } = {},
) => {
  const start = Date.parse(clock.now())
  const claimed: Claimed<string> = {
    task: 't',
    deadline: addMillis(clock.now(), 60_000),
    extend: () => {
      askedAt.push((Date.parse(clock.now()) - start) / 1000)
      return answer(askedAt.length)
    },
    release: async () => {},
    fail: async () => {},
  }
  return holdClaim(claimed, { clock, log: pino({ level: 'silent' }), stallMillis, signal })
}
const aMinuteMore = async () => addMillis(clock.now(), 60_000)
const fails = async () => {
  throw new Error('the log is away')
}
const reasonOf = ({ signal }: ReturnType<typeof holdClaim>) => (signal.reason as Error | undefined)?.message

describe('extending', () => {
  test('at half the time-out, again and again', async () => {
    const claim = hold(aMinuteMore)
    await clock.advance(120_000)
    expect(askedAt).toEqual([30, 60, 90, 120])
    claim.end()
    await clock.advance(120_000)
    expect(askedAt).toHaveLength(4)
    expect(claim.signal.aborted).toBe(false)
  })

  test('one that fails is asked for again, sooner and sooner, until the deadline has passed', async () => {
    const claim = hold(fails)
    await clock.advance(59_999)
    expect(askedAt.slice(0, 3)).toEqual([30, 37.5, 43.125])
    expect(askedAt.length).toBeGreaterThan(10)
    expect(askedAt.length).toBeLessThan(40)
    expect(claim.signal.aborted).toBe(false)
    await clock.advance(1)
    expect(claim.lost()).toBe(true)
    expect(reasonOf(claim)).toBe('the claim ran out before it could be extended')
    const tries = askedAt.length
    await clock.advance(60_000)
    expect(askedAt).toHaveLength(tries)
  })

  test('one that succeeds in the end goes on at half the time-out', async () => {
    const claim = hold((attempt) => (attempt < 3 ? fails() : aMinuteMore()))
    await clock.advance(80_000)
    expect(askedAt).toEqual([30, 37.5, 43.125, 73.125])
    expect(claim.signal.aborted).toBe(false)
    claim.end()
  })

  test('one that never answers does not stop the time', async () => {
    const claim = hold(() => new Promise(() => {}))
    await clock.advance(59_999)
    expect(claim.signal.aborted).toBe(false)
    await clock.advance(1)
    expect(claim.lost()).toBe(true)
    expect(askedAt).toEqual([30])
  })

  test('a no means that the claim is lost', async () => {
    const claim = hold(async () => undefined)
    await clock.advance(30_000)
    expect(claim.lost()).toBe(true)
    expect(reasonOf(claim)).toBe('another process holds it now, or it has ended')
  })

  test('an answer that comes after the end changes nothing', async () => {
    const answer = Promise.withResolvers<undefined>()
    const claim = hold(() => answer.promise)
    await clock.advance(30_000)
    claim.end()
    answer.resolve(undefined)
    await turns()
    expect(claim.lost()).toBe(false)
    expect(claim.signal.aborted).toBe(false)
  })

  test('a deadline that has passed already is no claim', async () => {
    const late = fakeClock('2026-01-01T00:02:00.000Z')
    const claimed = {
      task: 't',
      deadline: '2026-01-01T00:01:00.000Z',
      extend: aMinuteMore,
    } as Claimed<string> & object
    const claim = holdClaim(claimed, {
      clock: late,
      log: pino({ level: 'silent' }),
      stallMillis: 1000,
      signal: new AbortController().signal,
    })
    expect(claim.lost()).toBe(true)
    expect(late.sleepers()).toBe(0)
  })
})

describe('progress', () => {
  test('without any for the stall time the work is ended, the claim is not lost', async () => {
    const claim = hold(aMinuteMore, { stallMillis: 100_000 })
    await clock.advance(50_000)
    claim.progress()
    await clock.advance(99_999)
    expect(claim.signal.aborted).toBe(false)
    await clock.advance(1)
    expect(reasonOf(claim)).toBe('no progress for 100 s')
    expect(claim.lost()).toBe(false)
  })
})

describe('the guard', () => {
  test('gives what the work gives', async () => {
    const claim = hold(aMinuteMore)
    expect(await claim.guard(Promise.resolve(7))).toBe(7)
    await expect(claim.guard(Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    claim.end()
  })

  test('does not wait for work that does not hear', async () => {
    const claim = hold(aMinuteMore, { stallMillis: 1000 })
    const guarded = expect(claim.guard(new Promise(() => {}))).rejects.toThrow('no progress for 1 s')
    await clock.advance(1000)
    await guarded
  })

  test('work that fails because it was ended fails for the reason it was ended', async () => {
    const claim = hold(aMinuteMore, { stallMillis: 1000 })
    const work = new Promise((_, reject) => {
      claim.signal.addEventListener('abort', () => reject(new Error('aborted')))
    })
    const guarded = expect(claim.guard(work)).rejects.toThrow('no progress for 1 s')
    await clock.advance(1000)
    await guarded
  })
})

describe('a worker that stops', () => {
  test('ends the work', () => {
    const stop = new AbortController()
    const claim = hold(aMinuteMore, { signal: stop.signal })
    stop.abort()
    expect(reasonOf(claim)).toBe('the worker was stopped')
    expect(claim.lost()).toBe(false)
  })

  test('starts none', () => {
    expect(reasonOf(hold(aMinuteMore, { signal: AbortSignal.abort() }))).toBe('the worker was stopped')
    expect(clock.sleepers()).toBe(0)
  })
})

describe('the time of day is set', () => {
  test('back by a day: the claim is extended as before, and ends when it cannot be', async () => {
    const claim = hold((attempt) => (attempt < 3 ? aMinuteMore() : fails()))
    await clock.advance(31_000)
    clock.putForth(-DAY)
    await clock.advance(29_000)
    expect(claim.signal.aborted).toBe(false)
    await clock.advance(59_999)
    expect(claim.signal.aborted).toBe(false)
    await clock.advance(2)
    expect(claim.lost()).toBe(true)
  })

  test('back by a day: work without progress is ended in time', async () => {
    const claim = hold(aMinuteMore, { stallMillis: 100_000 })
    clock.putForth(-DAY)
    await clock.advance(100_001)
    expect(reasonOf(claim)).toBe('no progress for 100 s')
  })

  test('forth by a day: the claim is still held', async () => {
    const claim = hold(aMinuteMore)
    clock.putForth(DAY)
    await clock.advance(300_000)
    expect(claim.signal.aborted).toBe(false)
    claim.end()
  })
})
