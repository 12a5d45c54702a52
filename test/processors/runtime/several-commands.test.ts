import fc from 'fast-check'
import { left } from 'fp-ts/lib/Either.js'
import { describe, expect, test } from 'vitest'
import { UnavailableError } from '#src/async/unavailable.ts'
import type { Message } from '#src/domain/kernel/message.ts'
import type { EventStore } from '#src/ports/event-store.ts'
import { InvalidMessageError } from '#src/processors/runtime/invalid-message-error.ts'
import type { Processor } from '#src/processors/runtime/processor.ts'
import { runs } from '../../runs.ts'
import { accountProcessor, routeOrder } from './account.ts'
import { eventsOf, lettersIn, streamOf, summaryOf, useFolder } from './log.ts'
import { order, records, startOnServer, startProcess } from './world.ts'

const { openLog } = useFolder()

/** An order for `a+b` goes to both accounts; one for `nobody` to none. */
const routeOrders = (message: Message) =>
  (message.data as { account: string }).account
    .split('+')
    .filter((account) => account !== 'nobody')
    .map((account) => routeOrder({ ...message, data: { ...(message.data as object), account } }))

const processor: Processor = { ...accountProcessor, route: async (messages) => messages.map(routeOrders) }

const balances = async (store: EventStore, ...accounts: readonly string[]) =>
  Promise.all(accounts.map(async (account) => summaryOf(await streamOf(store, `account-${account}`))))

/** A log whose appends to some streams fail. */
const without = (store: EventStore, isAway: (stream: string) => boolean): EventStore => ({
  ...store,
  append: (stream, ...rest) =>
    isAway(stream)
      ? async () => left({ kind: 'Unavailable', reason: 'the log is away' })
      : store.append(stream, ...rest),
})

describe('a message that asks for several commands', () => {
  test('has its effect on each stream, in the order of messages, and counts once', async () => {
    const store = openLog()
    const { deliver, telemetry } = startProcess(store, processor)
    const batch = records([
      ['deposit', 'a+b+c', 5],
      ['withdraw', 'a', 2],
      ['withdraw', 'c+b', 1],
    ])
    expect(await deliver(batch)).toBe(3n)
    expect(await balances(store, 'a', 'b', 'c')).toEqual([
      ['Deposited 5', 'Withdrawn 2'],
      ['Deposited 5', 'Withdrawn 1'],
      ['Deposited 5', 'Withdrawn 1'],
    ])
    expect(telemetry.counted('messages', 'outcome')).toEqual({ done: 3 })
  })

  test('comes behind those of its batch that ask for less', async () => {
    const store = openLog()
    const written: string[] = []
    const noting: EventStore = {
      ...store,
      append: (stream, ...rest) => {
        written.push(stream)
        return store.append(stream, ...rest)
      },
    }
    const { deliver } = startOnServer(noting, processor)
    await deliver(
      records([
        ['deposit', 'a+b+c', 1],
        ['deposit', 'd', 2],
        ['deposit', 'b', 3],
      ]),
    )
    expect(written).toEqual(['account-b', 'account-d', 'account-a', 'account-c', 'account-b'])
    expect(await balances(store, 'b')).toEqual([['Deposited 1', 'Deposited 3']])
  })

  test('or for none is finished at once', async () => {
    const store = openLog()
    const { deliver, telemetry } = startProcess(store, processor)
    expect(await deliver(records([['deposit', 'nobody', 5]]))).toBe(1n)
    expect(await eventsOf(store)).toEqual([])
    expect(telemetry.counted('messages', 'outcome')).toEqual({ unchanged: 1 })
  })

  test.each([
    ['deposit', 'a+b', 'done', 'all are done'],
    ['withdraw', 'a+rich', 'rejected', 'one is rejected, one done'],
    ['break', 'a+b', 'dead', 'all fail'],
    ['deposit', 'rich+broken', 'dead', 'one fails, one is done'],
  ] as const)('%s %s counts as %s: %s', async (type, account, outcome, _) => {
    const store = openLog()
    await startProcess(store, processor).deliver(records([['deposit', 'rich', 9]]))
    const breaking: Processor = {
      ...processor,
      route: async (messages) =>
        messages.map((message) =>
          routeOrders(message).map((route) =>
            route.stream === 'account-broken' ? routeOrder({ ...message, type: 'break' }) : route,
          ),
        ),
    }
    const { deliver, telemetry } = startProcess(store, breaking)
    await deliver([order(7, type, account, 1)])
    expect(telemetry.counted('messages', 'outcome')).toEqual({ [outcome]: 1 })
  })

  test('refused on several streams leaves a refusal for each, with what was compared, once', async () => {
    const store = openLog()
    const batch = records([['withdraw', 'a+b', 5]])
    await startProcess(store, processor).deliver(batch)
    await startProcess(store, processor).deliver(batch)
    const refusals = (await eventsOf(store, { categories: ['refusal'] })).map(({ data }) => data)
    expect(refusals).toHaveLength(2)
    expect(refusals).toEqual(
      expect.arrayContaining(
        ['account-a', 'account-b'].map((stream) =>
          expect.objectContaining({ stream, code: 'overdrawn', message: 'order-0' }),
        ),
      ),
    )
  })

  test('planned twice on one stream is a bug of that message alone', async () => {
    const store = openLog()
    expect(
      await startProcess(store, processor).deliver(
        records([
          ['deposit', 'a+b+a', 1],
          ['deposit', 'b', 2],
        ]),
      ),
    ).toBe(2n)
    expect(await balances(store, 'a', 'b')).toEqual([[], ['Deposited 2']])
    expect(await lettersIn(store)).toMatchObject([
      { offset: '0', reason: 'defect', message: expect.stringContaining('two commands on account-a') },
    ])
  })
})

