import { left } from 'fp-ts/lib/Either.js'
import { pino } from 'pino'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { addMillis, HOUR, MINUTE } from '#src/domain/kernel/time.ts'
import { defaultPolicy } from '#src/domain/research/policy/policy.ts'
import { episodeStream } from '#src/domain/research/terms.ts'
import type { Execute } from '#src/processors/runtime/execute.ts'
import { startWorkerPool } from '#src/workers/runtime/worker-pool.ts'
import { turns } from '../../fakes/clock.ts'
import { recordedTelemetry } from '../../fakes/telemetry.ts'
import { itemsWorld, leasesOf } from './items-world.ts'

let world: ReturnType<typeof itemsWorld>
beforeEach(async () => {
  world = itemsWorld()
  await world.curate('episode', 'e1', 'e2', 'e3')
  await world.curate('clip', 'a', 'b', 'c')
})

const media = (id: string) => ({ uri: world.uriOf(id), type: 'audio/mpeg' })

describe('taking', () => {
  it('gives the item with what is needed to fetch episode and clips', async () => {
    await world.grant('l1', 'e1', 'c', 'a')
    await world.fold()
    const [claimed] = await world.queue().take(1)
    expect(claimed?.task).toEqual({
      lease: 'l1',
      episode: 'e1',
      media: media('e1'),
      clips: [
        { id: 'c', media: media('c') },
        { id: 'a', media: media('a') },
      ],
    })
    expect(claimed?.deadline).toBe('2026-01-01T02:00:00.000Z')
    expect((await world.typesOf('e1')).at(-1)).toBe('WorkItemTaken')
  })

  it('says which media a stranger to this machine named', async () => {
    const details = { title: 'e1', mediaUri: 'http://10.0.0.1/e1', mediaType: 'audio/mpeg', curator: 'feed' }
    const command = { type: 'Curate', details: { ...details, foreign: true }, curatedAt: world.clock.now() }
    await world.on('episode', 'e1', command)
    await world.on('clip', 'a', {
      ...command,
      details: { ...command.details, mediaUri: 'http://10.0.0.1/a' },
    })
    await world.grant('l1', 'e1', 'a', 'b')
    await world.fold()
    const [claimed] = await world.queue().take(1)
    expect(claimed?.task).toMatchObject({
      media: { uri: 'http://10.0.0.1/e1', foreign: true },
      clips: [
        { id: 'a', media: { uri: 'http://10.0.0.1/a', foreign: true } },
        { id: 'b', media: media('b') },
      ],
    })
    expect(claimed?.task.clips[1]?.media).not.toHaveProperty('foreign')
  })

  it('the oldest first, and no more than asked for', async () => {
    for (const [lease, episode] of [
      ['l2', 'e2'],
      ['l1', 'e1'],
      ['l3', 'e3'],
    ] as const)
      await world.grant(lease, episode, 'a')
    await world.fold()
    expect(leasesOf(await world.queue().take(2))).toEqual(['l2', 'l1'])
  })

  it('X12: an item whose episode is at hand goes first, until another has waited for half of its time', async () => {
    await world.grant('l1', 'e1', 'a')
    await world.clock.advance(10 * MINUTE)
    for (const lease of ['l2', 'l3'] as const) await world.grant(lease, lease === 'l2' ? 'e2' : 'e3', 'a')
    await world.fold()
    world.atHand.add(world.uriOf('e2')).add(world.uriOf('e3'))
    const queue = world.queue()
    expect(leasesOf(await queue.take(1))).toEqual(['l2'])
    await world.clock.advance((defaultPolicy.itemSeconds * 1000) / 2 - 10 * MINUTE)
    expect(leasesOf(await queue.take(2))).toEqual(['l1', 'l3'])
  })

  it('X12: many items of one episode: whether it is at hand is looked for once', async () => {
    for (const [lease, clip] of [
      ['l1', 'a'],
      ['l2', 'b'],
      ['l3', 'c'],
    ] as const)
      await world.grant(lease, 'e1', clip)
    await world.fold()
    const looked: string[] = []
    const queue = world.queue('r', {
      isAtHand: ({ uri }) => {
        looked.push(uri)
        return true
      },
    })
    expect(leasesOf(await queue.take(1))).toEqual(['l1'])
    expect(looked).toEqual([world.uriOf('e1')])
  })

  it('L28: what lapsed is not taken, be it that the view still shows it', async () => {
    await world.grant('l1', 'e1', 'a')
    await world.fold()
    await world.clock.advance(defaultPolicy.itemSeconds * 1000)
    expect(await world.queue().take(1)).toEqual([])
    expect((await world.typesOf('e1')).at(-1)).toBe('LeaseGranted')
  })

  it('a refused take leads to the next item', async () => {
    await world.grant('l1', 'e1', 'a')
    await world.grant('l2', 'e2', 'a')
    await world.fold()
    await world.on('episode', 'e1', { type: 'Revoke', lease: 'l1', reason: 'no more' })
    expect(leasesOf(await world.queue().take(1))).toEqual(['l2'])
  })

  it('two researchers that see the same view never have the same item', async () => {
    const episodes = Array.from({ length: 20 }, (_, i) => `x${i}`)
    await world.curate('episode', ...episodes)
    for (const episode of episodes) await world.grant(`l${episode}`, episode, 'a')
    await world.fold()
    const taking = ['r1', 'r2', 'r3'].map(async (id) => {
      const queue = world.queue(id)
      const taken: string[] = []
      for (let i = 0; i < 20; i++) taken.push(...leasesOf(await queue.take(1)))
      return taken
    })
    const taken = await Promise.all(taking)
    expect(taken.flat().toSorted()).toEqual(episodes.map((id) => `l${id}`).toSorted())
  })

  it('nobody has an item twice while the view still shows it waiting', async () => {
    await world.grant('l1', 'e1', 'a')
    await world.fold()
    const queue = world.queue()
    expect(leasesOf(await queue.take(1))).toEqual(['l1'])
    expect(await queue.take(1)).toEqual([])
  })

  it('whose taking had an unknown end is taken again', async () => {
    await world.grant('l1', 'e1', 'a')
    await world.fold()
    let lost = true
    const execute: Execute = async (decider, envelope) => {
      const outcome = await world.execute(decider, envelope)
      return lost ? left({ kind: 'Unavailable', reason: 'cut off' }) : outcome
    }
    const queue = world.queue('r', { execute })
    await expect(queue.take(1)).rejects.toThrow('cut off')
    lost = false
    expect(leasesOf(await queue.take(1))).toEqual(['l1'])
  })

  it('an episode that many want items of at once is left to them: another item is taken', async () => {
    await world.grant('l1', 'e1', 'a')
    await world.grant('l2', 'e2', 'a')
    await world.fold()
    const execute: Execute = async (decider, envelope) =>
      envelope.stream === episodeStream('e1')
        ? left({ kind: 'Contended', stream: envelope.stream, tries: 20 })
        : world.execute(decider, envelope)
    const queue = world.queue('r', { execute })
    expect(leasesOf(await queue.take(1))).toEqual(['l2'])
    expect(await queue.take(1)).toEqual([])
    // The others are done.
    expect(leasesOf(await world.queue('r').take(1))).toEqual(['l1'])
  })

  it('fifty that want items of one episode at once have one each, and none is refused all', async () => {
    const names = Array.from({ length: 50 }, (_, i) => `n${i}`)
    for (const name of names) await world.grant(name, 'e1', name)
    await world.fold()
    const taken = await Promise.all(names.map((name) => world.queue(name).take(1)))
    expect(taken.flatMap(leasesOf).toSorted()).toEqual(names.toSorted())
  })

  it('keeps what was granted when the next cannot be asked for', async () => {
    await world.grant('l1', 'e1', 'a')
    await world.grant('l2', 'e2', 'a')
    await world.fold()
    const execute: Execute = async (decider, envelope) =>
      envelope.stream === episodeStream('e2')
        ? left({ kind: 'Unavailable', reason: 'locked' })
        : world.execute(decider, envelope)
    expect(leasesOf(await world.queue('r', { execute }).take(2))).toEqual(['l1'])
  })

  it('before the first fold there is nothing', async () => {
    expect(await world.queue().take(1)).toEqual([])
  })
})

