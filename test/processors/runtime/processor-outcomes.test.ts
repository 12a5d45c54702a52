import { left } from 'fp-ts/lib/Either.js'
import { describe, expect, test } from 'vitest'
import type { EventStore } from '../../../src/ports/event-store.ts'
import type { Processor, Route } from '../../../src/processors/runtime/processor.ts'
import { accountProcessor, accounts, ordersTopic, routeOrder } from './account.ts'
import { lettersIn, rejectionsIn, streamOf, summaryOf, useFolder } from './log.ts'
import { order, records, spoilt, startProcess } from './world.ts'

const { openLog } = useFolder()

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
        message: expect.stringContaining('only its topic has it'),
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
    expect(await rejectionsIn(store)).toEqual([
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
    expect(await rejectionsIn(store)).toMatchObject([{ code: 'wordy', because: `${'x'.repeat(999)}…` }])
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
