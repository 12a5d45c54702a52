import { describe, expect, test } from 'vitest'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import type { EventStore } from '../../../src/ports/event-store.ts'
import type { MessageDeaths } from '../../../src/processors/runtime/message-deaths.ts'
import type { Processor } from '../../../src/processors/runtime/processor.ts'
import { runProcessor } from '../../../src/processors/runtime/run-processor.ts'
import { turns } from '../../fakes/clock.ts'
import { accountProcessor, ordersTopic, routeOrder } from './account.ts'
import { gated } from './faulty-stores.ts'
import { eventsOf, streamOf, summaryOf, useFolder } from './log.ts'
import { type Ordered, records, spoilt, startOnServer, startProcess } from './world.ts'

const { openLog } = useFolder()

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
    const handled = startOnServer(slow).deliver(
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
    const messageDeaths: MessageDeaths = { counted: (_processor, _deps, handle) => handle }
    expect(
      await runProcessor(accountProcessor, { ...deps, messageDeaths, broker: { id: 'log-1', consume } }),
    ).toBe(consumption)
    expect(asked).toEqual([{ group: 'fonds.accounts', topics: [ordersTopic.name] }])
  })

  test('an empty batch does nothing and finishes nothing', async () => {
    const store = openLog()
    expect(await startProcess(store).deliver([])).toBe(0n)
    expect(await eventsOf(store)).toEqual([])
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
    const next = await startOnServer(stopping).deliver(records(orders), stop.signal)
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