describe('who takes nothing', () => {
  beforeEach(async () => {
    await world.on('researcher', 'r', { type: 'Register', presenceSeconds: 180 })
    await world.grant('l1', 'e1', 'a')
  })

  it.each([
    ['one that is blocked (X5)', { type: 'Block', reason: 'wrong results' }],
    ['one that drains', { type: 'Drain' }],
  ])('%s', async (_, command) => {
    await world.on('researcher', 'r', command)
    await world.fold()
    expect(await world.queue().take(1)).toEqual([])
    expect(leasesOf(await world.queue('other').take(1))).toEqual(['l1'])
  })

  it('one that is unblocked takes again', async () => {
    await world.on('researcher', 'r', { type: 'Block', reason: 'wrong results' })
    await world.on('researcher', 'r', { type: 'Unblock', reason: 'mended' })
    await world.fold()
    expect(leasesOf(await world.queue().take(1))).toEqual(['l1'])
  })

  it('one that rests, until it has rested', async () => {
    await world.fold()
    const until = addMillis(world.clock.now(), MINUTE)
    const queue = world.queue('r', { restsUntil: () => until })
    expect(await queue.take(1)).toEqual([])
    expect(await queue.nextDue()).toBe(until)
    await world.clock.advance(MINUTE)
    expect(leasesOf(await queue.take(1))).toEqual(['l1'])
  })
})

