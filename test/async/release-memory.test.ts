import { expect, it } from 'vitest'
import { releaseMemoryWhenIdle } from '#src/async/release-memory.ts'
import { fakeClock } from '../fakes/clock.ts'

/** How often memory was released after seconds of which each was busy (1) or idle (0). */
const releasesAfter = async (seconds: readonly number[]): Promise<readonly number[]> => {
  const clock = fakeClock()
  const stop = new AbortController()
  const released: number[] = []
  let second = 0
  const running = releaseMemoryWhenIdle(stop.signal, {
    clock,
    busyShare: () => seconds[second - 1] ?? 0,
    release: () => void released.push(second),
  })
  for (second = 1; second <= seconds.length; second++) await clock.advance(1000)
  stop.abort()
  await running
  return released
}

const idle = (seconds: number) => Array.from({ length: seconds }, () => 0)

it('is released once the start is over, and not again while nothing is done', async () => {
  expect(await releasesAfter([1, 0.5, ...idle(100)])).toEqual([4])
})

it('is released after each busy time, in the second idle second', async () => {
  expect(await releasesAfter([...idle(40), 1, 1, ...idle(10)])).toEqual([2, 44])
})

it('is not released in a pause of a second, nor twice in half a minute', async () => {
  const busyEveryOtherSecond = Array.from({ length: 100 }, (_, n) => n % 2)
  expect(await releasesAfter(busyEveryOtherSecond)).toEqual([])
  expect(await releasesAfter([...idle(5), 1, ...idle(60)])).toEqual([2, 32])
})
