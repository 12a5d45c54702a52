import { beforeEach, expect, test } from 'vitest'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import type { Generation, ViewStore } from '../../../src/ports/view-store.ts'
import { type ViewsReach, viewsReachOf } from '../../../src/processors/runtime/views-reach.ts'
import { type FakeClock, fakeClock } from '../../fakes/clock.ts'
import { openTestViews } from '../../fakes/views.ts'
import { useFolder } from './log.ts'

const folder = useFolder()
let clock: FakeClock
let views: ViewStore
let live: Generation
let reach: ViewsReach

beforeEach(() => {
  clock = fakeClock()
  views = openTestViews(folder.path('views.db'))
  live = views.create('some', 1, [])
  views.promote(live)
  reach = viewsReachOf('some', { viewStore: views, clock })
  return () => views.close()
})

const { signal } = new AbortController()

test('resolves once the views have come that far', async () => {
  let isThere = false
  const waiting = reach(3n, signal).then(() => {
    isThere = true
  })
  await clock.advance(100)
  expect(isThere).toBe(false)
  views.fold(live, -1n, { position: 3n, time: null }, () => {})
  await clock.advance(100)
  await waiting
  expect(isThere).toBe(true)
})

test('gives up after a while, and at once when it is no longer wanted', async () => {
  const late = expect(reach(3n, signal)).rejects.toThrow(/the some views have not reached position 3 yet/)
  await clock.advance(60_000)
  await late
  await expect(reach(3n, AbortSignal.abort())).rejects.toBeInstanceOf(UnavailableError)
})
