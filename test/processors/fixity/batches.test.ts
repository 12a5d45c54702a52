import { beforeEach, describe, expect, it } from 'vitest'
import { batchStream } from '#src/domain/fixity/batch/events.ts'
import { type BatchTask, isBatch } from '#src/domain/fixity/check-task.ts'
import type { ItemObservation } from '#src/domain/fixity/intact.ts'
import { attemptsInRun } from '#src/domain/fixity/schedule.ts'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import type { Message } from '#src/domain/kernel/message.ts'
import type { Claimed } from '#src/ports/task-queue.ts'
import { type TakeLimits, throttled } from '#src/processors/fixity/batch-sizes.ts'
import { checkQueues } from '#src/processors/fixity/check-queues.ts'
import { expiredClaims } from '#src/processors/fixity/expired-claims.ts'
import { fixityLookups } from '#src/processors/fixity/lookups.ts'
import { failLostBatches } from '#src/processors/fixity/lost-batches.ts'
import { fixityProcessor } from '#src/processors/fixity/processor.ts'
import { content, type FixityWorld, fixityWorld, record, seen, sha } from './world.ts'

let world: FixityWorld
let reported: [string, string][]
beforeEach(async () => {
  world = fixityWorld()
  reported = []
})

const timeoutMillis = 60_000
const queueOf = (worker = 'w', more: Partial<Parameters<typeof checkQueues>[0]> = {}) => {
  const [, low] = checkQueues({
    ...world,
    worker,
    stores: async () => ['main', 'other'],
    isReportable: async () => true,
    viewsReach: () => world.fold(),
    timeoutMillis,
    reportFailure: async (task, reason) => void reported.push([isBatch(task) ? task.batch : '', reason]),
    ...more,
  })
  return low!
}
const take = async (concurrency = 20, worker = 'w') =>
  (await queueOf(worker).take(concurrency)) as readonly Claimed<BatchTask>[]
const pathsOf = (claims: readonly Claimed<BatchTask>[]) =>
  claims.map(({ task }) => task.files.map(({ path }) => path))
const recordAll = async (...all: readonly string[]) => {
  for (const path of all) await world.on(content(path), record())
  await world.fold()
}
const takeOne = async () => {
  const [claimed] = await take()
  return claimed!
}

/** What a worker saw: the bytes that are recorded, or others. */
const look = (letter = 'a', more: object = {}): ItemObservation =>
  ({
    content: { status: 'read', size: 1, checksums: [sha(letter)] },
    storage: {
      status: 'present',
      checksums: [],
      size: 1,
      version: 'v1',
      modifiedAt: world.clock.now(),
      isLink: false,
    },
    observedAt: world.clock.now(),
    ...more,
  }) as ItemObservation

let messages = 0
const report = ({ batch, store }: BatchTask, looks: Readonly<Record<string, ItemObservation>>): Message => ({
  id: `report ${messages++}`,
  source: 'fonds://w',
  type: 'batch.observed',
  time: world.clock.now(),
  data: {
    batch,
    store,
    worker: 'w',
    observations: Object.entries(looks).map(([path, seen]) => ({ path, ...seen })),
  },
})
const routesOf = async (message: Message) => {
  const [routes] = await fixityProcessor(fixityLookups(world), world.clock).route([message])
  return routes!
}
const run = async (message: Message) => {
  const kinds: string[] = []
  for (const route of await routesOf(message)) kinds.push((await world.run(route, message.id)).kind)
  await world.fold()
  return kinds
}
const stateOf = (path: string) => world.row(content(path))?.state
const batchTypes = async ({ task }: Claimed<BatchTask>) =>
  (await world.eventsOf(batchStream(task.batch))).map(({ type }) => type)

