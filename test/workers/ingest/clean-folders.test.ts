import pino from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { UnavailableError } from '#src/async/unavailable.ts'
import { startCleaner } from '#src/workers/ingest/clean-folders.ts'
import { manualClock } from '../../fakes/manual-clock.ts'

it('I39: views that are away end no process; once they are back, what people want cleared away is looked for', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  let areAway = true
  let asked = 0
  let tell = () => {}
  const { stop } = startCleaner({
    viewStore: {
      query: () => {
        asked++
        if (areAway) throw new UnavailableError('the views are away')
        return []
      },
    },
    clock: manualClock(),
    log: pino({ level: 'silent' }),
    send: async () => {},
    home: '/nowhere',
    uploads: async () => undefined,
    workFolder: '/nowhere/work',
    sites: async () => [],
    keepMillis: 1000,
    cleanStages: async () => {},
    onNewWork: (listener) => {
      tell = listener
      return () => {}
    },
  })
  tell()
  await vi.advanceTimersByTimeAsync(500)
  const before = asked
  expect(before).toBeGreaterThan(0)
  areAway = false
  tell()
  await vi.advanceTimersByTimeAsync(500)
  expect(asked).toBeGreaterThan(before)
  await stop()
})
