import fc from 'fast-check'
import { left } from 'fp-ts/lib/Either.js'
import { describe, expect, test } from 'vitest'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import type { DeadLetter } from '../../../src/domain/kernel/dead-letter.ts'
import type { EventStore } from '../../../src/ports/event-store.ts'
import type { Processor, Route } from '../../../src/processors/runtime/processor.ts'
import { runProcessor } from '../../../src/processors/runtime/run-processor.ts'
import { event } from '../../contracts/new-event.ts'
import { turns } from '../../fakes/clock.ts'
import { accountProcessor, accounts, ordersTopic, routeOrder } from './account.ts'
import { gated, shaky } from './faulty-stores.ts'
import { eventsOf, streamOf, summaryOf, useFolder } from './log.ts'
import { type Ordered, order, records, spoilt, startProcess } from './world.ts'

const { openLog } = useFolder()

const lettersIn = async (store: EventStore) =>
  (await eventsOf(store, { categories: ['deadletter'] })).map(({ data }) => data as DeadLetter)
const refusalsIn = async (store: EventStore) =>
  (await eventsOf(store, { categories: ['refusal'] })).map(({ data }) => data)

describe('messages become events', () => {
  test('in order per stream, streams side by side, with the message as their cause', async () => {
    const store = openLog()
    const next = await startProcess(store).deliver(
      records([
        ['deposit', 'a', 5],
        ['deposit', 'b', 1],
        ['withdraw', 'a', 5],
        ['deposit', 'a', 7],
        ['withdraw', 'b', 1],
        ['withdraw', 'a', 7],
      ]),
    )
    expect(next).toBe(6n)
    const a = await streamOf(store, 'account-a')
    expect(summaryOf(a)).toEqual(['Deposited 5', 'Withdrawn 5', 'Deposited 7', 'Withdrawn 7'])
    expect(summaryOf(await streamOf(store, 'account-b'))).toEqual(['Deposited 1', 'Withdrawn 1'])
    expect(a[1]?.metadata).toMatchObject({
      actor: 'bank',
      causationId: 'bank#order-2',
      correlationId: 'order-2',
      origin: {
        log: 'log-1',
        topic: ordersTopic.name,
        partition: 0,
        offset: '2',
        at: '2026-01-01T00:00:00.000Z',
      },
    })
  })

  test('a hung stream holds up no other', async () => {
    const store = openLog()
    const { slow, letGo } = gated(store, 'account-a')
    const handled = startProcess(slow).deliver(
      records([
        ['deposit', 'a', 1],
        ['deposit', 'b', 1],
        ['deposit', 'b', 2],
      ]),
    )
    await turns()
    expect(summaryOf(await streamOf(store, 'account-b'))).toEqual(['Deposited 1', 'Deposited 2'])
    letGo()
    expect(await handled).toBe(3n)
  })

  test('the processor consumes its topics as a group of its own name', async () => {
    const { deps } = startProcess(openLog())
    const asked: unknown[] = []
    const consumption = { member: 'm', stop: async () => {} }
    const consume = async (options: unknown) => {
      asked.push(options)
      return consumption
    }
    expect(await runProcessor(accountProcessor, { ...deps, broker: { id: 'log-1', consume } })).toBe(
      consumption,
    )
    expect(asked).toEqual([{ group: 'fonds.accounts', topics: [ordersTopic.name] }])
  })

  test('an empty batch does nothing and finishes nothing', async () => {
    const store = openLog()
    expect(await startProcess(store).deliver([])).toBe(0n)
    expect(await eventsOf(store)).toEqual([])
  })
})