describe('taking', () => {
  it('claims items at rest together, in one event, and writes nothing to their streams', async () => {
    await recordAll('a', 'b', 'c')
    const claimed = await takeOne()
    expect(pathsOf([claimed])).toEqual([['a', 'b', 'c']])
    expect(claimed.task.files[0]?.checksums).toEqual([sha('a'), sha('a')])
    expect(claimed).toMatchObject({ tasks: 3, concurrency: 1 })
    expect(await batchTypes(claimed)).toEqual(['BatchClaimed'])
    expect(await world.typesOf(content('a'))).toEqual(['ContentRecorded'])
  })

  it('never gives what another batch holds', async () => {
    await recordAll('a', 'b')
    await take()
    expect(await take(20, 'x')).toEqual([])
    await recordAll('c')
    expect(pathsOf(await take(20, 'x'))).toEqual([['c']])
  })

  it('of two workers that see the same view, the first in the log has the item', async () => {
    const all = Array.from({ length: 30 }, (_, i) => `${i}`.padStart(2, '0'))
    await recordAll(...all)
    const [one, other] = [queueOf('w'), queueOf('x')]
    const taken = (await Promise.all([one.take(20), other.take(20)])).flat() as Claimed<BatchTask>[]
    expect(pathsOf(taken).flat().toSorted()).toEqual(all)
  })

  it('leaves out what changed, or was checked, since it chose', async () => {
    await recordAll('a', 'b', 'c', 'd')
    const late = queueOf('x', {
      execute: async (decider, envelope) => {
        const isClaim = envelope.command.type === 'ClaimBatch'
        if (isClaim) {
          const other = await takeOne()
          await world.on(content('a'), record('b'))
          await run(report(other.task, { c: look(), d: look('b') }))
        }
        return world.execute(decider, envelope)
      },
    })
    expect(pathsOf((await late.take(20)) as readonly Claimed<BatchTask>[])).toEqual([['b']])
  })

  it('parts many items into batches of one store each, and gives a large file a hand of its own', async () => {
    const small = Array.from({ length: 100 }, (_, i) => `${i}`.padStart(3, '0'))
    await recordAll(...small)
    await world.on(content('large'), { ...record(), size: 2 ** 31 } as never)
    await world.on(content('large too'), { ...record(), size: 2 ** 31 } as never)
    await world.on(content('elsewhere', 'other'), record())
    await world.fold()
    const taken = await take(20)
    expect(pathsOf(taken).flat()).toHaveLength(103)
    expect(taken.filter(({ task }) => task.store === 'other')).toHaveLength(1)
    const large = taken.filter(({ task }) => task.files.some(({ path }) => path.startsWith('large')))
    expect(pathsOf(large)).toEqual([['large'], ['large too']])
    expect(large.map(({ concurrency }) => concurrency)).toEqual([1, 1])
  })

  it('puts some large files together, as many bytes as a kill may cost, and each takes a hand', async () => {
    const names = Array.from({ length: 12 }, (_, i) => `large ${10 + i}`)
    for (const name of names) await world.on(content(name), { ...record(), size: 100 * 1024 * 1024 } as never)
    await world.fold()
    const taken = await take(20)
    expect(pathsOf(taken)).toEqual([names.slice(0, 5), names.slice(5, 10), names.slice(10)])
    expect(taken.map(({ concurrency }) => concurrency)).toEqual([5, 5, 2])
  })

  it('takes ten at a time with each throttled hand, and no more at once than a second is worth', async () => {
    const names = Array.from({ length: 40 }, (_, i) => `${i}`.padStart(2, '0'))
    await recordAll(...names)
    const taking = (limits: TakeLimits) => queueOf('w', { limits }).take(3)
    const byBytes = (await taking(throttled())) as readonly Claimed<BatchTask>[]
    expect(pathsOf(byBytes).map(({ length }) => length)).toEqual([10, 10, 10])
    expect(byBytes.map(({ concurrency }) => concurrency)).toEqual([1, 1, 1])
    await world.fold()
    expect(pathsOf((await taking(throttled(4))) as readonly Claimed<BatchTask>[])).toEqual([
      names.slice(30, 34),
    ])
  })

  it('takes no more than its hands can hold', async () => {
    await recordAll(...Array.from({ length: 250 }, (_, i) => `${i}`.padStart(3, '0')))
    const taken = await take(1)
    expect(pathsOf(taken).map(({ length }) => length)).toEqual([100])
    // The last of what is due is parted.
    expect(pathsOf(await take(2)).map(({ length }) => length)).toEqual([38, 38, 38, 36])
  })
})

