import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import { SECOND } from '../../../src/domain/kernel/time.ts'
import type { BatchHandler, BrokerRecord } from '../../../src/ports/broker.ts'
import { messageDeaths } from '../../../src/processors/runtime/message-deaths.ts'
import { turns } from '../../fakes/clock.ts'
import { processesOn } from '../../fakes/processes.ts'
import { ordersTopic } from './account.ts'
import { lettersIn, useFolder } from './log.ts'
import { order, startProcess } from './world.ts'

const { openLog } = useFolder()

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-deaths-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

type Lives = ReturnType<typeof livesOn>

/** Processes, one after the other, that are delivered partitions from where they stand, as a broker does. */
const livesOn = (store: ReturnType<typeof openLog>, { maxDeaths = 3 } = {}) => {
  const processes = processesOn(folder)
  const committed = new Map<number, bigint>()
  const partitionOf = (partition: number, count: number): readonly BrokerRecord[] =>
    Array.from({ length: count }, (_, i) => ({ ...order(i, 'deposit', 'a', 1), partition }))

  return {
    committed,
    /** Offsets as they were handed over, by partition: `0: 0-9`. */
    live: async (
      counts: Readonly<Record<number, number>>,
      kills: (record: BrokerRecord) => boolean,
      {
        slow,
        diesAfter = false,
        isAway = false,
        beside,
      }: { slow?: Promise<void>; diesAfter?: boolean; isAway?: boolean; beside?: string } = {},
    ): Promise<readonly string[]> => {
      const handed: string[] = []
      const { inHand, die } = processes.start(['question'])
      if (beside !== undefined) inHand.take('question', beside)
      const dead = Promise.withResolvers<void>()
      const never = new Promise<never>(() => {})
      const handle: BatchHandler = async ({ partition, records }) => {
        handed.push(`${partition}: ${records[0]!.offset}-${records.at(-1)!.offset}`)
        await turns(1)
        if (isAway) throw new UnavailableError('the log is away')
        if (records.some(kills)) {
          die()
          dead.resolve()
          return never
        }
        await slow
        return records.at(-1)!.offset + 1n
      }
      const { deps } = startProcess(store)
      const counted = messageDeaths({ workInProgress: inHand, maxDeaths }).counted('accounts', deps, handle)
      const signal = new AbortController().signal
      const work = async (partition: number, count: number): Promise<void> => {
        for (;;) {
          const records = partitionOf(partition, count).slice(Number(committed.get(partition) ?? 0n))
          if (records.length === 0) return
          committed.set(partition, await counted({ topic: ordersTopic.name, partition, records }, signal))
        }
      }
      const all = Object.entries(counts).map(([partition, count]) => work(Number(partition), count))
      await Promise.race([dead.promise, Promise.all(all)])
      if (diesAfter) die()
      return handed
    },
  }
}

const killsAt =
  (partition: number, offset: bigint) =>
  (record: BrokerRecord): boolean =>
    record.partition === partition && record.offset === offset

const none = () => false

