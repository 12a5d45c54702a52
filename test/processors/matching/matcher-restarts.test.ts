import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import type { WorkState } from '../../../src/domain/matching/work.ts'
import { workStream } from '../../../src/domain/matching/work.ts'
import { event } from '../../contracts/new-event.ts'
import { runs } from '../../runs.ts'
import {
  changesOf,
  drive,
  expectOrder,
  expectSettled,
  type Fault,
  latestOf,
  matcherWorld,
  type World,
} from './matcher-world.ts'

let world: World

beforeEach(() => {
  world = matcherWorld()
})

/** Small events and appends, so that changes break in the middle. */
const split = { maxEntries: 6, maxEventBytes: 2000, maxAppendBytes: 400 }

describe('snapshots', () => {
  const limits = { savedAtEnd: 5, savedAtRest: 1000 }
  const ended = async (options = limits) => {
    const one = world.newMatcher(options)
    await drive(world, one)
    await one.ownCheckpoint!.end()
  }
  const someFacts = async (count: number, letter: string) => {
    for (let i = 0; i < count; i++) await world.observe(`${letter}${i}`, i % 2 ? [`${letter}${i - 1}`] : [])
  }
  /** How many facts a start folds in before it follows. */
  const foldedAtStart = async () => {
    const before = world.facts.read
    await world.newMatcher(limits).ownCheckpoint!.load(new AbortController().signal)
    return world.facts.read - before
  }

  test('saved in the end: the next start folds in only what came since, to the same changes', async () => {
    await someFacts(8, 'a')
    await ended()
    expect(world.snapshots.bytes).toBeDefined()
    await someFacts(4, 'b')
    await ended()
    expect(await foldedAtStart()).toBe(4)
    await world.observe('b0', ['a0'])
    await drive(world, world.newMatcher(limits))
    await expectSettled(world)
    expect((await changesOf(world.store)).at(-1)!.groups[0]!.members).toHaveLength(4)
  })

  test('is not worth it for few facts', async () => {
    await someFacts(4, 'a')
    await ended()
    expect(world.snapshots.bytes).toBeUndefined()
  })

  test('is saved while nothing is to be done, after many facts', async () => {
    await someFacts(8, 'a')
    await drive(world, world.newMatcher({ savedAtRest: 8 }))
    expect(world.snapshots.bytes).toBeDefined()
  })

  test('is not saved while facts wait: it would hold what was never published', async () => {
    await someFacts(8, 'a')
    const one = world.newMatcher(limits)
    await drive(world, one, { isLeader: () => false })
    await one.ownCheckpoint!.end()
    expect(world.snapshots.bytes).toBeUndefined()
    await drive(world, world.newMatcher(limits))
    await expectSettled(world)
  })

  test('that cannot be saved is done without', async () => {
    await someFacts(8, 'a')
    world.snapshots.save = () => Promise.reject(new Error('a bug'))
    await expect(ended()).rejects.toThrow('a bug')
    world.snapshots.save = () => Promise.reject(new UnavailableError('disk full'))
    await ended()
    await expectSettled(world)
  })

  test.each([
    ['of another log', (header: Record<string, unknown>) => ({ ...header, log: 'another' })],
    ['ahead of the log', (header: Record<string, unknown>) => ({ ...header, through: '1000' })],
    [
      'of a log that was put back and went on',
      (header: Record<string, unknown>) => ({
        ...header,
        head: { generation: 1, revision: '0', id: 'another event' },
      }),
    ],
    ['of another format', (header: Record<string, unknown>) => ({ ...header, format: 2 })],
  ])('%s is not believed', async (_, change) => {
    await someFacts(8, 'a')
    await ended()
    expect(await foldedAtStart()).toBe(0)
    const bytes = Buffer.from(world.snapshots.bytes!)
    const end = bytes.indexOf('\n')
    const header = JSON.stringify(change(JSON.parse(bytes.subarray(0, end).toString())))
    world.snapshots.bytes = Buffer.concat([Buffer.from(`${header}\n`), bytes.subarray(end + 1)])
    expect(await foldedAtStart()).toBe(8)
    await world.observe('a1')
    await drive(world, world.newMatcher(limits))
    await expectSettled(world)
  })

  test.each([
    ['empty', () => Buffer.alloc(0)],
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 3)],
    ['not ours', () => Buffer.from('hello\nworld')],
  ])('%s is not believed', async (_, change) => {
    await someFacts(8, 'a')
    await ended()
    world.snapshots.bytes = change(Buffer.from(world.snapshots.bytes!))
    expect(await foldedAtStart()).toBe(8)
  })

  test('a start that is no longer wanted gives up', async () => {
    await someFacts(8, 'a')
    await drive(world, world.newMatcher())
    const given = new AbortController()
    given.abort()
    await expect(world.newMatcher().ownCheckpoint!.load(given.signal)).rejects.toThrow(/no longer needed/)
  })
})