describe('a report', () => {
  it('of bytes as recorded is one event; nothing stands in the items’ streams', async () => {
    await recordAll('a', 'b')
    const claimed = await takeOne()
    expect(await run(report(claimed.task, { a: look(), b: look() }))).toEqual(['done'])
    expect([stateOf('a'), stateOf('b')]).toEqual(['verified', 'verified'])
    expect(await batchTypes(claimed)).toEqual(['BatchClaimed', 'BatchChecked'])
    expect(await world.typesOf(content('a'))).toEqual(['ContentRecorded'])
    expect(await take()).toEqual([])
  })

  it('of bytes as recorded keeps what a bucket claims of them, and which version was read', async () => {
    await recordAll('a', 'b')
    const claimed = await takeOne()
    const { storage } = look()
    const inBucket = (letter: string) => {
      const { isLink: _, ...present } = storage as Extract<ItemObservation['storage'], { status: 'present' }>
      const checksums = [sha(letter), { algorithm: 'md5/parts', value: 'x-2' }]
      return look('a', { storage: { ...present, versionId: 'v-1', checksums } })
    }
    await run(report(claimed.task, { a: inBucket('a'), b: inBucket('b') }))
    const [, checked] = await world.eventsOf(batchStream(claimed.task.batch))
    expect(checked?.data).toMatchObject({
      intact: [
        {
          pattern: 'AAAA',
          row: 'F1',
          items: [{ path: 'a', versionId: 'v-1', claims: { 'sha-256': sha('a').value, 'md5/parts': 'x-2' } }],
        },
      ],
      others: 1,
    })
    // F3: the storage's own word is another.
    expect(world.row(content('b'))).toMatchObject({ row: 'F3', state: 'failed' })
  })

  it.each<[string, () => ItemObservation, string]>([
    [
      'two claims of one algorithm',
      () => {
        const { storage } = look()
        return look('a', {
          storage: { ...storage, checksums: [sha('a'), { algorithm: 'sha-256', value: 'x' }] },
        })
      },
      'verified',
    ],
    [
      'an archived object',
      () => {
        const { storage } = look()
        const checksums = [sha('a')]
        return look('a', {
          content: { status: 'not-attempted' },
          storage: { ...storage, checksums, archived: 'GLACIER' },
        })
      },
      'unread',
    ],
    ['other bytes', () => look('b'), 'failed'],
    [
      'nothing',
      () => look('a', { content: { status: 'missing' }, storage: { status: 'missing' } }),
      'failed',
    ],
    [
      'other sizes',
      () => look('a', { content: { status: 'read', size: 2, checksums: [sha('a')] } }),
      'unchecked',
    ],
    ['an error', () => look('a', { content: { status: 'failed', error: 'EIO' } }), 'unchecked'],
    ['a change under way', () => look('a', { content: { status: 'changing' } }), 'unchecked'],
    [
      'a symbolic link',
      () => {
        const { storage } = look()
        return look('a', { storage: { ...storage, isLink: true } })
      },
      'verified',
    ],
  ])('of %s is decided on the item’s own stream', async (_, observationOf, state) => {
    await world.register('main', { intervalDays: 90, lagSeconds: 0, replica: false })
    await recordAll('a', 'b')
    const claimed = await takeOne()
    expect(await run(report(claimed.task, { a: observationOf(), b: look() }))).toEqual(['done', 'done'])
    expect(stateOf('b')).toBe('verified')
    expect((await world.typesOf(content('a'))).length).toBeGreaterThan(1)
    expect(world.row(content('a'))?.ownRun ?? 0).toBe(['verified', 'unread'].includes(state) ? 0 : 1)
    expect(stateOf('a')).toBe(state === 'failed' ? 'suspect' : state)
  })

  it('that comes again changes nothing', async () => {
    await recordAll('a')
    const claimed = await takeOne()
    const message = report(claimed.task, { a: look() })
    expect(await run(message)).toEqual(['done'])
    expect(await run(message)).toEqual(['repeated'])
  })

  it('that comes again after a kill between its streams loses no item: what was not decided is due', async () => {
    await recordAll('a', 'b')
    const claimed = await takeOne()
    const message = report(claimed.task, { a: look('b'), b: look() })
    const [ofBatch] = await routesOf(message)
    await world.run(ofBatch!, message.id)
    await world.fold()
    expect(await run(message)).toEqual(['repeated'])
    expect(stateOf('a')).toBe('unchecked')
    expect(pathsOf(await take())).toEqual([['a']])
  })

  it('whose batch is over is refused, and nothing of it counts', async () => {
    await recordAll('a')
    const claimed = await takeOne()
    await claimed.release('stopping')
    await world.fold()
    expect(await run(report(claimed.task, { a: look() }))).toEqual(['rejected'])
    expect(await run(report({ ...claimed.task, batch: 'unknown' }, { a: look() }))).toEqual(['rejected'])
    expect(stateOf('a')).toBe('unchecked')
  })

  it.each([true, false])(
    'says nothing of an item that was recorded anew since (views have it: %s)',
    async (isFolded) => {
      await recordAll('a', 'b')
      const claimed = await takeOne()
      const message = report(claimed.task, { a: look(), b: look() })
      await world.on(content('a'), record('b'))
      if (isFolded) await world.fold()
      expect(await run(message)).toEqual(['done'])
      expect(stateOf('a')).toBe('unchecked')
      expect(stateOf('b')).toBe('verified')
      expect(pathsOf(await take())).toEqual([['a']])
    },
  )

  it('says nothing of what its batch did not claim', async () => {
    await recordAll('a')
    const claimed = await takeOne()
    await recordAll('b')
    await run(report(claimed.task, { a: look(), b: look() }))
    expect([stateOf('a'), stateOf('b')]).toEqual(['verified', 'unchecked'])
  })
})

