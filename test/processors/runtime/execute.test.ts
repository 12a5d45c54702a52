import { isRight, left, right } from 'fp-ts/lib/Either.js'
import { describe, expect, test } from 'vitest'
import type { Decider } from '../../../src/domain/kernel/decider.ts'
import type { Rejection } from '../../../src/domain/kernel/rejection.ts'
import type { EventStore } from '../../../src/ports/event-store.ts'
import { executor } from '../../../src/processors/runtime/execute.ts'
import { streamStates, UnreadableStream } from '../../../src/processors/runtime/stream-states.ts'
import { event } from '../../contracts/new-event.ts'
import { type Account, type AccountCommand, type AccountEvent, accounts } from './account.ts'
import { at, deposit, envelope, executorOn, freeze, kindOf, origin, stream, withdraw } from './commands.ts'
import { eventsOf, streamOf, useFolder } from './log.ts'

const { openLog } = useFolder()

describe('deciding', () => {
  test('what a decision tells beside its events comes with the outcome', async () => {
    const decide = () =>
      right({ events: [{ type: 'Deposited' as const, data: { amount: 5, at } }], result: 'new' })
    const telling: Decider<Account, AccountCommand, AccountEvent, Rejection, string> = { ...accounts, decide }
    const store = openLog()
    expect(await executorOn(store)(telling, deposit(5))).toMatchObject({
      right: { kind: 'done', result: 'new' },
    })
    expect(await executorOn(store)(accounts, deposit(5))).not.toHaveProperty('right.result')
  })

  test('events are appended with who, why and where from', async () => {
    const store = openLog()
    const outcome = await executorOn(store)(
      accounts,
      deposit(5, { causationId: 'c', origin: origin(7), traceparent: '00-ab-cd-01' }),
    )
    const [written] = await streamOf(store, stream)
    expect(outcome).toEqual(
      right({
        kind: 'done',
        events: [{ type: 'Deposited', data: { amount: 5, at } }],
        revision: 0n,
        position: written!.position,
      }),
    )
    expect(written).toMatchObject({
      type: 'Deposited',
      data: { amount: 5, at },
      metadata: {
        actor: 'tester',
        causationId: 'c',
        correlationId: 'conversation',
        schema: 1,
        origin: origin(7),
        traceparent: '00-ab-cd-01',
      },
    })
  })

  test('a rejection is a value and writes nothing', async () => {
    const store = openLog()
    const outcome = await executorOn(store)(accounts, withdraw(1))
    expect(outcome).toEqual(
      right({ kind: 'rejected', rejection: { code: 'overdrawn', message: 'it holds 0; ask for less' } }),
    )
    expect(await eventsOf(store)).toEqual([])
  })

  test('a command that asks for what is true already is unchanged', async () => {
    const store = openLog()
    const execute = executorOn(store)
    await execute(accounts, freeze())
    const [frozen] = await eventsOf(store)
    expect(await execute(accounts, freeze())).toEqual(
      right({ kind: 'unchanged', position: frozen!.position }),
    )
    expect(await eventsOf(store)).toHaveLength(1)
  })

  test('a throwing decider throws, and the next command is not the worse for it', async () => {
    const execute = executorOn(openLog())
    await expect(execute(accounts, envelope({ type: 'Break' }))).rejects.toThrow('the decider is broken')
    expect(kindOf(await execute(accounts, deposit(1)))).toBe('done')
  })

  test('what could not be read back is not written', async () => {
    const store = openLog()
    const execute = executorOn(store)
    await expect(execute(accounts, envelope({ type: 'Babble' }))).rejects.toThrow(
      /Babble decided an event that its codec cannot read back.*amount/,
    )
    expect(await eventsOf(store)).toEqual([])
    expect(kindOf(await execute(accounts, deposit(1)))).toBe('done')
  })

  test('what cannot be folded is not written', async () => {
    const store = openLog()
    const broken: typeof accounts = {
      ...accounts,
      evolve: () => {
        throw new Error('cannot fold')
      },
    }
    await expect(executorOn(store)(broken, deposit(1))).rejects.toThrow('cannot fold')
    expect(await eventsOf(store)).toEqual([])
  })

  test('the state after an append is the state after a restart', async () => {
    const store = openLog()
    const states = streamStates(store)
    // The codec makes a canonical time of it.
    await executor(store, states)(
      accounts,
      envelope({ type: 'Deposit', amount: 3, at: '2026-01-01T01:00:00+01:00' }),
    )
    const reloaded = await streamStates(store).load(accounts, stream)
    expect(right(states.cached(accounts, stream))).toEqual(reloaded)
    expect(isRight(reloaded) && reloaded.right.state.movedAt).toBe(at)
  })
})

