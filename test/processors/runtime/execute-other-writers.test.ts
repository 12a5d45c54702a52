import fc from 'fast-check'
import { isLeft, left } from 'fp-ts/lib/Either.js'
import { describe, expect, test } from 'vitest'
import type { EventStore } from '../../../src/ports/event-store.ts'
import { executor } from '../../../src/processors/runtime/execute.ts'
import { streamStates } from '../../../src/processors/runtime/stream-states.ts'
import { runs } from '../../runs.ts'
import { type AccountCommand, type AccountEvent, accounts } from './account.ts'
import { deposit, executorOn, freeze, kindOf, stream, withdraw } from './commands.ts'
import { streamOf, summaryOf, useFolder } from './log.ts'

const { openLog } = useFolder()

describe('other writers', () => {
  test('a conflict loads again and decides again', async () => {
    const [mine, theirs] = [openLog(), openLog()]
    const execute = executorOn(mine)
    await execute(accounts, deposit(5))
    await executorOn(theirs)(accounts, withdraw(5))
    expect(kindOf(await execute(accounts, withdraw(5)))).toBe('overdrawn')
    expect(summaryOf(await streamOf(mine, stream))).toEqual(['Deposited 5', 'Withdrawn 5'])
  })

  test('no is never said from a stale state', async () => {
    const [mine, theirs] = [openLog(), openLog()]
    const execute = executorOn(mine)
    expect(kindOf(await execute(accounts, withdraw(5)))).toBe('overdrawn')
    await executorOn(theirs)(accounts, deposit(5))
    expect(kindOf(await execute(accounts, withdraw(5)))).toBe('done')
  })

  test('a stream that was deleted meanwhile is seen as it is', async () => {
    const store = openLog()
    const execute = executorOn(store)
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
    const executors = [executorOn(store), executorOn(openLog()), executorOn(openLog())]
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
        const executors = stores.map(executorOn)
        const history: AccountEvent[] = []
        const done = new Set<number>()
        for (const { process: which, restart, type, amount, cause, second } of steps) {
          if (restart) executors[which] = executorOn(stores[which]!)
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
      { numRuns: runs(150) },
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
        const executors = stores.map(executorOn)
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
      { numRuns: runs(60) },
    )
  })
})