describe('an item that a batch has checked', () => {
  const check = async (path: string) => {
    const claimed = await takeOne()
    await run(report(claimed.task, { [path]: look() }))
  }
  const observe = async (observedAt: string, letter = 'a', storage: object = {}) => {
    const { content: bytes, storage: said } = seen(world.clock, letter)
    const message = {
      id: `seen ${messages++}`,
      source: 'https://observer.example',
      type: 'content.observed',
      time: world.clock.now(),
      data: { ...content('a'), content: bytes, storage: { ...said, ...storage }, observedAt },
    }
    return run(message)
  }

  it('takes no report of an observer that saw it before', async () => {
    await recordAll('a')
    const before = world.clock.now()
    await world.clock.advance(1000)
    await check('a')
    expect(await observe(before, 'b')).toEqual(['rejected'])
    await world.clock.advance(1000)
    expect(await observe(world.clock.now(), 'b')).toEqual(['done'])
  })

  it('was seen as a file: a symbolic link that is there now is told', async () => {
    await recordAll('a')
    await check('a')
    await world.clock.advance(1000)
    await observe(world.clock.now(), 'a', { isLink: true })
    expect(world.row(content('a'))).toMatchObject({ state: 'verified', link: 1 })
  })

  it('is asked for again, by itself, and then decided on its own stream', async () => {
    await recordAll('a')
    await check('a')
    await world.clock.advance(1000)
    await world.on(content('a'), { type: 'RequestCheck', queue: 'high', reason: 'r' } as never)
    await world.fold()
    expect(world.row(content('a'))).toMatchObject({ queue: 'high', ownRun: 1, due: world.clock.now() })
    expect(await take()).toEqual([])
  })
})

