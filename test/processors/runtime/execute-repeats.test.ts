import { left } from 'fp-ts/lib/Either.js'
import { describe, expect, test } from 'vitest'
import type { EventStore } from '../../../src/ports/event-store.ts'
import { type Execute, executor } from '../../../src/processors/runtime/execute.ts'
import { streamStates } from '../../../src/processors/runtime/stream-states.ts'
import { event } from '../../contracts/new-event.ts'
import { type Account, accounts } from './account.ts'
import {
  at,
  deposit,
  envelope,
  executorOn,
  freeze,
  kindOf,
  noPause,
  origin,
  stream,
  withdraw,
} from './commands.ts'
import { eventsOf, streamOf, summaryOf, useFolder } from './log.ts'

const { openLog } = useFolder()

describe('the same cause twice has one effect', () => {
  const twice = async (first: Execute, second: Execute) => [
    kindOf(await first(accounts, deposit(5, { causationId: 'c' }))),
    kindOf(await second(accounts, deposit(5, { causationId: 'c' }))),
  ]

  test('in one process', async () => {
    const store = openLog()
    const execute = executorOn(store)
    expect(await twice(execute, execute)).toEqual(['done', 'repeated'])
    expect(await eventsOf(store)).toHaveLength(1)
  })

  test('after a restart', async () => {
    const store = openLog()
    expect(await twice(executorOn(store), executorOn(store))).toEqual(['done', 'repeated'])
    expect(await eventsOf(store)).toHaveLength(1)
  })

  test('however much the stream has grown since', async () => {
    const store = openLog()
    const execute = executorOn(store)
    await execute(accounts, deposit(5, { causationId: 'c' }))
    await store.append(
      stream,
      0n,
      Array.from({ length: 2500 }, () => event('Frozen', {})),
    )()
    expect(kindOf(await executorOn(store)(accounts, deposit(5, { causationId: 'c' })))).toBe('repeated')
  })

  test('from a process whose state is older, at another time', async () => {
    const [mine, theirs] = [openLog(), openLog()]
    const states = streamStates(mine)
    const execute = executor(mine, states, noPause)
    await execute(accounts, deposit(1))
    await executorOn(theirs)(accounts, deposit(5, { causationId: 'c' }))
    const later = { type: 'Deposit', amount: 5, at: '2026-02-02T00:00:00.000Z' } as const
    expect(kindOf(await execute(accounts, envelope(later, { causationId: 'c' })))).toBe('repeated')
    // Nor does it go on with what it decided itself.
    expect(states.cached(accounts, stream)?.state).toEqual({
      balance: 6,
      frozen: false,
      movedAt: at,
    } satisfies Account)
    expect(summaryOf(await streamOf(mine, stream))).toEqual(['Deposited 1', 'Deposited 5'])
  })

  test('in another stream it has its own effect', async () => {
    const store = openLog()
    const execute = executorOn(store)
    await execute(accounts, deposit(5, { causationId: 'c' }))
    expect(kindOf(await execute(accounts, deposit(5, { causationId: 'c', stream: 'account-2' })))).toBe(
      'done',
    )
  })

  test('an append whose answer was lost is not made twice', async () => {
    const store = openLog()
    let lost = true
    const forgetful: EventStore = {
      ...store,
      append:
        (...input) =>
        async () => {
          const appended = await store.append(...input)()
          if (!lost) return appended
          lost = false
          return left({ kind: 'Unavailable', reason: 'connection lost' })
        },
    }
    const execute = executorOn(forgetful)
    expect(await twice(execute, execute)).toEqual(['Unavailable', 'repeated'])
    expect(await eventsOf(store)).toHaveLength(1)
  })
})

