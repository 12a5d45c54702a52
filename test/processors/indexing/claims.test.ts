import { left } from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { fileStream } from '#src/domain/indexing/file.ts'
import type { IndexingTask } from '#src/domain/indexing/indexing-task.ts'
import type { Claimed } from '#src/ports/task-queue.ts'
import { indexingQueue } from '#src/processors/indexing/claims.ts'
import { suspectsInProgress } from '#src/processors/runtime/suspects.ts'
import { failure, success } from '../../domain/indexing/commands.ts'
import { type IndexingWorld, indexingWorld, named } from './world.ts'

let world: IndexingWorld
let reported: [string, string][]
beforeEach(() => {
  world = indexingWorld()
  reported = []
})

type Dependencies = Parameters<typeof indexingQueue>[0]
const queue = (more: Partial<Dependencies> = {}) =>
  indexingQueue({
    ...world,
    worker: 'w',
    timeoutMillis: 60_000,
    order: 'newest-first',
    reportFailure: async ({ file }, reason) => void reported.push([file.name, reason]),
    ...more,
  })
const names = (claims: readonly Claimed<IndexingTask>[]) => claims.map(({ task }) => task.file.name)
const fail = async (name: string, fence: number) => {
  await world.on(named(name), { type: 'Report', fence, outcome: failure, policy: world.policy })
  await world.fold()
}

describe('the order', () => {
  const sightAll = async () => {
    await world.sight('old.warc', 300)
    await world.sight('new.warc', 30)
    await world.sight('middle.warc', 90)
    await world.fold()
  }

  it('W10, W11 is newest first, and no more are given than asked for', async () => {
    await sightAll()
    expect(names(await queue().take(2))).toEqual(['new.warc', 'middle.warc'])
    await world.fold()
    expect(names(await queue().take(9))).toEqual(['old.warc'])
  })

  it('W11 may be oldest first', async () => {
    await sightAll()
    expect(names(await queue({ order: 'oldest-first' }).take(9))).toEqual([
      'old.warc',
      'middle.warc',
      'new.warc',
    ])
  })

  it('W11 has those that failed last, fewest failures first', async () => {
    await sightAll()
    for (const [name, failures] of [
      ['new.warc', 2],
      ['old.warc', 1],
    ] as const)
      for (let fence = 1; fence <= failures; fence++) {
        await world.on(named(name), {
          type: 'Claim',
          holder: 'x',
          deadline: '2027-01-01T00:00:00.000Z',
          millis: 1,
          policy: world.policy,
        })
        await fail(name, fence)
        await world.clock.advance(world.policy.retryMillis)
      }
    expect(names(await queue().take(9))).toEqual(['middle.warc', 'old.warc', 'new.warc'])
  })

  it('leaves out what has not stood still, and tells when it will have', async () => {
    await world.sight('young.warc', 4)
    await world.fold()
    expect(await queue().take(9)).toEqual([])
    expect(await queue().nextDue()).toBe('2026-01-31T12:06:00.000Z')
    await world.clock.advance(6 * 60_000)
    // Nobody has taken it since.
    expect(await queue().nextDue('2026-01-31T12:05:59.999Z')).toBe('2026-01-31T12:06:00.000Z')
    expect(names(await queue().take(9))).toEqual(['young.warc'])
    expect(await queue().nextDue()).toBeUndefined()
  })

  it('W2 leaves out files of no known kind', async () => {
    await world.sight('crawl.log')
    await world.fold()
    expect(await queue().take(9)).toEqual([])
    expect(world.row('crawl.log')).toMatchObject({ state: 'unknown', queued: 0 })
  })
})

