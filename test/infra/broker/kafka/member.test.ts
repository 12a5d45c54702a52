import type { Consumer, EachBatchPayload, TopicOffsets } from 'kafkajs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Binder } from '../../../../infra/broker/kafka/binder.ts'
import {
  HandlerHangs,
  type Member,
  type MemberDependencies,
  startMember,
} from '../../../../infra/broker/kafka/member.ts'
import { createStops } from '../../../../infra/broker/kafka/stops.ts'
import { timingOf } from '../../../../infra/broker/kafka/timing.ts'
import { GroupOfAnotherLog } from '../../../../src/async/errors.ts'
import { systemClock } from '../../../../src/async/system-clock.ts'
import type { BatchHandler } from '../../../../src/ports/broker.ts'
import { endOf, numbers } from '../../../contracts/broker/fixture.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const rebalancing = Object.assign(new Error('rebalancing'), { type: 'REBALANCE_IN_PROGRESS' })

/** A member on a consumer that does what the test says. */
const start = (handler: BatchHandler, binding?: MemberDependencies['binding']) => {
  const listeners = new Map<string, (event: { payload: unknown }) => void>()
  const paused = new Set<number>()
  const resolved: string[] = []
  const sought: string[] = []
  const committed: string[] = []
  let eachBatch: (payload: EachBatchPayload) => Promise<void> = async () => {}
  let commitFails: Error | undefined
  const consumer = {
    events: {
      REBALANCING: 'rebalancing',
      GROUP_JOIN: 'join',
      HEARTBEAT: 'beat',
      CRASH: 'crash',
      END_BATCH_PROCESS: 'end',
    },
    on: (name: string, listener: (event: { payload: unknown }) => void) => listeners.set(name, listener),
    connect: async () => {},
    subscribe: async () => {},
    run: async (config: { eachBatch: typeof eachBatch }) => {
      eachBatch = config.eachBatch
    },
    seek: ({ partition, offset }: { partition: number; offset: string }) =>
      sought.push(`${partition}@${offset}`),
    disconnect: vi.fn(async () => {}),
    commitOffsets: vi.fn(async (_offsets: unknown) => {}),
  }
  const member: Member = startMember({
    consumer: consumer as unknown as Consumer,
    topics: new Map([['full', 't']]),
    partitions: 2,
    batchSize: 10,
    handler,
    timing: timingOf({ hungMillis: 60_000, stopMillis: 5000 }),
    clock: systemClock,
    outage: { away: () => {}, back: () => {} },
    onError: () => {},
    stops: createStops(),
    ...(binding && { binding }),
  })
  return {
    member,
    consumer,
    paused,
    resolved,
    sought,
    committed,
    failCommits: (error: Error | undefined) => {
      commitFails = error
    },
    join: (memberId: string, partitions: readonly number[]) =>
      listeners.get('join')!({ payload: { memberId, memberAssignment: { full: partitions } } }),
    beat: (groupGenerationId: number) => listeners.get('beat')!({ payload: { groupGenerationId } }),
    rebalance: () => listeners.get('rebalancing')!({ payload: {} }),
    /** kafkajs has gone on behind what nobody handles. */
    passed: (partition: number, lastOffset: number, batchSize = 0) =>
      listeners.get('end')!({
        payload: { topic: 'full', partition, batchSize, lastOffset: String(lastOffset) },
      }),
    /** Hands over what was fetched, and resolves when kafkajs would go on. */
    fetched: (partition: number, offsets: readonly number[]) =>
      eachBatch({
        batch: {
          topic: 'full',
          partition,
          messages: offsets.map((offset) => ({
            offset: String(offset),
            key: null,
            value: null,
            timestamp: '0',
          })),
          lastOffset: () => String(offsets.at(-1)),
        },
        resolveOffset: (offset: string) => resolved.push(`${partition}@${offset}`),
        commitOffsetsIfNecessary: async ({ topics }: { topics: TopicOffsets[] }) => {
          if (commitFails) throw commitFails
          for (const { partitions } of topics)
            for (const one of partitions) committed.push(`${one.partition}@${one.offset}`)
        },
        pause: () => {
          paused.add(partition)
          return () => paused.delete(partition)
        },
      } as unknown as EachBatchPayload),
  }
}

const held = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const signals: AbortSignal[] = []
  const handler: BatchHandler = async (batch, signal) => {
    signals.push(signal)
    await promise
    return endOf(batch)
  }
  return { handler, end: resolve, signals }
}

