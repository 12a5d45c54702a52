import { left } from 'fp-ts/lib/Either.js'
import { describe, expect, test } from 'vitest'
import { streamHealth } from '../../../src/processors/runtime/stream-health.ts'
import { fakeClock, turns } from '../../fakes/clock.ts'
import { recordedTelemetry } from '../../fakes/telemetry.ts'
import { useFolder } from './log.ts'
import { records, silent, startProcess } from './world.ts'

const { openLog } = useFolder()
const ours = new AbortController().signal

const observed = () => {
  const clock = fakeClock()
  const telemetry = recordedTelemetry()
  const health = streamHealth('p', { clock, telemetry, log: silent })
  const last = (name: string) => {
    health.report()
    return telemetry.gauged(name).at(-1)
  }
  return { clock, health, telemetry, last }
}

/** Work that goes on until it is told to end. */
const work = () => {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let finished = () => {}
  return {
    run: (onFinished: () => void) => {
      finished = onFinished
      return promise
    },
    finished: () => finished(),
    end: resolve,
    fail: () => reject(new Error('away')),
  }
}

describe('busy', () => {
  test('counts what is being worked on', async () => {
    const { health, last } = observed()
    const [a, b] = [work(), work()]
    const [first, second] = [health.watch('a', ours, a.run), health.watch('b', ours, b.run)]
    expect(last('streams_busy')).toBe(2)
    a.end()
    await first
    expect(last('streams_busy')).toBe(1)
    b.end()
    await second
    expect(last('streams_busy')).toBe(0)
  })
})

describe('failing', () => {
  const fail = async (health: ReturnType<typeof streamHealth>, name: string, signal = ours) => {
    await expect(health.watch(name, signal, () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  }

  test('counts streams until they succeed, each by itself', async () => {
    const { health, last } = observed()
    await fail(health, 'a')
    await fail(health, 'a')
    await fail(health, 'b')
    expect(last('streams_failing')).toBe(2)
    await health.watch('a', ours, async () => {})
    await health.watch('c', ours, async () => {})
    expect(last('streams_failing')).toBe(1)
    await health.watch('b', ours, async () => {})
    expect(last('streams_failing')).toBe(0)
  })

  test('ends when the stream is somebody else’s', async () => {
    const { health, last } = observed()
    const lost = new AbortController()
    await fail(health, 'a', lost.signal)
    expect(last('streams_failing')).toBe(1)
    lost.abort()
    expect(last('streams_failing')).toBe(0)
  })

  test('a batch that cannot be finished shows, and one that can clears it', async () => {
    const store = openLog()
    let away = true
    const { deliver, telemetry } = startProcess({
      ...store,
      append: (...input) =>
        away ? async () => left({ kind: 'Unavailable', reason: 'away' }) : store.append(...input),
    })
    const batch = records([
      ['deposit', 'a', 1],
      ['deposit', 'b', 1],
    ])
    await expect(deliver(batch)).rejects.toThrow('away')
    expect(telemetry.gauged('streams_failing').at(-1)).toBe(2)
    expect(telemetry.gauged('streams_busy')).toContain(2)
    away = false
    await deliver(batch)
    expect(telemetry.gauged('streams_failing').at(-1)).toBe(0)
    expect(telemetry.gauged('streams_busy').at(-1)).toBe(0)
  })
})

describe('stalled', () => {
  test('a stream that finishes nothing for a minute is reported without anyone asking', async () => {
    const { clock, health, telemetry } = observed()
    const hung = work()
    const watched = health.watch('a', ours, hung.run)
    await clock.advance(59_999)
    expect(telemetry.gauged('streams_stalled')).not.toContain(1)
    await clock.advance(1)
    expect(telemetry.gauged('streams_stalled').at(-1)).toBe(1)
    hung.end()
    await watched
    health.report()
    expect(telemetry.gauged('streams_stalled').at(-1)).toBe(0)
  })

  test('a stream that is long at it but gets on is not', async () => {
    const { clock, health, telemetry } = observed()
    const slow = work()
    const watched = health.watch('a', ours, slow.run)
    for (let i = 0; i < 10; i++) {
      await clock.advance(40_000)
      slow.finished()
    }
    expect(telemetry.gauged('streams_stalled')).not.toContain(1)
    slow.end()
    await watched
  })

  test('one that gets on again is no longer', async () => {
    const { clock, health, telemetry } = observed()
    const slow = work()
    const watched = health.watch('a', ours, slow.run)
    await clock.advance(90_000)
    expect(telemetry.gauged('streams_stalled').at(-1)).toBe(1)
    slow.finished()
    await clock.advance(15_000)
    expect(telemetry.gauged('streams_stalled').at(-1)).toBe(0)
    slow.end()
    await watched
  })

  test('nobody looks while nothing is busy', async () => {
    const { clock, health } = observed()
    const some = work()
    const watched = health.watch('a', ours, some.run)
    await turns()
    expect(clock.sleepers()).toBe(1)
    some.fail()
    await expect(watched).rejects.toThrow('away')
    expect(clock.sleepers()).toBe(0)
  })
})