describe('what changed since it was granted', () => {
  it('clips that were withdrawn are left out', async () => {
    await world.grant('l1', 'e1', 'a', 'b', 'c')
    await world.on('clip', 'b', { type: 'Withdraw', curator: 'feed' })
    await world.fold()
    const [claimed] = await world.queue().take(1)
    expect(claimed?.task.clips.map(({ id }) => id)).toEqual(['a', 'c'])
  })

  it('an episode that was withdrawn has no media', async () => {
    await world.grant('l1', 'e1', 'a')
    await world.on('episode', 'e1', { type: 'Withdraw', curator: 'feed' })
    await world.fold()
    const [claimed] = await world.queue().take(1)
    expect(claimed?.task).toMatchObject({ lease: 'l1', media: undefined })
  })
})

describe('a claim', () => {
  const claimOne = async () => {
    await world.grant('l1', 'e1', 'a', 'b')
    await world.fold()
    const [claimed] = await world.queue().take(1)
    await world.fold()
    return claimed!
  }

  it('X6: is extended where no result came for half of the lease', async () => {
    const claimed = await claimOne()
    await world.clock.advance(HOUR)
    expect(await claimed.extend()).toBe(addMillis(world.clock.now(), 2 * HOUR))
    expect((await world.typesOf('e1')).at(-1)).toBe('LeaseExtended')
  })

  it('L33: needs no word of its own where results extend it', async () => {
    const claimed = await claimOne()
    await world.clock.advance(HOUR / 2)
    await world.on('episode', 'e1', { type: 'Report', result: { ...resultOf('a'), lease: 'l1' } })
    const deadline = addMillis(world.clock.now(), 2 * HOUR)
    await world.fold()
    await world.clock.advance(HOUR / 2)
    expect(await claimed.extend()).toBe(deadline)
    expect(await world.typesOf('e1')).not.toContain('LeaseExtended')
  })

  it.each([true, false])('is lost when the lease was revoked (told by the view: %s)', async (folded) => {
    const claimed = await claimOne()
    await world.on('episode', 'e1', { type: 'Revoke', lease: 'l1', reason: 'no more' })
    if (folded) await world.fold()
    await world.clock.advance(HOUR)
    expect(await claimed.extend()).toBeUndefined()
  })

  it('L29: is lost when the lease ran out', async () => {
    const claimed = await claimOne()
    await world.clock.advance(2 * HOUR)
    expect(await claimed.extend()).toBeUndefined()
  })

  it('throws where it cannot be asked for more time', async () => {
    await world.grant('l1', 'e1', 'a')
    await world.fold()
    let away = false
    const execute: Execute = async (decider, envelope) =>
      away ? left({ kind: 'Unavailable', reason: 'locked' }) : world.execute(decider, envelope)
    const [claimed] = await world.queue('r', { execute }).take(1)
    away = true
    await world.clock.advance(HOUR + MINUTE)
    await expect(claimed?.extend()).rejects.toThrow('locked')
  })

  it('is given back, and fails, by way of the topic', async () => {
    const claimed = await claimOne()
    await claimed.release('the worker was stopped')
    await claimed.fail('no progress for 90 s')
    expect(world.settled).toEqual(['release l1: the worker was stopped', 'fail l1: no progress for 90 s'])
  })
})

describe('in the hand of a worker', () => {
  /** Takes the one item there is, and listens to a clip that takes for ever. */
  const listening = async () => {
    await world.grant('l1', 'e1', 'a')
    await world.fold()
    let stopped = false
    const pool = startWorkerPool({
      queues: [world.queue()],
      perform: async (_, { signal, progress }) => {
        while (!signal.aborted) {
          progress()
          await world.clock.sleep(MINUTE, signal)
        }
        stopped = true
      },
      concurrency: 1,
      stallMillis: 2 * MINUTE,
      onNewWork: () => () => {},
      clock: world.clock,
      telemetry: recordedTelemetry(),
      log: pino({ level: 'silent' }),
      name: 'tester',
    })
    onTestFinished(() => pool.stop(0))
    await turns()
    await world.fold()
    return { pool, stopped: () => stopped }
  }

  it('X6: a clip that takes long keeps its lease, by a word each time that half of it is over', async () => {
    const { stopped } = await listening()
    for (let hour = 0; hour < 5; hour++) {
      await world.clock.advance(HOUR)
      await world.fold()
    }
    expect(stopped()).toBe(false)
    const extended = (await world.typesOf('e1')).filter((type) => type === 'LeaseExtended')
    expect(extended.length).toBeGreaterThanOrEqual(4)
    expect(extended.length).toBeLessThanOrEqual(5)
  })

  it('a revoked lease ends the work when it is to be extended, and nothing is said of it', async () => {
    const { pool, stopped } = await listening()
    await world.on('episode', 'e1', { type: 'Revoke', lease: 'l1', reason: 'no more' })
    await world.clock.advance(HOUR)
    expect([stopped(), pool.busy()]).toEqual([true, 0])
    expect(world.settled).toEqual([])
  })
})

const resultOf = (clip: string) => ({
  clip,
  researcher: 'r',
  matches: [],
  episodeDuration: 1,
  clipDuration: 1,
  engine: { name: 'e', version: '1', settings: '' },
  researchedAt: '2026-01-01T00:00:00.000Z',
})