describe('a message that kills its process', () => {
  test('is singled out among those in hand, set aside after three deaths of its own; the others go on in order', async () => {
    const store = openLog()
    const { live, committed } = livesOn(store)
    const kills = killsAt(0, 2n)
    expect(await live({ 0: 5 }, kills)).toEqual(['0: 0-4'])
    expect(await live({ 0: 5 }, kills)).toEqual(['0: 0-0', '0: 1-1', '0: 2-2'])
    expect(await live({ 0: 5 }, kills)).toEqual(['0: 2-2'])
    expect(await live({ 0: 5 }, kills)).toEqual(['0: 2-2'])
    expect(await lettersIn(store)).toEqual([])
    expect(await live({ 0: 7 }, kills)).toEqual(['0: 3-3', '0: 4-4', '0: 5-6'])
    expect(committed.get(0)).toBe(7n)
    expect(await lettersIn(store)).toMatchObject([
      {
        processor: 'accounts',
        offset: '2',
        reason: 'kills-process',
        message: expect.stringMatching(/^3 processes in a row died while they handled it; .*then retry it$/),
      },
    ])
    expect(readdirSync(folder)).toEqual(['5.hand'])
  })

  test('is found among many in ever smaller parts: the others go on nearly as fast as ever', async () => {
    const store = openLog()
    const { live } = livesOn(store)
    const kills = killsAt(0, 50n)
    expect(await live({ 0: 100 }, kills)).toEqual(['0: 0-99'])
    const parts = await live({ 0: 100 }, kills)
    expect(parts).toEqual(['0: 0-12', '0: 13-25', '0: 26-38', '0: 39-51'])
    expect((await live({ 0: 100 }, kills)).slice(-2)).toEqual(['0: 47-48', '0: 49-50'])
    expect(await live({ 0: 100 }, kills)).toEqual(['0: 49-49', '0: 50-50'])
    await live({ 0: 100 }, kills)
    await live({ 0: 100 }, kills)
    const last = await live({ 0: 100 }, kills)
    expect(last).toEqual(['0: 51-51', '0: 52-64', '0: 65-77', '0: 78-90', '0: 91-99'])
    expect(await lettersIn(store)).toMatchObject([{ offset: '50' }])
  })

  test('that came alone is set aside after as many deaths as the setting says', async () => {
    const store = openLog()
    const { live } = livesOn(store, { maxDeaths: 2 })
    expect(await live({ 0: 1 }, killsAt(0, 0n))).toEqual(['0: 0-0'])
    expect(await live({ 0: 1 }, killsAt(0, 0n))).toEqual(['0: 0-0'])
    expect(await live({ 0: 1 }, killsAt(0, 0n))).toEqual([])
    expect(await lettersIn(store)).toHaveLength(1)
  })

  test('waits in its place while it cannot be kept as a dead letter', async () => {
    const { deps } = startProcess(openLog())
    const away = () => Promise.reject(new UnavailableError('the log is away'))
    const inHand = {
      take: () => () => {},
      leftOf: () => [
        {
          ...{ id: '1', file: '1.hand', what: '0-0', hasOtherKinds: false },
          resolve: () => expect.unreachable('it is not settled'),
          blame: () => expect.unreachable('it is not blamed yet'),
        },
      ],
    }
    const counted = messageDeaths({ workInProgress: inHand, maxDeaths: 1 }).counted(
      'accounts',
      { ...deps, execute: away },
      async () => 1n,
    )
    const batch = { topic: ordersTopic.name, partition: 0, records: [order(0, 'deposit', 'a', 1)] }
    await expect(counted(batch, new AbortController().signal)).rejects.toThrow('the log is away')
  })
})

test('whatever else was in hand at deaths that a message is set aside for counts no more', async () => {
  const { live } = livesOn(openLog())
  const kills = killsAt(0, 0n)
  for (let death = 0; death < 3; death++) await live({ 0: 1 }, kills, { beside: 'polled' })
  await live({ 0: 1 }, kills)
  expect(readdirSync(folder)).toEqual([])
})

