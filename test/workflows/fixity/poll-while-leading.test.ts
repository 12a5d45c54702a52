import { expect, it } from 'vitest'
import type { Clock } from '#src/ports/clock.ts'
import { pollWhileLeading } from '#src/workflows/fixity/poll-while-leading.ts'

/** Sleeps not at all, and counts. */
const quick = () => {
  const slept: number[] = []
  const sleep = async (millis: number) => {
    slept.push(millis)
    await new Promise(setImmediate)
  }
  return { slept, clock: { now: () => '2026-01-31T12:00:00.000Z', sleep } as unknown as Clock }
}

it('polls after each pause while it leads, and no more', async () => {
  const { clock, slept } = quick()
  let polled = 0
  const running = pollWhileLeading({ clock, pollMillis: 20, isLeader: () => polled < 3 }, async () => {
    polled++
  })
  await expect.poll(() => slept.length).toBe(4)
  await running.stop()
  expect([polled, slept]).toEqual([3, [20, 20, 20, 20]])
})

it('aborts what it is at when it is stopped, and waits until that has ended', async () => {
  const { clock } = quick()
  let ended = false
  let begun: () => void = () => undefined
  const isBegun = new Promise<void>((resolve) => {
    begun = resolve
  })
  const running = pollWhileLeading({ clock, pollMillis: 20, isLeader: () => true }, async (signal) => {
    begun()
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    await new Promise(setImmediate)
    ended = true
  })
  await isBegun
  await running.stop()
  expect(ended).toBe(true)
})