describe('messages that cannot be used', () => {
  const bytes = Uint8Array.of(0x7b, 0xff, 0x00, 0x7d)
  test.each([
    ['no JSON', spoilt(1, { value: 'not { json' }), { reason: 'not-json', path: null }, /is not JSON/],
    ['no UTF-8', spoilt(1, { value: bytes }), { reason: 'not-utf8', path: null }, /not valid UTF-8/],
    [
      'an unknown type',
      spoilt(1, { headers: { ...order(1, 'deposit', 'a').headers, ce_type: 'rob' } }),
      { reason: 'unknown-type', path: 'type' },
      /takes no rob; it takes deposit/,
    ],
    [
      'a wrong shape',
      spoilt(1, { value: '{"account":"a","amount":-1}' }),
      { reason: 'wrong-shape', path: 'data.amount' },
      /deposit: amount: wants whole number from 0, got -1/,
    ],
    ['a wrong key', spoilt(1, { key: 'z' }), { reason: 'wrong-key', path: 'key' }, /must be "a"/],
  ])('%s: kept whole with the reason, the others go on', async (_, bad, fault, sentence) => {
    const store = openLog()
    const { deliver, telemetry } = startProcess(store)
    expect(await deliver([order(0, 'deposit', 'a', 1), bad, order(2, 'deposit', 'a', 2)])).toBe(3n)
    expect(summaryOf(await streamOf(store, 'account-a'))).toEqual(['Deposited 1', 'Deposited 2'])
    const text = typeof bad.value === 'string'
    expect(await lettersIn(store)).toEqual([
      {
        processor: 'fonds.accounts',
        topic: bad.topic,
        partition: 0,
        offset: '1',
        key: bad.key,
        headers: bad.headers,
        value: text ? bad.value : Buffer.from(bytes).toString('base64'),
        encoding: text ? 'text' : 'base64',
        ...fault,
        message: expect.stringMatching(sentence),
        at: '2026-01-01T00:00:00.000Z',
      },
    ])
    expect(telemetry.counted('messages', 'outcome')).toEqual({ done: 2, dead: 1 })
  })

  test('bytes that are UTF-8 are kept as text, to the byte', async () => {
    const store = openLog()
    const value = new TextEncoder().encode('\ufeff{"ä": \u0000')
    await startProcess(store).deliver([spoilt(0, { value })])
    const [letter] = await lettersIn(store)
    expect(letter?.encoding).toBe('text')
    expect(new TextEncoder().encode(letter?.value)).toEqual(value)
  })

  test('a redelivered one is kept and counted once', async () => {
    const store = openLog()
    const bad = [spoilt(0, { value: '' })]
    const { deliver, telemetry } = startProcess(store)
    await deliver(bad)
    await deliver(bad)
    await startProcess(store).deliver(bad)
    expect(await lettersIn(store)).toHaveLength(1)
    expect(telemetry.counted('dead_letters', 'reason')).toEqual({ 'not-json': 1 })
  })

  test('the same offset of another broker log is another message', async () => {
    const store = openLog()
    await startProcess(store, accountProcessor, 'log-1').deliver([spoilt(0, { value: '' })])
    await startProcess(store, accountProcessor, 'log-2').deliver([spoilt(0, { value: '' })])
    expect(await lettersIn(store)).toHaveLength(2)
  })

  test('one that is too large to be kept is kept without its content and keeps nobody waiting', async () => {
    const store = openLog({ maxAppendSize: 2000 })
    const bad = spoilt(0, { value: `{${' '.repeat(3000)}`, headers: { a: 'b'.repeat(3000) } })
    expect(await startProcess(store).deliver([bad, order(1, 'deposit', 'a', 1)])).toBe(2n)
    expect(await lettersIn(store)).toMatchObject([
      {
        offset: '0',
        value: '',
        headers: {},
        encoding: 'none',
        message: expect.stringContaining('its topic alone has it'),
      },
    ])
  })
})