describe('claims', () => {
  it('W21 of workers that see the same view never give two the same file', async () => {
    const all = Array.from({ length: 20 }, (_, i) => `${i}.warc`)
    for (const name of all) await world.sight(name)
    await world.fold()
    const taken = await Promise.all([queue().take(20), queue({ worker: 'x' }).take(20), queue().take(20)])
    expect(taken.flatMap(names).toSorted()).toEqual(all.toSorted())
  })

  it('say what is to be done: one file, at its place', async () => {
    await world.sight('17-metadata-1.warc.gz')
    await world.fold()
    const [claimed] = await queue().take(1)
    expect(claimed?.task).toMatchObject({
      file: named('17-metadata-1.warc.gz'),
      fence: 1,
      job: {
        kind: 'index',
        fileKind: 'metadata',
        place: { location: '/srv/17-metadata-1.warc.gz', size: 1, modifiedAt: '2026-01-31T11:00:00.000Z' },
      },
    })
  })

  it('are extended, given back, or reported as failed', async () => {
    await world.sight('a.warc')
    await world.fold()
    const [claimed] = await queue().take(1)
    await world.clock.advance(30_000)
    expect(await claimed?.extend()).toBe('2026-01-31T12:01:30.000Z')
    await claimed?.fail('no memory')
    expect(reported).toEqual([['a.warc', 'no memory']])
    expect(await claimed?.task.confirm()).toBe(true)
    await claimed?.release('stopped')
    expect(await claimed?.task.confirm()).toBe(false)
    expect(await claimed?.extend()).toBeUndefined()
    await world.fold()
    expect(names(await queue({ worker: 'x' }).take(1))).toEqual(['a.warc'])
  })

  it('that ran out count as a failure, and as none once their holder says that it lives', async () => {
    await world.sight('a.warc', 60)
    await world.fold()
    const [claim] = await queue().take(1)
    await world.clock.advance(60_000)
    await world.on(named('a.warc'), { type: 'ExpireClaim', policy: world.policy })
    await world.fold()
    expect(world.row('a.warc')).toMatchObject({ state: 'failed', failures: 1, code: 'silent' })
    await claim!.release('the claim ran out')
    await world.fold()
    expect(world.row('a.warc')).toMatchObject({ state: 'new', failures: 0, code: null, because: null })
  })

  it('one that the next death would park is in hand alone; failures of other kinds make none so', async () => {
    const at = world.clock.now()
    for (const [i, name] of ['a.warc', 'b.warc', 'c.warc', 'd.warc'].entries())
      await world.sight(name, 10 * (i + 1))
    const retry = () => world.clock.advance(world.policy.retryMillis)
    const claim = (name: string) =>
      world.on(named(name), { type: 'Claim', holder: 'x', deadline: at, millis: 1, policy: world.policy })
    for (let fence = 1; fence < world.policy.maxAttempts; fence++) {
      for (const name of ['a.warc', 'b.warc', 'c.warc']) await claim(name)
      for (const name of ['a.warc', 'b.warc'])
        await world.on(named(name), { type: 'ExpireClaim', policy: world.policy })
      await fail('c.warc', fence)
      await retry()
    }
    await world.fold()
    const suspects = suspectsInProgress(world.clock)
    const careful = queue({ states: world.states, suspects, timeoutMillis: 60 * 60_000 })
    const taken: string[] = []
    /** Takes what may be had, and ends it in the log and in this process. */
    const takeAndEnd = async () => {
      const claims = await careful.take(9)
      await world.fold()
      expect(await careful.take(9)).toEqual([])
      taken.push(names(claims).join(' '))
      for (const { task, over } of claims) {
        const report = { type: 'Report', fence: task.fence, outcome: success, policy: world.policy }
        await world.on(task.file, report)
        await world.fold()
        over?.()
      }
    }
    for (let i = 0; i < 4; i++) await takeAndEnd()
    expect(taken).toEqual(['d.warc', 'a.warc', 'b.warc', 'c.warc'])
  })

  it('are kept where another could not be made', async () => {
    for (const name of ['a.warc', 'b.warc']) await world.sight(name)
    await world.fold()
    const execute: Dependencies['execute'] = async (decider, envelope) =>
      envelope.stream === fileStream(named('b.warc'))
        ? left({ kind: 'Unavailable', reason: 'locked' })
        : world.execute(decider, envelope)
    expect(names(await queue({ execute }).take(9))).toEqual(['a.warc'])
    await world.fold()
    await expect(queue({ execute }).take(9)).rejects.toThrow('locked')
  })

  it('are not given where the view is behind', async () => {
    await world.sight('a.warc')
    await world.fold()
    const [claimed] = await queue().take(1)
    await world.on(named('a.warc'), {
      type: 'Report',
      fence: claimed?.task.fence,
      outcome: success,
      policy: world.policy,
    })
    expect(await queue().take(9)).toEqual([])
  })

  it('are none before the views are folded', async () => {
    expect(await queue().take(9)).toEqual([])
    expect(await queue().nextDue()).toBeUndefined()
  })
})
