import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { UnavailableError } from '#src/async/unavailable.ts'
import { retryWhileAway } from '#src/workers/runtime/retry-while-away.ts'
import { fakeClock, turns } from '../../fakes/clock.ts'

const world = () => {
  const clock = fakeClock()
  const logged: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) })
  const over = new AbortController()
  let progress = 0
  const hold = { signal: over.signal, progress: () => void progress++ }
  return { clock, logged, over, progressed: () => progress, hold, deps: { clock, log } }
}

describe('a report while the broker is away', () => {
  it('is sent again until it is taken; the log hears of it once, and nobody takes it for hung', async () => {
    const { clock, logged, progressed, hold, deps } = world()
    let tries = 0
    const work = async () => {
      if (++tries < 4) throw new UnavailableError('no broker')
    }
    const sent = retryWhileAway(work, hold, deps)
    await clock.advance(60_000)
    await sent
    expect([tries, logged.length, progressed()]).toEqual([4, 1, 3])
  })

  it('ends with the claim', async () => {
    const { hold, over, deps } = world()
    const sent = retryWhileAway(() => Promise.reject(new UnavailableError('no broker')), hold, deps)
    await turns()
    over.abort(new Error('the claim was lost'))
    await expect(sent).rejects.toThrow('the claim was lost')
  })

  it('a bug is not tried again', async () => {
    const { hold, deps } = world()
    let tries = 0
    const work = async () => {
      tries++
      throw new TypeError('undefined is not a function')
    }
    await expect(retryWhileAway(work, hold, deps)).rejects.toThrow(TypeError)
    expect(tries).toBe(1)
  })
})