describe('event ids', () => {
  const idOf = async (name: string, causationId: string, amount: number) => {
    const store = openLog()
    await executorOn(store)(accounts, deposit(amount, { stream: name, causationId }))
    return (await streamOf(store, name))[0]?.id
  }

  test('are the same whoever decides, now and in later versions', async () => {
    expect(await idOf('account-x', 'c', 5)).toBe('31ca1cbd-ad3e-5fd1-8111-d2ea314a2c46')
  })

  test('differ by stream, cause and content', async () => {
    const ids = [
      await idOf('account-p', 'c', 5),
      await idOf('account-q', 'c', 5),
      await idOf('account-r', 'd', 5),
      await idOf('account-s', 'd', 6),
    ]
    expect(new Set(ids).size).toBe(4)
  })
})

describe('failures of the store', () => {
  test('TooLarge and StreamDeleted pass through', async () => {
    const store = openLog({ maxAppendSize: 10 })
    expect(kindOf(await executorOn(store)(accounts, deposit(1)))).toBe('TooLarge')
    await store.deleteStream(stream, 'any', 'tombstone')()
    expect(await executorOn(store)(accounts, deposit(1))).toEqual(left({ kind: 'StreamDeleted', stream }))
  })

  test('StreamDeleted passes through where the stream was known', async () => {
    const store = openLog()
    const execute = executorOn(store)
    await execute(accounts, deposit(1))
    await store.deleteStream(stream, 'any', 'tombstone')()
    expect(await execute(accounts, deposit(1))).toEqual(left({ kind: 'StreamDeleted', stream }))
  })

  test('Unavailable passes through from reading and from writing, and all is well afterwards', async () => {
    const store = openLog()
    const away = left({ kind: 'Unavailable', reason: 'away' } as const)
    let broken: 'read' | 'append' | 'nothing' = 'read'
    const shaky: EventStore = {
      ...store,
      read: (...input) => (broken === 'read' ? async () => away : store.read(...input)),
      append: (...input) => (broken === 'append' ? async () => away : store.append(...input)),
    }
    const execute = executorOn(shaky)
    expect(await execute(accounts, deposit(1))).toEqual(away)
    broken = 'append'
    expect(await execute(accounts, deposit(1))).toEqual(away)
    broken = 'nothing'
    expect(kindOf(await execute(accounts, deposit(1)))).toBe('done')
    expect(await eventsOf(store)).toHaveLength(1)
  })

  test.each([
    ['of a type nobody knows', event('Embezzled', { amount: 1 }), /revision 0: no event type Embezzled/],
    ['of a shape nobody knows', event('Deposited', { amount: 'much' }), /revision 0: Deposited.*amount/],
  ])('a stored event %s stops the work, loudly', async (_, stored, message) => {
    const store = openLog()
    await store.append(stream, 'none', [stored])()
    const execute = executorOn(store)
    await expect(execute(accounts, deposit(1))).rejects.toThrow(UnreadableStream)
    await expect(execute(accounts, deposit(1))).rejects.toThrow(message)
    expect(await eventsOf(store)).toHaveLength(1)
  })
})

describe('cached states', () => {
  test('those used least lately are dropped', async () => {
    const store = openLog()
    const states = streamStates(store, 1700)
    const execute = executor(store, states)
    for (const name of ['account-a', 'account-b', 'account-a', 'account-c'])
      await execute(accounts, deposit(1, { stream: name }))
    const known = ['account-a', 'account-b', 'account-c'].map(
      (name) => states.cached(accounts, name) !== undefined,
    )
    expect(known).toEqual([true, false, true])
  })

  test('a command on a known stream reads nothing', async () => {
    const store = openLog()
    let reads = 0
    const counted: EventStore = {
      ...store,
      read: (...input) => {
        reads++
        return store.read(...input)
      },
    }
    const execute = executorOn(counted)
    await execute(accounts, deposit(1))
    expect(reads).toBe(1)
    for (let i = 0; i < 5; i++) await execute(accounts, deposit(1))
    expect(reads).toBe(1)
  })
})