describe('crash at every append', () => {
  /** A story with large changes in it; the process dies at one append, before or after that is done, and another goes on. */
  const storyWith = async (crashAt: number, fault: Fault): Promise<number> => {
    world = matcherWorld()
    const ids = Array.from({ length: 20 }, (_, i) => `w${i}`)
    const run = async () => {
      const left = crashAt - world.appends.length
      world.faults.splice(0)
      if (left >= 0) world.faults.push(...Array.from({ length: left }, (): Fault => 'none'), fault)
      try {
        await drive(world, world.newMatcher({ split }), { patience: 0 })
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error
        await drive(world, world.newMatcher({ split }), { patience: 0 })
      }
    }
    for (const [i, id] of ids.entries()) await world.observe(id, i % 5 ? [ids[i - 1]!] : [])
    await run()
    await world.observe('w4', ['w5'])
    await world.observe('w9', ['w10'])
    await world.startGeneration(2)
    await run()
    await world.observe('w4')
    await run()
    return world.appends.length
  }

  test('after a restart every fact is in a change, and the components are those of the facts', async () => {
    const appends = await storyWith(-1, 'none')
    expect(appends).toBeGreaterThan(15)
    for (const fault of ['before', 'after'] as const)
      for (let crashAt = 0; crashAt < appends; crashAt++) {
        await storyWith(crashAt, fault)
        await expectSettled(world, 1)
        await expectSettled(world, 2)
      }
  })
})

describe('whatever happens', () => {
  const ids = Array.from({ length: 9 }, (_, i) => `w${i}`)
  const id = fc.constantFrom(...ids)
  const step = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('observe' as const),
        id,
        links: fc.array(fc.constantFrom(...ids, 'p0', 'p1'), { maxLength: 2 }),
        state: fc.constantFrom<WorkState>('visible', 'visible', 'visible', 'deleted'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('resend' as const), id }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('run' as const),
        who: fc.constantFrom(0, 1),
        batchSize: fc.constantFrom(1, 2, 5, 100),
        faults: fc.array(fc.constantFrom<Fault>('none', 'none', 'before', 'after'), { maxLength: 6 }),
        stopAfter: fc.option(fc.nat({ max: 6 }), { nil: undefined }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const), who: fc.constantFrom(0, 1) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const), who: fc.constantFrom(0, 1) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('time' as const),
        millis: fc.integer({ min: -20_000, max: 40_000 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('generation' as const) }) },
  )
  type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

  const limits = { split, savedAtEnd: 3, savedAtRest: 10, maxUnpublished: 12, listBatchSize: 3 }

  const play = async (world: World, steps: readonly Step[]): Promise<number> => {
    const matchers = [world.newMatcher(limits), world.newMatcher(limits)]
    let generations = 1
    for (const one of steps)
      switch (one.kind) {
        case 'observe':
          await world.observe(
            one.id,
            [...new Set(one.links)].filter((to) => to !== one.id),
            one.state,
          )
          break
        case 'resend':
          if (await latestOf(await changesOf(world.store)).has(one.id))
            await world.append(
              workStream(one.id),
              event('ResendRequested', { reason: 'x', at: world.clock.now() }),
            )
          break
        case 'run': {
          world.faults.push(...one.faults)
          let left = one.stopAfter ?? Number.POSITIVE_INFINITY
          const isLeader = () => left-- > 0
          await drive(world, matchers[one.who]!, { batchSize: one.batchSize, isLeader, patience: 40 })
          world.faults.length = 0
          break
        }
        case 'crash':
          matchers[one.who] = world.newMatcher(limits)
          break
        case 'end':
          await matchers[one.who]!.ownCheckpoint!.end()
          break
        case 'time':
          world.clock.advance(one.millis)
          break
        case 'generation':
          if (generations < 3) await world.startGeneration(++generations)
      }
    for (const matcher of matchers) await drive(world, matcher)
    return generations
  }

  test('the latest changes are the components of the facts, with one version each; versions grow strictly', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const world = matcherWorld()
        const generations = await play(world, steps)
        for (let generation = 1; generation <= generations; generation++) {
          await expectSettled(world, generation)
          expectOrder(await changesOf(world.store, generation))
        }
      }),
      { numRuns: runs(300) },
    )
  })

  test('a run without restarts and one with them publish the same components', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const [torn, plain] = [matcherWorld(), matcherWorld()]
        await play(torn, steps)
        await play(
          plain,
          steps.filter(({ kind }) => kind === 'observe'),
        )
        const groups = async (world: World) =>
          [...latestOf(await changesOf(world.store))]
            .map(([id, { group }]) => `${id} in ${group.component} of ${group.size}`)
            .sort()
        expect(await groups(torn)).toEqual(await groups(plain))
      }),
      { numRuns: runs(100) },
    )
  })
})