describe('redelivery behind later messages of the partition', () => {
  test('a message that changed nothing is not decided again', async () => {
    const store = openLog()
    const execute = executorOn(store)
    expect(kindOf(await execute(accounts, withdraw(5, { origin: origin(1) })))).toBe('overdrawn')
    expect(kindOf(await execute(accounts, deposit(0, { origin: origin(2) })))).toBe('unchanged')
    expect(kindOf(await execute(accounts, deposit(9, { origin: origin(3) })))).toBe('done')
    for (const again of [execute, executorOn(store)]) {
      expect(kindOf(await again(accounts, withdraw(5, { origin: origin(1) })))).toBe('repeated')
      expect(kindOf(await again(accounts, freeze({ origin: origin(2) })))).toBe('repeated')
    }
    expect(summaryOf(await streamOf(store, stream))).toEqual(['Deposited 9'])
  })

  test('offsets count per log, topic and partition', async () => {
    const execute = executorOn(openLog())
    await execute(accounts, deposit(9, { origin: origin(3) }))
    expect(kindOf(await execute(accounts, deposit(1, { origin: origin(1, 'log-2') })))).toBe('done')
    expect(kindOf(await execute(accounts, deposit(1, { origin: { ...origin(1), topic: 'other' } })))).toBe(
      'done',
    )
    expect(kindOf(await execute(accounts, deposit(1, { origin: { ...origin(1), partition: 1 } })))).toBe(
      'done',
    )
    expect(kindOf(await execute(accounts, deposit(1, { origin: origin(3) })))).toBe('repeated')
    expect(kindOf(await execute(accounts, deposit(1, { origin: origin(4) })))).toBe('done')
  })

  test('offsets are numbers, not text', async () => {
    const execute = executorOn(openLog())
    await execute(accounts, deposit(9, { origin: origin(9) }))
    expect(kindOf(await execute(accounts, deposit(1, { origin: origin(10) })))).toBe('done')
    expect(kindOf(await execute(accounts, deposit(1, { origin: origin(9) })))).toBe('repeated')
  })

  test('a command without an origin is judged by its cause alone', async () => {
    const execute = executorOn(openLog())
    await execute(accounts, deposit(9, { origin: origin(100) }))
    expect(kindOf(await execute(accounts, deposit(1)))).toBe('done')
  })
})

describe('a stream that is taken for a new one and is none', () => {
  /** Has looked for so many streams in vain that it looks for none any more. */
  const presuming = async (store: EventStore) => {
    const states = streamStates(store)
    for (let n = 0; n < 8; n++) await states.load(accounts, `account-none-${n}`)
    expect(states.presumed(accounts, stream)).toBeDefined()
    return executor(store, states, noPause)
  }

  test('takes the command in the state that it has', async () => {
    const store = openLog()
    await executorOn(store)(accounts, deposit(5))
    expect(kindOf(await (await presuming(store))(accounts, deposit(2)))).toBe('done')
    expect(summaryOf(await streamOf(store, stream))).toEqual(['Deposited 5', 'Deposited 2'])
  })

  test('rejects nothing that its own state allows', async () => {
    const store = openLog()
    await executorOn(store)(accounts, deposit(5))
    const execute = await presuming(store)
    expect(kindOf(await execute(accounts, withdraw(3)))).toBe('done')
    expect(kindOf(await execute(accounts, withdraw(3)))).toBe('overdrawn')
  })

  test('has no second effect of one cause', async () => {
    const store = openLog()
    await executorOn(store)(accounts, deposit(1))
    await executorOn(store)(accounts, deposit(5, { causationId: 'c' }))
    expect(kindOf(await (await presuming(store))(accounts, deposit(5, { causationId: 'c' })))).toBe(
      'repeated',
    )
    await executorOn(store)(accounts, freeze({ causationId: 'd', origin: origin(9) }))
    await (await presuming(store))(accounts, deposit(7, { causationId: 'before', origin: origin(8) }))
    expect(summaryOf(await streamOf(store, stream))).toEqual(['Deposited 1', 'Deposited 5', 'Frozen'])
  })
})