describe('a healthy message in the hands of processes that die', () => {
  test('is not set aside for the one that kills beside it, however often both were in hand', async () => {
    const store = openLog()
    const lives = livesOn(store)
    const both = { 0: 1, 1: 1 }
    for (let life = 0; life < 4; life++) await stuckIn(lives, both, killsAt(1, 0n))
    await lives.live(both, killsAt(1, 0n))
    expect(await lettersIn(store)).toMatchObject([{ partition: 1, offset: '0' }])
    expect([...lives.committed.values()]).toEqual([1n, 1n])
  })

  test('begins anew once it was handled, and where a process ended in order nothing was left', async () => {
    const store = openLog()
    const { live, committed } = livesOn(store)
    await live({ 0: 1 }, killsAt(0, 0n))
    await live({ 0: 1 }, killsAt(0, 0n))
    await live({ 0: 1 }, none)
    // Its offset was not stored: it is delivered again.
    committed.set(0, 0n)
    await live({ 0: 1 }, killsAt(0, 0n))
    await live({ 0: 1 }, killsAt(0, 0n))
    expect(await live({ 0: 1 }, none)).toEqual(['0: 0-0'])
    expect(await lettersIn(store)).toEqual([])
  })

  test('begins anew once an attempt failed, as while the log is away: its process lived through it', async () => {
    const store = openLog()
    const { live, committed } = livesOn(store)
    await live({ 0: 1 }, killsAt(0, 0n))
    await live({ 0: 1 }, killsAt(0, 0n))
    await expect(live({ 0: 1 }, none, { isAway: true })).rejects.toThrow('the log is away')
    await live({ 0: 1 }, killsAt(0, 0n))
    expect(await live({ 0: 1 }, none)).toEqual(['0: 0-0'])
    expect(committed.get(0)).toBe(1n)
    expect(await lettersIn(store)).toEqual([])
  })

  test('is no suspect where it was done before the process died, though its offset was not stored', async () => {
    const { live, committed } = livesOn(openLog())
    await live({ 0: 5 }, none, { diesAfter: true })
    committed.set(0, 0n)
    expect(await live({ 0: 5 }, none)).toEqual(['0: 0-4'])
  })

  test('of another log, processor, topic or partition is no suspect', async () => {
    const store = openLog()
    const { live } = livesOn(store)
    await live({ 0: 3 }, killsAt(0, 1n))
    expect(await live({ 1: 3 }, none)).toEqual(['1: 0-2'])
  })
})

test('a process that lives on takes up what another one on its home died of', async () => {
  const processes = processesOn(folder)
  const [one, two] = [processes.start(), processes.start()]
  const { deps } = startProcess(openLog())
  const batch = {
    topic: ordersTopic.name,
    partition: 0,
    records: [0, 1].map((n) => order(n, 'deposit', 'a')),
  }
  const handed: number[] = []
  const handle: BatchHandler = async ({ records }) => {
    handed.push(records.length)
    return records.at(-1)!.offset + 1n
  }
  const counted = messageDeaths({ workInProgress: two.inHand, maxDeaths: 3 }).counted(
    'accounts',
    deps,
    handle,
  )
  const before = new AbortController()
  await counted(batch, before.signal)
  await deps.clock.advance(SECOND)
  void messageDeaths({ workInProgress: one.inHand, maxDeaths: 3 }).counted(
    'accounts',
    deps,
    () => new Promise(() => {}),
  )(batch, new AbortController().signal)
  one.die()
  await counted(batch, new AbortController().signal)
  expect(handed).toEqual([2, 1])
})

test('while nothing was left its folder is looked at once a second at most, however many parts an assignment has', async () => {
  const { deps } = startProcess(openLog())
  let looks = 0
  const leftOf = () => {
    looks++
    return []
  }
  const inHand = { take: () => () => {}, leftOf }
  const counted = messageDeaths({ workInProgress: inHand, maxDeaths: 3 }).counted(
    'accounts',
    deps,
    async () => 1n,
  )
  const handPart = () =>
    counted(
      { topic: ordersTopic.name, partition: 0, records: [order(0, 'deposit', 'a')] },
      new AbortController().signal,
    )
  for (let part = 0; part < 10; part++) await handPart()
  expect(looks).toBe(1)
  await deps.clock.advance(SECOND)
  for (let part = 0; part < 10; part++) await handPart()
  expect(looks).toBe(2)
})

/** One partition's message is slow, so that it is in hand whenever another one kills. */
const stuckIn = (
  lives: Lives,
  counts: Readonly<Record<number, number>>,
  kills: (one: BrokerRecord) => boolean,
) => lives.live(counts, kills, { slow: turns(50) })
