import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { heartbeats } from '../../../../infra/broker/kafka/heartbeats.ts'
import { watchdog } from '../../../../infra/broker/kafka/watchdog.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const start = (answer: () => Promise<void> = async () => {}) => {
  const now = () => performance.now()
  const told: unknown[] = []
  let beats = 0
  const dog = watchdog(10_000, now)
  const heart = heartbeats({
    intervalMillis: 100,
    sessionMillis: 1000,
    watchdog: dog,
    now,
    onLost: (error) => told.push(error),
    onHung: () => told.push('hung'),
  })
  const beat = () => {
    beats++
    return answer()
  }
  return { heart, beat, dog, told, beats: () => beats }
}

describe('heartbeats', () => {
  it('go on as long as there is work, and end with it', async () => {
    const { heart, beat, told, beats } = start()
    heart.begin(beat)
    heart.begin(beat)
    await vi.advanceTimersByTimeAsync(1000)
    expect(beats()).toBe(10)
    heart.end()
    await vi.advanceTimersByTimeAsync(500)
    expect(beats()).toBe(15)
    heart.end()
    await vi.advanceTimersByTimeAsync(10_000)
    expect([beats(), told]).toEqual([15, []])
  })

  it('tell of a rebalance at once', async () => {
    const rebalance = Object.assign(new Error('shared anew'), { type: 'REBALANCE_IN_PROGRESS' })
    const { heart, beat, told } = start(() => Promise.reject(rebalance))
    heart.begin(beat)
    await vi.advanceTimersByTimeAsync(100)
    expect(told).toEqual([rebalance])
    heart.end()
  })

  it('bear other faults as long as a session lasts', async () => {
    const away = new Error('away')
    const { heart, beat, told } = start(() => Promise.reject(away))
    heart.begin(beat)
    await vi.advanceTimersByTimeAsync(1000)
    expect(told).toEqual([])
    await vi.advanceTimersByTimeAsync(100)
    expect(told).toEqual([away])
    heart.end()
  })

  it('end when nothing was finished for too long', async () => {
    const { heart, beat, dog, told, beats } = start()
    heart.begin(beat)
    await vi.advanceTimersByTimeAsync(9000)
    dog.progress()
    await vi.advanceTimersByTimeAsync(10_000)
    expect([beats(), told]).toEqual([190, []])
    await vi.advanceTimersByTimeAsync(60_000)
    expect([beats(), told]).toEqual([190, ['hung']])
    heart.end()
  })

  it('count a time without work as no hanging', async () => {
    const { heart, beat, told } = start()
    await vi.advanceTimersByTimeAsync(60_000)
    heart.begin(beat)
    await vi.advanceTimersByTimeAsync(5000)
    expect(told).toEqual([])
    heart.end()
  })
})