describe('a member whose group belongs to a log', () => {
  const binds = () => {
    const asked: Parameters<Binder['bind']>[] = []
    const answers: PromiseWithResolvers<boolean>[] = []
    const committed: string[] = []
    const binder: Binder = {
      mark: () => ({ log: 'ours' }),
      check: async () => {},
      bind: (...args) => {
        asked.push(args)
        const answer = Promise.withResolvers<boolean>()
        answers.push(answer)
        return answer.promise
      },
      admit: async () => [],
    }
    const commitAs = async (memberId: string, generation: number) => {
      committed.push(`${memberId} in ${generation}`)
    }
    return { binding: { binder, commitAs }, asked, answers, committed }
  }

  it('handles nothing before it is certain, and has not joined before', async () => {
    const { binding, answers } = binds()
    const { handler, signals, end } = held()
    const one = start(handler, binding)
    let joined = false
    void one.member.joined.then(() => {
      joined = true
    })
    await vi.advanceTimersByTimeAsync(0)
    one.join('m', [0])
    const fetched = one.fetched(0, numbers(3))
    await vi.advanceTimersByTimeAsync(1000)
    await fetched
    expect([signals.length, joined]).toEqual([0, false])
    answers[0]!.resolve(true)
    await vi.advanceTimersByTimeAsync(0)
    expect([signals.length, joined]).toEqual([1, true])
    end()
    await vi.advanceTimersByTimeAsync(0)
    expect(one.committed).toEqual(['0@3'])
    await one.member.stop()
  })

  it('commits nothing that it passed before it is certain, nor what another share passed', async () => {
    const { binding, answers } = binds()
    const one = start(held().handler, binding)
    await vi.advanceTimersByTimeAsync(0)
    one.join('m', [0])
    one.passed(0, 6)
    one.join('m', [0])
    for (const answer of answers) answer.resolve(true)
    await vi.advanceTimersByTimeAsync(1000)
    expect(one.consumer.commitOffsets).not.toHaveBeenCalled()
    one.passed(0, 6)
    await vi.advanceTimersByTimeAsync(1000)
    expect(one.consumer.commitOffsets).toHaveBeenCalledTimes(1)
    await one.member.stop()
  })

  it('commits in the generation of its heartbeat alone: none of one that is over', async () => {
    const { binding, asked, committed } = binds()
    const one = start(held().handler, binding)
    await vi.advanceTimersByTimeAsync(0)
    one.join('m', [0])
    const early = asked[0]![1]([])
    one.join('m', [0])
    one.beat(7)
    await early
    expect(committed).toEqual([])
    await asked[1]![1]([])
    expect(committed).toEqual(['m in 7'])
    await one.member.stop()
  })

  it("is broken where the group is another log's, and handles nothing", async () => {
    const { binding, answers } = binds()
    const { handler, signals } = held()
    const one = start(handler, binding)
    await vi.advanceTimersByTimeAsync(0)
    one.join('m', [0])
    const fetched = one.fetched(0, numbers(3))
    const refusal = new GroupOfAnotherLog('another')
    answers[0]!.reject(refusal)
    expect(await one.member.broken).toBe(refusal)
    await vi.advanceTimersByTimeAsync(1000)
    await fetched
    expect(signals).toEqual([])
    await one.member.stop()
  })
})

