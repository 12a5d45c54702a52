import fc from 'fast-check'
import { isRight, left, right } from 'fp-ts/lib/Either.js'
import { describe, expect, test } from 'vitest'
import type { EventStore } from '#src/ports/event-store.ts'
import type { CommandEnvelope } from '#src/processors/runtime/decide-command.ts'
import type { Planned } from '#src/processors/runtime/decide-run.ts'
import { batchExecutor } from '#src/processors/runtime/execute.ts'
import { streamStates } from '#src/processors/runtime/stream-states.ts'
import { event } from '../../contracts/new-event.ts'
import { runs } from '../../runs.ts'
import { type AccountCommand, accounts } from './account.ts'
import { deposit, envelope, executorOn, kindOf, noPause, withdraw } from './commands.ts'
import { eventsOf, streamOf, summaryOf, useFolder } from './log.ts'
import { type Ordered, records, startOnServer, startProcess } from './world.ts'

const { openLog } = useFolder()

const plan = (one: CommandEnvelope<AccountCommand>): Planned =>
  ({ decider: accounts, envelope: one }) as unknown as Planned

/** How many appends each call held. */
const counting = (store: EventStore) => {
  const calls: number[] = []
  const states = streamStates(store)
  const execute = batchExecutor(
    {
      append: store.append,
      appendEach: (appends) => {
        calls.push(appends.length)
        return store.appendEach!(appends)
      },
    },
    states,
    noPause,
  )
  return {
    calls,
    states,
    together: async (...commands: readonly CommandEnvelope<AccountCommand>[]) =>
      (await execute(commands.map(plan))).map((outcome) => outcome && kindOf(outcome)),
  }
}

const notingReads = (store: EventStore) => {
  const reads: string[] = []
  const noting: EventStore = {
    ...store,
    read: (stream, from, ...rest) => {
      reads.push(`${stream} ${from}`)
      return store.read(stream, from, ...rest)
    },
    readEach: (places, limit) => {
      reads.push(...places.map(({ stream, from }) => `${stream} ${from}`))
      return store.readEach!(places, limit)
    },
  }
  return { reads, noting }
}

const on = (account: string) => ({ stream: `account-${account}` })

describe('commands of many streams', () => {
  test('take one call, and of each stream one append: order is kept', async () => {
    const store = openLog()
    const { together, calls } = counting(store)
    const results = await together(
      deposit(5, on('a')),
      deposit(1, on('b')),
      withdraw(2, on('a')),
      deposit(0, on('a')),
      withdraw(3, on('a')),
    )
    expect(results).toEqual(['done', 'done', 'done', 'unchanged', 'done'])
    expect(calls).toEqual([2])
    const a = await streamOf(store, 'account-a')
    expect(summaryOf(a)).toEqual(['Deposited 5', 'Withdrawn 2', 'Withdrawn 3'])
    expect(a.map(({ revision }) => revision)).toEqual([0n, 1n, 2n])
  })

  test('go on from what they left, without reading', async () => {
    const store = openLog()
    const { reads, noting } = notingReads(store)
    const { together } = counting(noting)
    await together(deposit(5, on('a')))
    expect(reads).toHaveLength(1)
    expect(await together(withdraw(3, on('a')), withdraw(2, on('a')))).toEqual(['done', 'done'])
    expect(reads).toHaveLength(1)
    expect(summaryOf(await streamOf(store, 'account-a'))).toEqual([
      'Deposited 5',
      'Withdrawn 3',
      'Withdrawn 2',
    ])
  })

  test('that lead to nothing take no call', async () => {
    const { together, calls } = counting(openLog())
    expect(await together(deposit(0, on('a')))).toEqual(['unchanged'])
    expect(calls).toEqual([])
  })
})

describe('the same cause', () => {
  test('twice among them has one effect, and none later', async () => {
    const store = openLog()
    const { together } = counting(store)
    const twice = deposit(5, { ...on('a'), causationId: 'c' })
    expect(await together(twice, deposit(1, on('a')), twice)).toEqual(['done', 'done', 'repeated'])
    expect(await together(twice)).toEqual(['repeated'])
    expect(kindOf(await executorOn(store)(accounts, twice))).toBe('repeated')
    expect(await eventsOf(store)).toHaveLength(2)
  })
})

