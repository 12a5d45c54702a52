import { left } from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FixityTask, isBatch } from '#src/domain/fixity/check-task.ts'
import { itemStream } from '#src/domain/fixity/item.ts'
import { addMillis } from '#src/domain/kernel/time.ts'
import type { Claimed, TaskQueue } from '#src/ports/task-queue.ts'
import { checkQueues } from '#src/processors/fixity/check-queues.ts'
import { content, type FixityWorld, fixityWorld, record, seen, sha } from './world.ts'

let world: FixityWorld
let reported: [string, string][]
beforeEach(() => {
  world = fixityWorld()
  reported = []
})

type ClaimDependencies = Parameters<typeof checkQueues>[0]
const queues = (more: Partial<ClaimDependencies> = {}) => {
  const [high, low] = checkQueues({
    ...world,
    worker: 'w',
    stores: async () => ['main'],
    isReportable: async () => true,
    viewsReach: () => world.fold(),
    timeoutMillis: 60_000,
    reportFailure: async (task, reason) => void reported.push([pathsOf(task).join(' '), reason]),
    ...more,
  }) as [TaskQueue<FixityTask>, TaskQueue<FixityTask>]
  return { high, low }
}
const pathsOf = (task: FixityTask): readonly string[] =>
  isBatch(task) ? task.files.map(({ path }) => path) : [task.item.path]
const paths = (claims: readonly Claimed<FixityTask>[]) => claims.flatMap(({ task }) => pathsOf(task))
/** Items that an outside index knows are checked each by itself. */
const recordOne = async (path: string, store = 'main') => {
  await world.on(content(path, store), record())
  await world.on(content(path, store), { type: 'RecordIndex', checksums: [sha('a')] } as never)
}
const recordAll = async (...all: readonly string[]) => {
  for (const path of all) {
    await recordOne(path)
    await world.clock.advance(1000)
  }
  await world.fold()
}

describe('taking', () => {
  it('gives the oldest first, and no more than asked for', async () => {
    await recordAll('c', 'a', 'b')
    expect(paths(await queues().low.take(2))).toEqual(['c', 'a'])
  })

  it('goes by age across stores', async () => {
    for (const [path, store] of [
      ['1', 'two'],
      ['2', 'main'],
      ['3', 'two'],
      ['4', 'main'],
    ] as const) {
      await recordOne(path, store)
      await world.clock.advance(1000)
    }
    await world.fold()
    const { low } = queues({ stores: async () => ['main', 'two'] })
    expect(paths(await low.take(3))).toEqual(['1', '2', '3'])
  })

  it('leaves stores that this worker cannot open to others', async () => {
    await recordOne('a', 'elsewhere')
    await recordAll('b')
    expect(paths(await queues().low.take(9))).toEqual(['b'])
  })

  it('keeps the two queues apart', async () => {
    await recordAll('a', 'b')
    await world.on(content('b'), { type: 'RequestCheck', queue: 'high', reason: 'asked' } as never)
    await world.fold()
    const { high, low } = queues()
    expect([high.name, low.name]).toEqual(['high', 'low'])
    expect(paths(await high.take(9))).toEqual(['b'])
    expect(paths(await low.take(9))).toEqual(['a'])
  })

  it('says which digests are wanted: those of the record and of the index', async () => {
    await recordOne('a')
    const md5 = { algorithm: 'md5', value: 'b'.repeat(32) }
    await world.on(content('a'), { type: 'RecordIndex', checksums: [md5] } as never)
    await world.fold()
    const [claimed] = await queues().low.take(1)
    expect(claimed?.task).toEqual({ item: content('a'), fence: 1, checksums: [sha('a'), md5] })
  })

  it('of two workers that see the same view never gives both the same item', async () => {
    const all = Array.from({ length: 20 }, (_, i) => `${i}`)
    await recordAll(...all)
    const [one, other] = [queues().low, queues({ worker: 'x' }).low]
    const taken = await Promise.all([one.take(20), other.take(20), one.take(20)])
    expect(taken.flatMap(paths).toSorted()).toEqual(all.toSorted())
  })

  it('gives nothing where the view still shows what is due no more', async () => {
    await recordAll('a')
    await world.on(content('a'), seen(world.clock) as never)
    expect(await queues().low.take(9)).toEqual([])
    expect(await world.typesOf(content('a'))).toEqual(['ContentRecorded', 'IndexRecorded', 'FixityDecided'])
  })

  it('keeps what was granted when another claim could not be made', async () => {
    await recordAll('a', 'b', 'c')
    const execute: ClaimDependencies['execute'] = async (decider, envelope) =>
      envelope.stream === itemStream(content('b'))
        ? left({ kind: 'Unavailable', reason: 'locked' })
        : world.execute(decider, envelope)
    const { low } = queues({ execute })
    expect(paths(await low.take(9))).toEqual(['a', 'c'])
    await world.fold()
    await expect(low.take(9)).rejects.toThrow('locked')
  })
})