describe('when some of its commands fail for good', () => {
  const tooLarge = (store: EventStore, ...accounts: readonly string[]): EventStore => ({
    ...store,
    append: (stream, ...rest) =>
      accounts.includes(stream.slice('account-'.length))
        ? async () => left({ kind: 'TooLarge', bytes: 9, limit: 8 })
        : store.append(stream, ...rest),
  })

  test('the others have their effect, and one dead letter names the stream', async () => {
    const store = openLog()
    const { deliver, telemetry } = startProcess(tooLarge(store, 'b'), processor)
    const batch = records([
      ['deposit', 'a+b+c', 5],
      ['deposit', 'c', 1],
    ])
    expect(await deliver(batch)).toBe(2n)
    expect(await balances(store, 'a', 'b', 'c')).toEqual([
      ['Deposited 5'],
      [],
      ['Deposited 5', 'Deposited 1'],
    ])
    expect(await lettersIn(store)).toMatchObject([
      {
        offset: '0',
        reason: 'too-large',
        message: 'account-b: its events take 9 bytes, the log accepts 8; split it',
      },
    ])
    expect(telemetry.counted('messages', 'outcome')).toEqual({ dead: 1, done: 1 })
  })

  test('several of them are still one dead letter, the same whichever failed first', async () => {
    const store = openLog()
    const { deliver, telemetry } = startProcess(tooLarge(store, 'c', 'b'), processor)
    const batch = records([['deposit', 'c+a+b', 5]])
    await deliver(batch)
    await deliver(batch)
    expect(await lettersIn(store)).toMatchObject([
      { message: expect.stringMatching(/^account-b \(and 1 more\): /) },
    ])
    expect(telemetry.counted('dead_letters', 'reason')).toEqual({ 'too-large': 1 })
  })
})