describe('member', () => {
  it('gives a slow partition back paused, and takes it up again when its handler is through', async () => {
    const { handler, end } = held()
    const one = start(handler)
    await vi.advanceTimersByTimeAsync(0)
    one.join('m', [0])
    const fetched = one.fetched(0, numbers(3))
    await vi.advanceTimersByTimeAsync(1000)
    await fetched
    expect([...one.paused]).toEqual([0])
    end()
    await vi.advanceTimersByTimeAsync(0)
    expect([...one.paused]).toEqual([])
    expect(one.resolved.at(-1)).toBe('0@2')
    expect(one.committed).toEqual(['0@3'])
    await one.member.stop()
  })

  it('does not work on a partition twice at the same time', async () => {
    const { handler, end, signals } = held()
    const one = start(handler)
    await vi.advanceTimersByTimeAsync(0)
    one.join('m', [0])
    const first = one.fetched(0, numbers(3))
    await one.fetched(0, numbers(3))
    expect(signals).toHaveLength(1)
    end()
    await first
    await one.member.stop()
  })

  it('tells handlers of a rebalance at once, so that what they finish is committed before it', async () => {
    const one = start(async (batch, signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return batch.records[0]!.offset + 1n
    })
    await vi.advanceTimersByTimeAsync(0)
    one.join('m', [0])
    const fetched = one.fetched(0, numbers(3))
    one.rebalance()
    await fetched
    expect(one.committed).toEqual(['0@1'])
    await one.member.stop()
  })

  it('commits nothing of a partition that has gone to another', async () => {
    const { handler, end, signals } = held()
    const one = start(handler)
    await vi.advanceTimersByTimeAsync(0)
    one.join('m', [0, 1])
    const fetched = [one.fetched(0, numbers(3)), one.fetched(1, numbers(3))]
    one.join('m', [1])
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
    end()
    await Promise.all(fetched)
    expect(new Set(one.committed)).toEqual(new Set(['1@3']))
    await one.member.stop()
  })

  it('fetches nothing again that it finished but could not commit before it joined again', async () => {
    const one = start(async (batch) => endOf(batch))
    await vi.advanceTimersByTimeAsync(0)
    one.join('m', [0, 1])
    one.failCommits(rebalancing)
    await Promise.all([one.fetched(0, numbers(3)), one.fetched(1, numbers(5))])
    one.join('m', [1])
    expect(one.sought).toEqual(['1@5'])
    one.failCommits(undefined)
    await vi.advanceTimersByTimeAsync(1000)
    expect(one.committed).toEqual(['1@5'])
    await one.member.stop()
  })

  it('commits behind marks of transactions and aborted records, where it was given nothing else', async () => {
    const one = start(async (batch) => endOf(batch))
    await vi.advanceTimersByTimeAsync(0)
    one.join('m', [0, 1])
    one.passed(0, 6)
    one.passed(1, 9, 3)
    await vi.advanceTimersByTimeAsync(1000)
    expect(one.consumer.commitOffsets.mock.calls).toEqual([[[{ topic: 'full', partition: 0, offset: '7' }]]])
    await one.fetched(1, numbers(3))
    one.passed(1, 3)
    await vi.advanceTimersByTimeAsync(1000)
    expect(one.committed).toEqual(['1@3', '1@4'])
    await one.member.stop()
  })

  it('believes nothing of its own once Kafka had forgotten it', async () => {
    const { handler, end, signals } = held()
    const one = start(handler)
    await vi.advanceTimersByTimeAsync(0)
    one.join('m', [0])
    const fetched = one.fetched(0, numbers(3))
    one.join('another', [0])
    expect(signals[0]!.aborted).toBe(true)
    end()
    await fetched
    expect([one.resolved, one.committed, one.sought]).toEqual([[], [], []])
    await one.member.stop()
  })

  it('is broken once a handler call takes too long, whatever other partitions do', async () => {
    const one = start((batch) =>
      batch.partition === 0 ? new Promise(() => {}) : Promise.resolve(endOf(batch)),
    )
    await vi.advanceTimersByTimeAsync(0)
    one.join('m', [0, 1])
    void one.fetched(0, numbers(3))
    let broken: unknown
    void one.member.broken.then((error) => {
      broken = error
    })
    for (const n of numbers(60)) {
      await one.fetched(1, [n])
      await vi.advanceTimersByTimeAsync(1000)
    }
    expect(broken).toBeUndefined()
    await vi.advanceTimersByTimeAsync(2000)
    expect(broken).toBeInstanceOf(HandlerHangs)
    const stopped = one.member.stop()
    await vi.advanceTimersByTimeAsync(5000)
    await stopped
  })

  it('that stops waits for handlers, for so long; what comes later is not committed any more', async () => {
    const { handler, end, signals } = held()
    const one = start(handler)
    await vi.advanceTimersByTimeAsync(0)
    one.join('m', [0])
    void one.fetched(0, numbers(3))
    const stopped = one.member.stop()
    await vi.advanceTimersByTimeAsync(4999)
    expect(signals[0]!.aborted).toBe(true)
    expect(one.consumer.disconnect).not.toHaveBeenCalled()
    // What is fetched meanwhile is not fetched for ever.
    await one.fetched(1, numbers(3))
    expect(one.paused).toContain(1)
    await vi.advanceTimersByTimeAsync(1)
    await stopped
    expect(one.consumer.disconnect).toHaveBeenCalledTimes(1)
    end()
    await vi.advanceTimersByTimeAsync(5000)
    expect([one.resolved, one.committed]).toEqual([[], []])
    expect(vi.getTimerCount()).toBe(0)
  })
})
