import fc from 'fast-check'
import { isLeft, isRight, left, right } from 'fp-ts/lib/Either.js'
import { describe, expect, test } from 'vitest'
import type { Decider } from '../../../src/domain/kernel/decider.ts'
import type { Origin } from '../../../src/domain/kernel/event.ts'
import type { Rejection } from '../../../src/domain/kernel/rejection.ts'
import type { EventStore } from '../../../src/ports/event-store.ts'
import { type CommandEnvelope, type Execute, executor } from '../../../src/processors/runtime/execute.ts'
import { streamStates, UnreadableStream } from '../../../src/processors/runtime/stream-states.ts'
import { event } from '../../contracts/new-event.ts'
import { type Account, type AccountCommand, type AccountEvent, accounts } from './account.ts'
import { eventsOf, streamOf, summaryOf, useFolder } from './log.ts'

const { openLog } = useFolder()
const stream = 'account-1'
const at = '2026-01-01T00:00:00.000Z'
const noPause = async () => {}

type Where = Omit<CommandEnvelope, 'command'>

let causes = 0
const envelope = (
  command: Partial<AccountCommand> & { type: AccountCommand['type'] },
  more: Partial<Where> = {},
): CommandEnvelope<AccountCommand> => ({
  stream,
  command: { actor: 'tester', at, ...command } as AccountCommand,
  causationId: `cause-${++causes}`,
  correlationId: 'conversation',
  ...more,
})
const deposit = (amount: number, more: Partial<Where> = {}) => envelope({ type: 'Deposit', amount }, more)
const withdraw = (amount: number, more: Partial<Where> = {}) => envelope({ type: 'Withdraw', amount }, more)
const freeze = (more: Partial<Where> = {}) => envelope({ type: 'Freeze' }, more)

const process = (store: EventStore): Execute => executor(store, streamStates(store), noPause)
/** What it came to, in a word. */
const kindOf = (outcome: Awaited<ReturnType<Execute>>): string =>
  isLeft(outcome)
    ? outcome.left.kind
    : outcome.right.kind === 'rejected'
      ? outcome.right.rejection.code
      : outcome.right.kind
const origin = (offset: number, log = 'log-1'): Origin => ({
  log,
  topic: 'orders',
  partition: 0,
  offset: String(offset),
})