describe('rejections', () => {
  test('are kept once, however often the message comes', async () => {
    const store = openLog()
    const { deliver, telemetry } = startProcess(store)
    const batch = records([['withdraw', 'a', 5]])
    expect(await deliver(batch)).toBe(1n)
    expect(await deliver(batch)).toBe(1n)
    await startProcess(store).deliver(batch)
    expect(await refusalsIn(store)).toEqual([
      {
        processor: 'fonds.accounts',
        topic: ordersTopic.name,
        message: 'order-0',
        source: 'bank',
        type: 'withdraw',
        stream: 'account-a',
        code: 'overdrawn',
        because: 'it holds 0; ask for less',
        at: '2026-01-01T00:00:00.000Z',
      },
    ])
    expect(telemetry.counted('failures', 'reason')).toEqual({ overdrawn: 1 })
    expect(await lettersIn(store)).toEqual([])
  })

  test('one that is longer than the log takes is kept in short, and the others go on', async () => {
    const store = openLog({ maxAppendSize: 4000 })
    const text = 'x'.repeat(3000)
    const decide: typeof accounts.decide = (command, state) =>
      command.type === 'Withdraw'
        ? left({ code: 'wordy', message: text, details: { held: text } })
        : accounts.decide(command, state)
    const wordy: Processor = {
      ...accountProcessor,
      route: async (messages) =>
        (await accountProcessor.route(messages)).map((routes) =>
          routes.map((route) => ({
            ...route,
            decider: { ...route.decider, decide } as unknown as Route['decider'],
          })),
        ),
    }
    const batch = records([
      ['withdraw', 'a', 5],
      ['deposit', 'b', 9],
    ])
    expect(await startProcess(store, wordy).deliver(batch)).toBe(2n)
    expect(await refusalsIn(store)).toMatchObject([{ code: 'wordy', because: `${'x'.repeat(999)}…` }])
    expect(summaryOf(await streamOf(store, 'account-b'))).toEqual(['Deposited 9'])
  })

  test('redelivered behind a later message, a rejected one is not decided again', async () => {
    const store = openLog()
    const batch = records([
      ['withdraw', 'a', 5],
      ['deposit', 'a', 9],
    ])
    await startProcess(store).deliver(batch)
    await startProcess(store).deliver(batch)
    expect(summaryOf(await streamOf(store, 'account-a'))).toEqual(['Deposited 9'])
  })
})

describe('bugs', () => {
  test.each(['break', 'babble'] as const)(
    'a decider that fails on a %s buries that message alone',
    async (bug) => {
      const store = openLog()
      const batch = records([
        ['deposit', 'a', 1],
        [bug, 'a'],
        ['deposit', 'a', 2],
        ['deposit', 'b', 3],
      ])
      expect(await startProcess(store).deliver(batch)).toBe(4n)
      expect(summaryOf(await streamOf(store, 'account-a'))).toEqual(['Deposited 1', 'Deposited 2'])
      expect(summaryOf(await streamOf(store, 'account-b'))).toEqual(['Deposited 3'])
      expect(await lettersIn(store)).toMatchObject([
        {
          offset: '1',
          reason: 'defect',
          path: null,
          message: expect.stringMatching(/^handling it failed: .*retry it$/),
        },
      ])
    },
  )

  test('a plan that fails on one message buries that one alone', async () => {
    const store = openLog()
    const processor: Processor = {
      ...accountProcessor,
      route: async (messages) => {
        if (messages.some(({ type }) => type === 'freeze')) throw 'no plan for a freeze'
        return messages.map((message) => [routeOrder(message)])
      },
    }
    const batch = records([
      ['deposit', 'a', 1],
      ['freeze', 'a'],
      ['withdraw', 'a', 1],
    ])
    expect(await startProcess(store, processor).deliver(batch)).toBe(3n)
    expect(summaryOf(await streamOf(store, 'account-a'))).toEqual(['Deposited 1', 'Withdrawn 1'])
    expect(await lettersIn(store)).toMatchObject([
      { offset: '1', reason: 'defect', message: expect.stringContaining('no plan for a freeze') },
    ])
  })

  test('a plan of another length is a bug, not a mix-up', async () => {
    const store = openLog()
    const processor: Processor = {
      ...accountProcessor,
      route: async (messages) => messages.slice(1).map((message) => [routeOrder(message)]),
    }
    await startProcess(store, processor).deliver(records([['deposit', 'a', 1]]))
    expect(await lettersIn(store)).toMatchObject([
      { reason: 'defect', message: expect.stringContaining('1 messages were planned as 0') },
    ])
  })

  test('an error message that cannot be stored is kept as far as it can be', async () => {
    const store = openLog()
    const processor: Processor = {
      ...accountProcessor,
      route: () => Promise.reject(new Error(`half a character: \ud800${'!'.repeat(5000)}`)),
    }
    expect(await startProcess(store, processor).deliver(records([['deposit', 'a', 1]]))).toBe(1n)
    const [letter] = await lettersIn(store)
    expect(letter?.message).toMatch(
      /^handling it failed: half a character: \ufffd!+…; please report this, then retry it$/,
    )
  })
})

