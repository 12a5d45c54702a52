import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import type { EventStore } from '../../../src/ports/event-store.ts'
import { event } from '../../contracts/new-event.ts'
import { turns } from '../../fakes/clock.ts'
import { runs } from '../../runs.ts'
import { gated, shaky } from './faulty-stores.ts'
import { eventsOf, lettersIn, rejectionsIn, streamOf, summaryOf, useFolder } from './log.ts'
import { records, spoilt, startProcess } from './world.ts'

const { openLog } = useFolder()

describe('the log is away', () => {
  const batch = [
    ...records([
      ['deposit', 'a', 5],
      ['withdraw', 'b', 1],
      ['withdraw', 'a', 2],
    ]),
    spoilt(3, { value: '' }),
    ...records(
      [
        ['break', 'c'],
        ['deposit', 'b', 4],
      ],
      4,
    ),
  ]
  const finished = {
    a: ['Deposited 5', 'Withdrawn 2'],
    b: ['Deposited 4'],
    letters: ['3', '4'],
    refusals: 1,
  }
  const stateOf = async (store: EventStore) => ({
    a: summaryOf(await streamOf(store, 'account-a')),
    b: summaryOf(await streamOf(store, 'account-b')),
    letters: (await lettersIn(store)).map(({ offset }) => offset).sort(),
    refusals: (await rejectionsIn(store)).length,
  })

  test('thrown as UnavailableError, nothing is buried; redelivered, everything is done once', async () => {
    const store = openLog()
    let away = true
    const { deliver } = startProcess(shaky(store, () => away))
    await expect(deliver(batch)).rejects.toThrow(UnavailableError)
    expect(await eventsOf(store)).toEqual([])
    away = false
    expect(await deliver(batch)).toBe(6n)
    expect(await stateOf(store)).toEqual(finished)
  })

  test('wherever it goes away, and whether or not the process dies of it', async () => {
    let run = 0
    const mishap = fc.record({ appends: fc.integer({ min: 0, max: 6 }), restart: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(mishap, { maxLength: 6 }), async (mishaps) => {
        const store = openLog({}, `${++run}.db`)
        let appends = 0
        const flaky = shaky(store, () => appends-- <= 0)
        let process = startProcess(flaky)
        for (const mishap of mishaps) {
          appends = mishap.appends
          await process
            .deliver(batch)
            .catch((error: unknown) => expect(error).toBeInstanceOf(UnavailableError))
          if (mishap.restart) process = startProcess(flaky)
        }
        appends = Number.POSITIVE_INFINITY
        expect(await process.deliver(batch)).toBe(6n)
        expect(await stateOf(store)).toEqual(finished)
        await store.close()
      }),
      { numRuns: runs(50) },
    )
  })

  test('a stream that cannot be read is no reason to bury its messages', async () => {
    const store = openLog()
    await store.append('account-a', 'none', [event('Embezzled')])()
    const { deliver } = startProcess(store)
    await expect(
      deliver(
        records([
          ['deposit', 'a', 1],
          ['deposit', 'b', 1],
        ]),
      ),
    ).rejects.toThrow(/no event type Embezzled/)
    expect(await lettersIn(store)).toEqual([])
    expect(summaryOf(await streamOf(store, 'account-b'))).toEqual(['Deposited 1'])
  })

  test('what is finished in front of the record it is away for may be committed', async () => {
    const store = openLog()
    const { deliver, telemetry } = startProcess(shaky(store, (stream) => stream === 'account-b'))
    const batch = records([
      ['deposit', 'a', 1],
      ['deposit', 'b', 1],
      ['deposit', 'a', 2],
    ])
    expect(await deliver(batch)).toBe(1n)
    expect(telemetry.counted('messages', 'outcome')).toEqual({ done: 1 })
    await expect(deliver(batch.slice(1))).rejects.toThrow(UnavailableError)
    expect(summaryOf(await streamOf(store, 'account-a'))).toEqual(['Deposited 1', 'Deposited 2'])
  })

  test('when it is thrown, nothing is at work any more', async () => {
    const store = openLog()
    const { slow, letGo } = gated(
      shaky(store, (stream) => stream === 'account-b'),
      'account-a',
    )
    let over = false
    const handled = startProcess(slow)
      .deliver(
        records([
          ['deposit', 'b', 1],
          ['deposit', 'a', 1],
        ]),
      )
      .finally(() => {
        over = true
      })
    const thrown = expect(handled).rejects.toThrow(UnavailableError)
    await turns()
    expect(over).toBe(false)
    letGo()
    await thrown
    expect(summaryOf(await streamOf(store, 'account-a'))).toEqual(['Deposited 1'])
  })
})
