import { describe, expect, test } from 'vitest'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import { turns } from '../../fakes/clock.ts'
import { gated, shaky } from './faulty-stores.ts'
import { useFolder } from './log.ts'
import { order, startOnServer, startProcess } from './world.ts'

const { openLog } = useFolder()
const batch = [order(4, 'deposit', 'a', 1), order(5, 'deposit', 'b', 1), order(6, 'deposit', 'c', 1)]

/** A process whose log does not take what is for b; delivers from the first unfinished record on, as brokers do. */
const stuck = (signal = new AbortController().signal) => {
  let isAway = true
  const process = startProcess(shaky(openLog(), (stream) => isAway && stream === 'account-b'))
  let next = 4n
  const attempt = async () => {
    const rest = batch.filter(({ offset }) => offset >= next)
    try {
      next = await process.deliver(rest, signal)
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
    }
  }
  return {
    ...process,
    resting: () => process.deps.partitions.resting(),
    attempt,
    mend: () => {
      isAway = false
    },
  }
}

describe('a partition', () => {
  test('that stands at a record for a minute is named with it, until it moves on', async () => {
    const { attempt, clock, resting, mend } = stuck()
    await attempt()
    await attempt()
    await clock.advance(59_000)
    await attempt()
    expect(resting()).toEqual([])
    await clock.advance(1000)
    expect(resting()).toEqual([
      {
        processor: 'fonds.accounts',
        topic: batch[0]!.topic,
        partition: 0,
        offset: 5n,
        since: '2026-01-01T00:00:00.000Z',
        because: 'the log is away',
      },
    ])
    mend()
    await attempt()
    expect(resting()).toEqual([])
  })

  test('that cannot be read is named at once, as its member tells it', () => {
    const { deps, resting } = stuck()
    const stop = {
      topic: 't',
      partition: 3,
      offset: 7n,
      since: '2026-01-01T00:00:00.000Z',
      because: 'damaged',
    }
    const stops = [stop]
    deps.partitions.add('fonds.accounts', { stopped: () => stops })
    deps.partitions.add('fonds.others', {})
    expect(resting()).toEqual([{ processor: 'fonds.accounts', ...stop }])
    stops.pop()
    expect(resting()).toEqual([])
  })

  test('that somebody else has by now is not named', async () => {
    const leaving = new AbortController()
    const { attempt, clock, resting } = stuck(leaving.signal)
    await attempt()
    await attempt()
    await clock.advance(60_000)
    await attempt()
    expect(resting()).toHaveLength(1)
    leaving.abort()
    expect(resting()).toEqual([])
  })

  test('that is not delivered again is not named for ever', async () => {
    const { attempt, clock, resting } = stuck()
    await attempt()
    await attempt()
    await clock.advance(60_000)
    expect(resting()).toHaveLength(1)
    await clock.advance(1)
    expect(resting()).toEqual([])
  })

  test('whose handler hangs is named with the first record that is not finished', async () => {
    const { slow, letGo } = gated(openLog(), 'account-b')
    const { deliver, deps, clock } = startOnServer(slow)
    const handled = deliver(batch)
    await turns()
    // It has moved to b since it was delivered.
    expect(deps.partitions.resting()).toEqual([])
    await clock.advance(60_000)
    expect(deps.partitions.resting()).toMatchObject([{ offset: 5n }])
    letGo()
    expect(await handled).toBe(7n)
    expect(deps.partitions.resting()).toEqual([])
  })
})