describe('planning', () => {
  const counting = () => {
    const sizes: number[] = []
    const processor: Processor = {
      ...accountProcessor,
      route: async (messages) => {
        sizes.push(messages.length)
        return messages.map((message) => [routeOrder(message)])
      },
    }
    return { sizes, processor }
  }

  test('is done once a batch, for all messages that can be used', async () => {
    const { sizes, processor } = counting()
    const batch = [
      ...records([
        ['deposit', 'a', 1],
        ['deposit', 'b', 1],
      ]),
      spoilt(2, { value: '' }),
    ]
    await startProcess(openLog(), processor).deliver(batch)
    expect(sizes).toEqual([2])
  })

  test('is left out when no message can be used', async () => {
    const { sizes, processor } = counting()
    await startProcess(openLog(), processor).deliver([spoilt(0, { value: '' })])
    expect(sizes).toEqual([])
  })

  test('with what it needs away: thrown, and nothing is buried', async () => {
    const store = openLog()
    const processor: Processor = {
      ...accountProcessor,
      route: () => Promise.reject(new UnavailableError('the views are away')),
    }
    await expect(startProcess(store, processor).deliver(records([['deposit', 'a', 1]]))).rejects.toThrow(
      UnavailableError,
    )
    expect(await eventsOf(store)).toEqual([])
  })
})

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
    refusals: (await refusalsIn(store)).length,
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
      { numRuns: 50 },
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

describe('what the log will never take', () => {
  test('an event too large for it: the message is buried', async () => {
    const store = openLog({ maxAppendSize: 1000 })
    const wide = {
      ...order(0, 'deposit', 'a', 1),
      headers: { ...order(0, 'deposit', 'a').headers, ce_correlationid: 'x'.repeat(900) },
    }
    expect(await startProcess(store).deliver([wide, order(1, 'deposit', 'b', 1)])).toBe(2n)
    expect(await lettersIn(store)).toMatchObject([{ offset: '0', reason: 'too-large' }])
  })

  test('an event of a stream deleted for good: the message is buried', async () => {
    const store = openLog()
    await store.deleteStream('account-a', 'any', 'tombstone')()
    expect(
      await startProcess(store).deliver(
        records([
          ['deposit', 'a', 1],
          ['deposit', 'b', 1],
        ]),
      ),
    ).toBe(2n)
    expect(await lettersIn(store)).toMatchObject([{ offset: '0', reason: 'stream-deleted' }])
  })

  test('others who write the stream all the time: thrown as UnavailableError', async () => {
    const store = openLog()
    const contended: EventStore = {
      ...store,
      append: (stream) => async () => left({ kind: 'Conflict', stream, actual: 99n }),
    }
    await expect(startProcess(contended).deliver(records([['deposit', 'a', 1]]))).rejects.toThrow(
      /others? writers? were faster/,
    )
  })
})

describe('stopping', () => {
  test('in the middle: what is finished below the first unfinished offset may be committed', async () => {
    const store = openLog()
    const stop = new AbortController()
    const stopping: EventStore = {
      ...store,
      append: (stream, ...rest) => {
        if (stream === 'account-b') stop.abort()
        return store.append(stream, ...rest)
      },
    }
    const orders: Ordered[] = [
      ['deposit', 'a', 1],
      ['deposit', 'b', 2],
      ['deposit', 'a', 3],
      ['deposit', 'b', 4],
    ]
    const next = await startProcess(stopping).deliver(records(orders), stop.signal)
    expect(next).toBe(2n)
    expect(await startProcess(store).deliver(records(orders).slice(Number(next)))).toBe(4n)
    expect(summaryOf(await streamOf(store, 'account-a'))).toEqual(['Deposited 1', 'Deposited 3'])
    expect(summaryOf(await streamOf(store, 'account-b'))).toEqual(['Deposited 2', 'Deposited 4'])
  })

  test('before anything was done: nothing is committed', async () => {
    const store = openLog()
    expect(await startProcess(store).deliver(records([['deposit', 'a', 1]], 7), AbortSignal.abort())).toBe(7n)
    expect(await eventsOf(store)).toEqual([])
  })
})