describe('a holder that is not heard of again', () => {
  const batchesLost = async () => {
    const read = await world.eventStore.readAll(-1n, { types: ['BatchExpired'] }, 10)()
    return 'right' in read ? read.right.events : expect.fail('the log is away')
  }
  const lost = async () => (await batchesLost())[0]!
  const expire = async () => {
    const [passed] = await expiredClaims({ ...world, claimMillis: timeoutMillis }).passed(world.clock.now())
    await world.run(passed!.route, passed!.causationId)
    return lost()
  }
  const react = async (event: RecordedEvent) => {
    const reaction = failLostBatches(world, () => world.fold())
    for await (const routes of reaction.react(event, new AbortController().signal))
      for (const route of routes) await world.run(route, event.id)
    await world.fold()
  }

  it('has used up an attempt of each item, which is then checked by itself', async () => {
    await recordAll('a', 'b')
    const claimed = await takeOne()
    await world.clock.advance(timeoutMillis)
    await world.on(content('b'), record('b'))
    await world.fold()
    await react(await expire())
    expect(world.row(content('a'))).toMatchObject({ attempts: 1, ownRun: 1 })
    expect(world.row(content('b'))).toMatchObject({ attempts: 0, ownRun: 0 })
    expect(await run(report(claimed.task, { a: look(), b: look() }))).toEqual(['rejected'])
    const taken = await queueOf().take(20)
    expect(taken.map(({ task }) => isBatch(task))).toEqual([false, true])
  })

  it('has used up an attempt of what an outside index spoke of meanwhile, too; not where more happened', async () => {
    await recordAll('a', 'b', 'c')
    await takeOne()
    await world.clock.advance(timeoutMillis)
    for (const path of ['a', 'b', 'c'])
      await world.on(content(path), { type: 'RecordIndex', checksums: [sha('a')] } as never)
    await world.on(content('a'), { type: 'RemoveIndex' } as never)
    await world.on(content('b'), record('b'))
    await world.fold()
    await react(await expire())
    expect(world.row(content('a'))).toMatchObject({ attempts: 1, ownRun: 1 })
    expect(world.row(content('b'))).toMatchObject({ attempts: 0, ownRun: 0 })
    expect(world.row(content('c'))).toMatchObject({ attempts: 1, ownRun: 1 })
  })

  it('loses its batch at the next claim, with no tick in between; its items wait until that is counted', async () => {
    await recordAll('a', 'b')
    const claimed = await takeOne()
    expect(await queueOf().nextDue()).toBe(claimed.deadline)
    await world.clock.advance(timeoutMillis)
    expect(await take()).toEqual([])
    expect(await batchTypes(claimed)).toEqual(['BatchClaimed', 'BatchExpired'])
    await world.fold()
    // Neither as a batch nor by themselves: no attempt is written yet.
    expect(await take()).toEqual([])
    expect(await queueOf().nextDue()).toBeUndefined()
    await react(await lost())
    expect(await batchTypes(claimed)).toEqual(['BatchClaimed', 'BatchExpired', 'BatchSettled'])
    expect((await queueOf().take(20)).map(({ task }) => isBatch(task))).toEqual([false, false])
  })

  it('is delivered the set number of times, whoever asks meanwhile: it is parked then', async () => {
    await recordAll('killer')
    let deliveries = 0
    for (let i = 0; i < 20 && world.row(content('killer'))?.parked !== 1; i++) {
      deliveries += (await queueOf().take(20)).length
      await world.clock.advance(timeoutMillis)
      await queueOf('x')
        .take(20)
        .then((taken) => (deliveries += taken.length))
      await world.fold()
      deliveries += (await queueOf('y').take(20)).length
      for (const event of await batchesLost()) await react(event)
      await world.clock.advance(timeoutMillis)
    }
    expect(world.row(content('killer'))).toMatchObject({ parked: 1 })
    expect(deliveries).toBe(attemptsInRun)
  })

  it('that does report before anybody says so is heard', async () => {
    await recordAll('a')
    const claimed = await takeOne()
    await world.clock.advance(timeoutMillis)
    expect(await run(report(claimed.task, { a: look() }))).toEqual(['done'])
    expect(stateOf('a')).toBe('verified')
    expect(await expiredClaims({ ...world, claimMillis: timeoutMillis }).passed(world.clock.now())).toEqual(
      [],
    )
  })
})

describe('a claim on a batch', () => {
  it('is extended, given back, and told of where it failed', async () => {
    await recordAll('a')
    const claimed = await takeOne()
    await world.clock.advance(1000)
    expect(await claimed.extend()).toBe(new Date(Date.parse(world.clock.now()) + timeoutMillis).toISOString())
    await claimed.fail('no route to host')
    expect(reported).toEqual([[claimed.task.batch, 'no route to host']])
    await claimed.release('stopping')
    expect(await claimed.extend()).toBeUndefined()
    await world.fold()
    expect(pathsOf(await take())).toEqual([['a']])
  })

  it('uses up no attempt while the store is away', async () => {
    await recordAll('a')
    const queue = queueOf('w', { isReportable: async () => false })
    const [claimed] = (await queue.take(1)) as Claimed<BatchTask>[]
    await claimed!.fail('store main is away')
    expect(reported).toEqual([])
    expect(await batchTypes(claimed!)).toEqual(['BatchClaimed', 'BatchReleased'])
  })

  it('that the views do not show in time is given back', async () => {
    await recordAll('a')
    const queue = queueOf('w', { viewsReach: () => Promise.reject(new Error('behind')) })
    await expect(queue.take(1)).rejects.toThrow('behind')
    await world.fold()
    expect(world.viewStore.query('fixity-batches', {})).toEqual([])
  })
})
