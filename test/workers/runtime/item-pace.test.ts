import { expect, it } from 'vitest'
import { itemPace } from '../../../src/workers/runtime/item-pace.ts'
import { manualClock } from '../../fakes/manual-clock.ts'

it('rests for as long as the items taken are worth, and those that others who share it took before', async () => {
  const clock = manualClock()
  const pace = itemPace(4, clock)
  const rested = [pace(10, new AbortController().signal), pace(1, new AbortController().signal)]
  expect(clock.sleeps).toEqual([2500, 2750])
  clock.advance(2750)
  await Promise.all(rested)
})

it('ends its rest when the worker stops', async () => {
  const stopping = new AbortController()
  const rested = itemPace(1, manualClock())(1000, stopping.signal)
  stopping.abort()
  await rested
})
