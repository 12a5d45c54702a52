import { expect, it } from 'vitest'
import { loadedDuty } from '#src/workflows/loaded-duty.ts'

const term = { isLeader: () => true }

it('a duty begins once its code is loaded, with its term, and is stopped by the stop of its term', async () => {
  const log: unknown[] = []
  const duty = loadedDuty(async () => (given) => {
    log.push(given)
    return { stop: async () => void log.push('stopped') }
  })
  const running = duty(term)
  expect(log).toEqual([])
  await running.stop()
  expect(log).toEqual([term, 'stopped'])
})
