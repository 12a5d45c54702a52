import { expect, it } from 'vitest'
import { throttled } from '#src/cli/fixity/throttled.ts'

it('work that takes long is a hundredth of the time at most; short work is done ten times a second at most', () => {
  let now = 0
  let takes = 1
  let done = 0
  const work = throttled({ monotonic: () => now }, () => {
    done++
    now += takes
  })
  const over = (millis: number) => {
    const [from, until] = [done, now + millis]
    for (; now < until; now++) work()
    return done - from
  }
  expect(over(1000)).toBe(10)
  takes = 50
  expect(over(50_000)).toBeLessThanOrEqual(10)
  expect(over(50_000)).toBeGreaterThan(5)
})