describe('what is no plain case', () => {
  test.each([
    ['a rejection', withdraw(9, on('a')), 'overdrawn'],
    ['a bug', envelope({ type: 'Break' }, on('a')), 'Thrown'],
    ['what could not be read back', envelope({ type: 'Babble' }, on('a')), 'Thrown'],
  ])('behind %s all of its stream is left', async (_, over, outcome) => {
    const store = openLog()
    const { together } = counting(store)
    const results = await together(deposit(5, on('a')), over, deposit(1, on('a')), deposit(1, on('b')))
    expect(results).toEqual(['done', outcome, undefined, 'done'])
    expect(await eventsOf(store)).toHaveLength(2)
  })

  test('after a conflict its stream is read, and they are decided again', async () => {
    const store = openLog()
    const { together } = counting(store)
    const others = executorOn(store)
    await together(deposit(5, on('a')), deposit(5, on('b')))
    await others(accounts, withdraw(5, on('a')))
    const again = [deposit(1, on('a')), withdraw(2, on('a')), deposit(1, on('b'))]
    expect(await together(...again)).toEqual(['done', 'overdrawn', 'done'])
    expect(summaryOf(await streamOf(store, 'account-a'))).toEqual([
      'Deposited 5',
      'Withdrawn 5',
      'Deposited 1',
    ])
    expect(kindOf(await others(accounts, again[1]!))).toBe('overdrawn')
  })

  test('a conflict that comes again leaves its stream as if nothing had been tried', async () => {
    const store = openLog()
    const { together, calls } = counting({
      ...store,
      appendEach: (appends) => async () =>
        right(appends.map(({ stream }) => left({ kind: 'Conflict', stream, actual: 3n }))),
    })
    expect(await together(deposit(1, on('a')), deposit(1, on('a')), deposit(1, on('b')))).toEqual([
      undefined,
      undefined,
      'Contended',
    ])
    expect(calls).toEqual(Array(20).fill(2))
    expect(await eventsOf(store)).toEqual([])
  })

  test('that nothing is to be done is not believed of a state that may be stale: the stream is read', async () => {
    const store = openLog()
    const { reads, noting } = notingReads(store)
    const { together } = counting(noting)
    await together(deposit(5, on('a')))
    expect(await together(deposit(0, on('a')), deposit(1, on('b')))).toEqual(['unchanged', 'done'])
    expect(reads).toEqual(['account-a start', 'account-b start', 'account-a 0'])
  })

  test('a log that is away, or cannot be read, leaves everything', async () => {
    const store = openLog()
    await store.append('account-b', 'none', [event('Embezzled')])()
    const { together } = counting({
      ...store,
      appendEach: () => async () => ({ _tag: 'Left', left: { kind: 'Unavailable', reason: 'away' } }),
    })
    expect(await together(deposit(5, on('a')), deposit(5, on('b')))).toEqual(['Unavailable', 'Thrown'])
    expect(await eventsOf(store)).toHaveLength(1)
  })

  test('of a log that takes one append at a time, one that throws fails alone', async () => {
    const store = openLog()
    const append: EventStore['append'] = (stream, ...rest) => {
      if (stream === 'account-b') throw new Error('a bug')
      return store.append(stream, ...rest)
    }
    const execute = batchExecutor({ append }, streamStates(store), noPause)
    const outcomes = await execute([deposit(5, on('a')), deposit(5, on('b'))].map(plan))
    expect(outcomes.map((outcome) => outcome && kindOf(outcome))).toEqual(['done', 'Thrown'])
    expect(await eventsOf(store)).toHaveLength(1)
  })

  test('an append that is too large fails alone', async () => {
    const store = openLog({ maxAppendSize: 1000 })
    const { together } = counting(store)
    const many = Array.from({ length: 20 }, () => deposit(1, on('a')))
    const results = await together(...many, deposit(1, on('b')))
    expect(results).toEqual([...many.map(() => undefined), 'done'])
    expect(kindOf(await executorOn(store)(accounts, many[0]!))).toBe('done')
  })

  test('an id that the stream has already is found, and the others are written', async () => {
    const store = openLog()
    const one = deposit(5, on('a'))
    await executorOn(store)(accounts, one)
    const [first] = await streamOf(store, 'account-a')
    const answer = await store.appendEach!([
      { stream: 'account-a', expected: 0n, events: [first!] },
      { stream: 'account-b', expected: 'none', events: [event()] },
    ])()
    expect(isRight(answer) && answer.right.map(isRight)).toEqual([true, true])
    expect(await eventsOf(store)).toHaveLength(2)
  })
})

test('whatever comes, the log says the same as where each stream has its own calls', async () => {
  const type = fc.constantFrom('deposit', 'withdraw', 'freeze', 'break')
  const ordered = fc.tuple(type, fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 0, max: 3 }))
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(ordered, { maxLength: 12 }), { maxLength: 4 }), async (batches) => {
      run++
      const [one, other] = [openLog({}, `${run}-together.db`), openLog({}, `${run}-alone.db`)]
      const [together, alone] = [startProcess(one), startOnServer(other)]
      let offset = 0
      for (const batch of batches) {
        const some = records(batch as Ordered[], offset)
        expect(await together.deliver(some)).toBe(await alone.deliver(some))
        offset += batch.length
      }
      expect(together.telemetry.counted('messages', 'outcome')).toEqual(
        alone.telemetry.counted('messages', 'outcome'),
      )
      expect(await parseContent(one)).toEqual(await parseContent(other))
      await Promise.all([one.close(), other.close()])
    }),
    { numRuns: runs(60) },
  )
})

/** All but places and times of the log, stream by stream. */
const parseContent = async (store: EventStore) =>
  (await eventsOf(store))
    .map(({ position: _, recordedAt: __, ...said }) => said)
    .sort((one, other) =>
      one.stream === other.stream
        ? Number(one.revision - other.revision)
        : one.stream < other.stream
          ? -1
          : 1,
    )

test('a rejection is kept before anything behind it has its effect, however far behind', async () => {
  const store = openLog()
  const others = Array.from({ length: 1200 }, (_, n): Ordered => ['deposit', `n${n}`, 1])
  const batch = records([['withdraw', 'a', 5], ['deposit', 'a', 1], ...others, ['deposit', 'a', 2]])
  const { deliver, telemetry } = startProcess(store)
  expect(await deliver(batch)).toBe(1203n)
  expect(telemetry.counted('messages', 'outcome')).toEqual({ rejected: 1, done: 1202 })
  const ofAccount = (await eventsOf(store)).filter(
    ({ stream }) => stream === 'account-a' || stream.startsWith('refusal-'),
  )
  expect(summaryOf(ofAccount)).toEqual(['MessageRejected', 'Deposited 1', 'Deposited 2'])
})