describe('deciding', () => {
  test('what a decision tells beside its events comes with the outcome', async () => {
    const decide = () =>
      right({ events: [{ type: 'Deposited' as const, data: { amount: 5, at } }], result: 'new' })
    const telling: Decider<Account, AccountCommand, AccountEvent, Rejection, string> = { ...accounts, decide }
    const store = openLog()
    expect(await process(store)(telling, deposit(5))).toMatchObject({
      right: { kind: 'done', result: 'new' },
    })
    expect(await process(store)(accounts, deposit(5))).not.toHaveProperty('right.result')
  })

  test('events are appended with who, why and where from', async () => {
    const store = openLog()
    const outcome = await process(store)(
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
    const outcome = await process(store)(accounts, withdraw(1))
    expect(outcome).toEqual(
      right({ kind: 'rejected', rejection: { code: 'overdrawn', message: 'it holds 0; ask for less' } }),
    )
    expect(await eventsOf(store)).toEqual([])
  })

  test('a command that asks for what is true already is unchanged', async () => {
    const store = openLog()
    const execute = process(store)
    await execute(accounts, freeze())
    const [frozen] = await eventsOf(store)
    expect(await execute(accounts, freeze())).toEqual(
      right({ kind: 'unchanged', position: frozen!.position }),
    )
    expect(await eventsOf(store)).toHaveLength(1)
  })

  test('a throwing decider throws, and the next command is not the worse for it', async () => {
    const execute = process(openLog())
    await expect(execute(accounts, envelope({ type: 'Break' }))).rejects.toThrow('the decider is broken')
    expect(kindOf(await execute(accounts, deposit(1)))).toBe('done')
  })

  test('what could not be read back is not written', async () => {
    const store = openLog()
    const execute = process(store)
    await expect(execute(accounts, envelope({ type: 'Babble' }))).rejects.toThrow(
      /Babble decided what could not be read back.*amount/,
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
    await expect(process(store)(broken, deposit(1))).rejects.toThrow('cannot fold')
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

describe('the same cause twice has one effect', () => {
  const twice = async (first: Execute, second: Execute) => [
    kindOf(await first(accounts, deposit(5, { causationId: 'c' }))),
    kindOf(await second(accounts, deposit(5, { causationId: 'c' }))),
  ]

  test('in one process', async () => {
    const store = openLog()
    const execute = process(store)
    expect(await twice(execute, execute)).toEqual(['done', 'repeated'])
    expect(await eventsOf(store)).toHaveLength(1)
  })

  test('after a restart', async () => {
    const store = openLog()
    expect(await twice(process(store), process(store))).toEqual(['done', 'repeated'])
    expect(await eventsOf(store)).toHaveLength(1)
  })

  test('however much the stream has grown since', async () => {
    const store = openLog()
    const execute = process(store)
    await execute(accounts, deposit(5, { causationId: 'c' }))
    await store.append(
      stream,
      0n,
      Array.from({ length: 2500 }, () => event('Frozen', {})),
    )()
    expect(kindOf(await process(store)(accounts, deposit(5, { causationId: 'c' })))).toBe('repeated')
  })

  test('from a process whose state is older, at another time', async () => {
    const [mine, theirs] = [openLog(), openLog()]
    const states = streamStates(mine)
    const execute = executor(mine, states, noPause)
    await execute(accounts, deposit(1))
    await process(theirs)(accounts, deposit(5, { causationId: 'c' }))
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
    const execute = process(store)
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
    const execute = process(forgetful)
    expect(await twice(execute, execute)).toEqual(['Unavailable', 'repeated'])
    expect(await eventsOf(store)).toHaveLength(1)
  })
})

describe('event ids', () => {
  const idOf = async (name: string, causationId: string, amount: number) => {
    const store = openLog()
    await process(store)(accounts, deposit(amount, { stream: name, causationId }))
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

describe('redelivery behind later messages of the partition', () => {
  test('a message that changed nothing is not decided again', async () => {
    const store = openLog()
    const execute = process(store)
    expect(kindOf(await execute(accounts, withdraw(5, { origin: origin(1) })))).toBe('overdrawn')
    expect(kindOf(await execute(accounts, deposit(0, { origin: origin(2) })))).toBe('unchanged')
    expect(kindOf(await execute(accounts, deposit(9, { origin: origin(3) })))).toBe('done')
    for (const again of [execute, process(store)]) {
      expect(kindOf(await again(accounts, withdraw(5, { origin: origin(1) })))).toBe('repeated')
      expect(kindOf(await again(accounts, freeze({ origin: origin(2) })))).toBe('repeated')
    }
    expect(summaryOf(await streamOf(store, stream))).toEqual(['Deposited 9'])
  })

  test('offsets count per log, topic and partition', async () => {
    const execute = process(openLog())
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
    const execute = process(openLog())
    await execute(accounts, deposit(9, { origin: origin(9) }))
    expect(kindOf(await execute(accounts, deposit(1, { origin: origin(10) })))).toBe('done')
    expect(kindOf(await execute(accounts, deposit(1, { origin: origin(9) })))).toBe('repeated')
  })

  test('a command without an origin is judged by its cause alone', async () => {
    const execute = process(openLog())
    await execute(accounts, deposit(9, { origin: origin(100) }))
    expect(kindOf(await execute(accounts, deposit(1)))).toBe('done')
  })
})

describe('other writers', () => {
  test('a conflict loads again and decides again', async () => {
    const [mine, theirs] = [openLog(), openLog()]
    const execute = process(mine)
    await execute(accounts, deposit(5))
    await process(theirs)(accounts, withdraw(5))
    expect(kindOf(await execute(accounts, withdraw(5)))).toBe('overdrawn')
    expect(summaryOf(await streamOf(mine, stream))).toEqual(['Deposited 5', 'Withdrawn 5'])
  })

  test('no is never said from a stale state', async () => {
    const [mine, theirs] = [openLog(), openLog()]
    const execute = process(mine)
    expect(kindOf(await execute(accounts, withdraw(5)))).toBe('overdrawn')
    await process(theirs)(accounts, deposit(5))
    expect(kindOf(await execute(accounts, withdraw(5)))).toBe('done')
  })

  test('a stream that was deleted meanwhile is seen as it is', async () => {
    const store = openLog()
    const execute = process(store)
    await execute(accounts, freeze())
    await store.deleteStream(stream, 'any', 'soft')()
    expect(kindOf(await execute(accounts, freeze()))).toBe('done')
  })

  test('someone who is faster every time: Contended after bounded tries, with pauses between', async () => {
    const store = openLog()
    let conflicts = 0
    const pauses: number[] = []
    const contended: EventStore = {
      ...store,
      append: (name) => async () => {
        conflicts++
        return left({ kind: 'Conflict', stream: name, actual: 99n })
      },
    }
    const execute = executor(contended, streamStates(contended), async (tries) => void pauses.push(tries))
    expect(await execute(accounts, deposit(1))).toEqual(left({ kind: 'Contended', stream, tries: 20 }))
    expect(conflicts).toBe(20)
    expect(pauses).toEqual(Array.from({ length: 18 }, (_, i) => i + 3))
  })

  test('twenty writers at once all get through, once each', async () => {
    const store = openLog()
    const executors = [process(store), process(openLog()), process(openLog())]
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, i) => executors[i % 3]!(accounts, deposit(1, { causationId: `w${i}` }))),
    )
    expect(outcomes.map(kindOf)).toEqual(Array(20).fill('done'))
    expect(new Set((await streamOf(store, stream)).map(({ metadata }) => metadata.causationId)).size).toBe(20)
    expect(await streamOf(store, stream)).toHaveLength(20)
  })

  test('whatever two processes do in turn, it comes to what one with no cache would do', async () => {
    const stores = [openLog(), openLog()]
    let run = 0
    const step = fc.record({
      process: fc.integer({ min: 0, max: 1 }),
      restart: fc.boolean(),
      type: fc.constantFrom('Deposit', 'Withdraw', 'Freeze'),
      amount: fc.integer({ min: 0, max: 3 }),
      cause: fc.integer({ min: 0, max: 6 }),
      second: fc.integer({ min: 10, max: 59 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        const name = `account-turns-${++run}`
        const executors = stores.map(process)
        const history: AccountEvent[] = []
        const done = new Set<number>()
        for (const { process: which, restart, type, amount, cause, second } of steps) {
          if (restart) executors[which] = process(stores[which]!)
          const command = {
            type,
            amount,
            actor: 'tester',
            at: `2026-01-01T00:00:${second}.000Z`,
          } as AccountCommand
          const outcome = kindOf(
            await executors[which]!(accounts, {
              stream: name,
              command,
              causationId: `c${cause}`,
              correlationId: 'x',
            }),
          )
          const decided = accounts.decide(command, history.reduce(accounts.evolve, accounts.initial))
          // A repeat of the very same events is "done" once more to whoever had not seen them.
          if (done.has(cause)) expect(outcome).toBeOneOf(['repeated', 'done'])
          else if (isLeft(decided)) expect(outcome).toBe(decided.left.code)
          else if (decided.right.length === 0) expect(outcome).toBe('unchanged')
          else {
            expect(outcome).toBe('done')
            history.push(...decided.right)
            done.add(cause)
          }
        }
        const written = (await stores[0]!.read(name, 'start', 'forward', 100)()) as {
          right: readonly AccountEvent[]
        }
        expect(written.right.map(({ type, data }) => ({ type, data }))).toEqual(history)
      }),
      { numRuns: 150 },
    )
  })

  test('whatever two processes do at once, nothing is lost, doubled or decided on a false state', async () => {
    const stores = [openLog(), openLog()]
    let run = 0
    const order = fc.record({
      process: fc.integer({ min: 0, max: 1 }),
      type: fc.constantFrom('Deposit' as const, 'Withdraw' as const),
      amount: fc.integer({ min: 1, max: 3 }),
      cause: fc.integer({ min: 0, max: 8 }),
      second: fc.integer({ min: 10, max: 59 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(order, { maxLength: 5 }), { maxLength: 5 }), async (rounds) => {
        const name = `account-once-${++run}`
        const executors = stores.map(process)
        const accepted = new Set<string>()
        for (const round of rounds)
          await Promise.all(
            round.map(async ({ process: which, type, amount, cause, second }) => {
              const causationId = `${type}${cause}`
              const command = { type, amount, actor: 'tester', at: `2026-01-01T00:00:${second}.000Z` }
              const outcome = kindOf(
                await executors[which]!(accounts, { stream: name, command, causationId, correlationId: 'x' }),
              )
              expect(outcome).toBeOneOf(['done', 'repeated', 'overdrawn'])
              if (outcome === 'done' || outcome === 'repeated') accepted.add(causationId)
              if (type === 'Deposit') expect(outcome).not.toBe('overdrawn')
            }),
          )
        const written = await streamOf(stores[0]!, name)
        const effects = written.map(({ metadata }) => metadata.causationId)
        expect(new Set(effects)).toEqual(accepted)
        expect(effects).toHaveLength(accepted.size)
        let balance = 0
        for (const { type, data } of written) {
          const { amount } = data as { amount: number }
          balance += type === 'Deposited' ? amount : -amount
          expect(balance).toBeGreaterThanOrEqual(0)
        }
      }),
      { numRuns: 60 },
    )
  })
})

describe('failures of the store', () => {
  test('TooLarge and StreamDeleted pass through', async () => {
    const store = openLog({ maxAppendSize: 10 })
    expect(kindOf(await process(store)(accounts, deposit(1)))).toBe('TooLarge')
    await store.deleteStream(stream, 'any', 'tombstone')()
    expect(await process(store)(accounts, deposit(1))).toEqual(left({ kind: 'StreamDeleted', stream }))
  })

  test('StreamDeleted passes through where the stream was known', async () => {
    const store = openLog()
    const execute = process(store)
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
    const execute = process(shaky)
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
    const execute = process(store)
    await expect(execute(accounts, deposit(1))).rejects.toThrow(UnreadableStream)
    await expect(execute(accounts, deposit(1))).rejects.toThrow(message)
    expect(await eventsOf(store)).toHaveLength(1)
  })
})

describe('cached states', () => {
  test('those used least lately are dropped', async () => {
    const store = openLog()
    const states = streamStates(store, 2)
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
    const execute = process(counted)
    await execute(accounts, deposit(1))
    expect(reads).toBe(1)
    for (let i = 0; i < 5; i++) await execute(accounts, deposit(1))
    expect(reads).toBe(1)
  })
})
