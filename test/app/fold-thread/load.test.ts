import { expect, it } from 'vitest'
import { createLoad } from '#src/app/fold-thread/load.ts'
import { SECOND } from '#src/domain/kernel/time.ts'
import { manualClock } from '../../fakes/manual-clock.ts'

it('a share of the time that goes on is told as that share of five seconds, and forgotten when it ends', () => {
  const clock = manualClock()
  const load = createLoad(clock)
  for (let i = 0; i < 600; i++) {
    load.add(10)
    clock.advance(50)
  }
  expect(load.millis()).toBeGreaterThan(0.95 * 0.2 * 5 * SECOND)
  expect(load.millis()).toBeLessThan(1.05 * 0.2 * 5 * SECOND)
  clock.advance(50 * SECOND)
  expect(load.millis()).toBeLessThan(1)
})

it('what comes once is told at once', () => {
  const clock = manualClock()
  const load = createLoad(clock)
  clock.advance(SECOND)
  load.add(500)
  expect(load.millis()).toBe(500)
})