describe('the next due time', () => {
  it('is of what is not due yet', async () => {
    await recordAll('a')
    const { low } = queues()
    expect(await low.nextDue()).toBeUndefined()
    expect(await low.nextDue(addMillis(world.clock.now(), -60_000))).toBe(world.row(content('a'))?.due)
    await world.on(content('a'), seen(world.clock) as never)
    await world.fold()
    expect(await low.nextDue()).toBe(world.row(content('a'))?.due)
  })

  it('is the deadline of a claim that somebody holds', async () => {
    await recordAll('a')
    const { low } = queues()
    const [claimed] = await low.take(1)
    await world.fold()
    expect(await low.nextDue()).toBe(claimed?.deadline)
  })
})

describe('a claim', () => {
  const claimOne = async () => {
    await recordAll('a')
    const [claimed] = await queues().low.take(1)
    return claimed!
  }

  it('is extended while it is held', async () => {
    const claimed = await claimOne()
    await world.clock.advance(30_000)
    expect(await claimed.extend()).toBe(new Date(Date.parse(world.clock.now()) + 60_000).toISOString())
    expect(await world.typesOf(content('a'))).toEqual([
      'ContentRecorded',
      'IndexRecorded',
      'CheckClaimed',
      'ClaimExtended',
    ])
  })

  it('cannot be extended once somebody else has it', async () => {
    const claimed = await claimOne()
    await world.clock.advance(60_000)
    await world.fold()
    expect(paths(await queues({ worker: 'x' }).low.take(1))).toEqual(['a'])
    expect(await claimed.extend()).toBeUndefined()
  })

  it('throws when it cannot be asked for more time', async () => {
    const claimed = await claimOne()
    world.eventStore.goAway()
    await expect(claimed.extend()).rejects.toThrow('ExtendClaim')
  })

  it('is given back for somebody else at once', async () => {
    const claimed = await claimOne()
    await claimed.release('stopping')
    await world.fold()
    expect(paths(await queues({ worker: 'x' }).low.take(1))).toEqual(['a'])
  })

  it('that ran out uses up an attempt, and none once its holder says that it lives', async () => {
    await recordOne('a')
    await world.fold()
    const [claim] = await queues().low.take(1)
    await world.clock.advance(60_000)
    await world.on(content('a'), { type: 'ExpireClaim' })
    await world.fold()
    const row = () => world.viewStore.query('fixity-items', {})[0]
    expect(row()).toMatchObject({ attempts: 1, because: expect.stringContaining('not heard of again') })
    const [others] = await queues({ worker: 'w2' }).low.take(1)
    await claim!.release('the claim ran out')
    await world.fold()
    expect(row()).toMatchObject({ attempts: 0, because: null, heldUntil: others!.deadline })
  })

  it('that failed is told on the topic', async () => {
    const claimed = await claimOne()
    await claimed.fail('no route to host')
    expect(reported).toEqual([['a', 'no route to host']])
  })
})
