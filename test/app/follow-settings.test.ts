import { pino } from 'pino'
import { expect, it } from 'vitest'
import { followSettings } from '#src/app/follow-settings.ts'
import { UnavailableError } from '#src/async/unavailable.ts'
import { SECOND } from '#src/domain/kernel/time.ts'
import { fakeClock } from '../fakes/clock.ts'

it('what was taken up is shown at the next look where it could not be shown at once, and once', async () => {
  const clock = fakeClock()
  const over = new AbortController()
  const looks = [true]
  let changes = 0
  const settings = {
    refresh: async () => {
      if (looks.shift()) changes++
    },
    changes: () => changes,
    needsStart: () => [],
  }
  let shows = 0
  const show = async () => {
    shows++
    if (shows < 3) throw new UnavailableError('the log is away')
  }
  const following = followSettings(
    { settings: settings as never, clock, log: pino({ level: 'silent' }) },
    { say: () => {}, show },
    over.signal,
    SECOND,
  )
  await clock.advance(SECOND)
  expect(shows).toBe(1)
  await clock.advance(SECOND)
  expect(shows).toBe(2)
  await clock.advance(5 * SECOND)
  expect(shows).toBe(3)
  looks.push(true)
  await clock.advance(5 * SECOND)
  expect(shows).toBe(4)
  // What a question has read before is shown as well.
  changes++
  await clock.advance(5 * SECOND)
  expect(shows).toBe(5)
  over.abort()
  await following
})