describe('when it was done by half', () => {
  test('nothing is committed; redelivered, the rest follows and nothing comes twice', async () => {
    const store = openLog()
    const batch = records([
      ['deposit', 'a+b', 5],
      ['deposit', 'a+b', 7],
    ])
    const shaky = without(store, (stream) => stream === 'account-b')
    await expect(startProcess(shaky, processor).deliver(batch)).rejects.toThrow(UnavailableError)
    expect(await balances(store, 'a', 'b')).toEqual([['Deposited 5', 'Deposited 7'], []])
    const { deliver, telemetry } = startProcess(store, processor)
    expect(await deliver(batch)).toBe(2n)
    expect(await balances(store, 'a', 'b')).toEqual([
      ['Deposited 5', 'Deposited 7'],
      ['Deposited 5', 'Deposited 7'],
    ])
    expect(telemetry.counted('messages', 'outcome')).toEqual({ done: 2 })
  })

  test('stopped between its commands it is not finished, nor is what comes behind it', async () => {
    const store = openLog()
    const stop = new AbortController()
    const stopping: EventStore = {
      ...store,
      append: (stream, ...rest) => {
        if (stream === 'account-a') stop.abort()
        return store.append(stream, ...rest)
      },
    }
    const batch = records([
      ['deposit', 'a', 1],
      ['deposit', 'a+b', 2],
      ['deposit', 'c', 3],
    ])
    expect(await startOnServer(stopping, processor).deliver(batch, stop.signal)).toBe(1n)
    expect(await startProcess(store, processor).deliver(batch.slice(1))).toBe(3n)
    expect(await balances(store, 'a', 'b', 'c')).toEqual([
      ['Deposited 1', 'Deposited 2'],
      ['Deposited 2'],
      ['Deposited 3'],
    ])
  })

  test('wherever the log goes away, and whether or not the process dies of it', async () => {
    let run = 0
    const batch = records([
      ['deposit', 'a+b+c', 5],
      ['withdraw', 'c+d', 1],
      ['deposit', 'd+a', 2],
    ])
    const mishap = fc.record({ appends: fc.integer({ min: 0, max: 6 }), restart: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(mishap, { maxLength: 5 }), async (mishaps) => {
        const store = openLog({}, `${++run}.db`)
        let appends = 0
        const flaky = without(store, () => appends-- <= 0)
        let process = startProcess(flaky, processor)
        for (const mishap of mishaps) {
          appends = mishap.appends
          await process
            .deliver(batch)
            .catch((error: unknown) => expect(error).toBeInstanceOf(UnavailableError))
          if (mishap.restart) process = startProcess(flaky, processor)
        }
        appends = Number.POSITIVE_INFINITY
        expect(await process.deliver(batch)).toBe(3n)
        expect(await balances(store, 'a', 'b', 'c', 'd')).toEqual([
          ['Deposited 5', 'Deposited 2'],
          ['Deposited 5'],
          ['Deposited 5', 'Withdrawn 1'],
          ['Deposited 2'],
        ])
        expect(await eventsOf(store, { categories: ['refusal'] })).toHaveLength(1)
        await store.close()
      }),
      { numRuns: runs(40) },
    )
  })
})

test('more streams than are worked on at once: all get their turn', async () => {
  const store = openLog()
  const accounts = Array.from({ length: 4500 }, (_, i) => `n${i}`)
  await startProcess(store, processor).deliver([order(0, 'deposit', accounts.join('+'), 1)])
  expect(await eventsOf(store)).toHaveLength(4500)
})

test('a message that can never be used is buried with the reason, the others go on', async () => {
  const store = openLog()
  const sizes: number[] = []
  const picky: Processor = {
    ...processor,
    route: async (messages) => {
      sizes.push(messages.length)
      if (messages.some(({ type }) => type === 'freeze'))
        throw new InvalidMessageError('not-in-the-log', 'there is no such freeze', 'data.account')
      return messages.map(routeOrders)
    },
  }
  const batch = records([
    ['deposit', 'a', 1],
    ['deposit', 'a', 2],
    ['freeze', 'a'],
    ['deposit', 'a', 3],
  ])
  const { deliver, telemetry } = startProcess(store, picky)
  expect(await deliver(batch)).toBe(4n)
  expect(await balances(store, 'a')).toEqual([['Deposited 1', 'Deposited 2', 'Deposited 3']])
  expect(await lettersIn(store)).toMatchObject([
    { offset: '2', reason: 'not-in-the-log', path: 'data.account', message: 'there is no such freeze' },
  ])
  expect(telemetry.counted('messages', 'outcome')).toEqual({ done: 3, dead: 1 })
  // Half by half, the culprit is found.
  expect(sizes).toEqual([4, 2, 2, 1, 1])
})
