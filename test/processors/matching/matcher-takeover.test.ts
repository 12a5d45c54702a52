import fc from 'fast-check'
import { isLeft, right } from 'fp-ts/lib/Either.js'
import { describe, expect, test } from 'vitest'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import { readMessage } from '../../../src/domain/kernel/cloud-event.ts'
import type { Row } from '../../../src/domain/kernel/view.ts'
import { graphStream } from '../../../src/domain/matching/graph/events.ts'
import { type GraphChangedMessage, graphsTopic } from '../../../src/domain/matching/messages.ts'
import type { WorkState } from '../../../src/domain/matching/work.ts'
import { graphPublisher } from '../../../src/processors/matching/graph-publisher.ts'
import { history } from '../../../src/projections/matching/questions/history.ts'
import { event } from '../../contracts/new-event.ts'
import storedHalf from '../../domain/matching/stored-half-change.json' with { type: 'json' }
import { foldAll, openMatching } from '../../projections/matching/folding.ts'
import { runs } from '../../runs.ts'
import { changesOf, drive, expectSettled, type Fault, matcherWorld, type World } from './matcher-world.ts'

/* A change of several appends whose matcher ends between them, and another that goes on: with facts that came since. */

/** Events and appends so small that a component of a few works takes several. */
const split = { maxEntries: 2, maxEventBytes: 10_000, maxAppendBytes: 1 }

/** The matcher dies over the change of what waits: after so many appends, the next of which is done or not. */
const dieAfter = async (world: World, appends: number, fault: Fault, limits = split): Promise<void> => {
  world.faults.splice(0)
  world.faults.push(...Array.from({ length: appends }, (): Fault => 'none'), fault)
  try {
    await drive(world, world.newMatcher({ split: limits }), { patience: 0 })
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
  }
  world.faults.splice(0)
}

/** Follows the log as views and the sender do, event by event. */
const watch = (world: World) => {
  const { viewStore, generation } = openMatching()
  const sent: GraphChangedMessage[] = []
  const sender = graphPublisher({
    broker: {
      produce: (records) => async () => {
        for (const record of records) {
          const place = { log: 'l', partition: 0, offset: 0n, timestamp: '2026-01-01T00:00:00.000Z' }
          const read = readMessage({ ...record, ...place }, graphsTopic)
          if (isLeft(read)) throw new Error(JSON.stringify(read.left))
          sent.push(read.right.data as GraphChangedMessage)
        }
        return right([])
      },
    },
    eventStore: world.store,
    telemetry: world.telemetry,
  })
  let position = -1n
  return {
    viewStore,
    sent,
    /** `look` is called behind each event. */
    follow: async (look: () => void = () => {}) => {
      const { signal } = new AbortController()
      const read = await world.store.readAll(position, {}, 1_000_000)()
      if (isLeft(read)) throw new Error(read.left.reason)
      for (const event of read.right.events) {
        foldAll(viewStore, generation, [event])
        const events = event.type === 'GraphChanged' ? [event] : []
        await sender.handle({ events, position: event.position, caughtUp: false }, () => true, signal)
        position = event.position
        look()
      }
    },
  }
}

type Watched = ReturnType<typeof watch>

/** Each graph as its version, its name and its works. */
const graphsIn = ({ viewStore }: Watched): readonly { name: string; size: number; works: string }[] => {
  const members = Map.groupBy(
    viewStore.query('matching-members', {}).filter(({ placeholder }) => placeholder === 0),
    ({ graph }) => graph,
  )
  return viewStore.query('matching-graphs', {}).map(({ version, component, size, graph }: Row) => ({
    name: `${version} ${component}`,
    size: size as number,
    works: (members.get(graph as number) ?? []).map(({ id }) => id).join(' '),
  }))
}

const partition = (watched: Watched) =>
  graphsIn(watched)
    .map(({ works }) => works)
    .sort()

const worksSent = ({ sent }: Watched) =>
  new Map(
    [...Map.groupBy(sent, ({ version, component }) => `${version} ${component}`)].map(([name, pieces]) => [
      name,
      {
        size: pieces[0]!.size,
        works: [...new Set(pieces.flatMap(({ members }) => members.map(([id]) => id)))].join(' '),
      },
    ]),
  )

/** Whether what is shown is whole, and the same as what was shown at this version before. */
const expectOneContent = (shown: Map<string, string>, name: string, size: number, works: string): void => {
  expect(`${name} ${works.split(' ').length}`).toBe(`${name} ${size}`)
  expect(works).toBe(shown.get(name) ?? works)
  shown.set(name, works)
}

describe('given a hub of six that falls apart, and a matcher that died in the middle of telling it', () => {
  const begin = async () => {
    const world = matcherWorld()
    const spokes = ['b', 'c', 'd', 'e', 'f']
    await world.observe('a')
    for (const id of spokes) await world.observe(id, ['a'])
    await drive(world, world.newMatcher({ split }))
    const watched = watch(world)
    await watched.follow()
    await world.observe('a', [], 'deleted')
    await dieAfter(world, 3, 'before')
    const told = watched.sent.length
    const before = graphsIn(watched)
    await watched.follow()
    return { world, watched, told, before }
  }

  test('when nobody goes on, then nothing of it is sent or shown', async () => {
    const { world, watched, told, before } = await begin()
    expect((await changesOf(world.store)).at(-1)).toMatchObject({ part: 2 })
    expect(watched.sent).toHaveLength(told)
    expect(graphsIn(watched)).toEqual(before)
    expect(watched.viewStore.query('matching-parts', {})).toHaveLength(3)
  })

  test('when another goes on, with newer facts, then one change of another version tells it all', async () => {
    const { world, watched, told } = await begin()
    const [abandoned] = (await changesOf(world.store)).slice(-1)
    await world.observe('b', ['c'])
    await drive(world, world.newMatcher({ split }))
    await watched.follow()
    await expectSettled(world)
    const versions = new Set(watched.sent.slice(told).map(({ version }) => version))
    expect(versions.size).toBe(1)
    expect(versions).not.toContain(abandoned!.version)
    expect(
      graphsIn(watched)
        .map(({ works }) => works)
        .sort(),
    ).toEqual(['a', 'b c', 'd', 'e', 'f'])
    expect(watched.viewStore.query('matching-parts', {})).toEqual([])
    // Two came with the history, and five have left since: once.
    const lost = history(watched.viewStore, 'b')?.filter(({ what }) => what === 'left' || what === 'lost')
    expect(lost).toHaveLength(1)
  })

  test('when the very same matcher goes on after the failure, then it finishes the change, under its version', async () => {
    const world = matcherWorld()
    await world.observe('a')
    for (const id of ['b', 'c', 'd']) await world.observe(id, ['a'])
    const matcher = world.newMatcher({ split })
    world.faults.push('none', 'before')
    await expect(drive(world, matcher, { patience: 0 })).rejects.toThrow('cut off')
    await world.observe('d')
    await drive(world, matcher)
    const changes = await changesOf(world.store)
    const [first] = Map.groupBy(changes, ({ version }) => version).values()
    expect(first?.flatMap(({ groups }) => groups.flatMap(({ members }) => members)).sort()).toEqual(
      ['a', 'b', 'c', 'd'].map((id) => [id, 0]),
    )
    await expectSettled(world)
  })
})

describe('given a stream of an older matcher, which died over a hub that fell apart and told of two of four', () => {
  test('when another goes on, then what was shown of it is put right, and what was not told is', async () => {
    const world = matcherWorld()
    await world.observe('a')
    for (const id of ['b', 'c', 'd']) await world.observe(id, ['a'])
    const [whole, ...half] = storedHalf.map((data) => event('GraphChanged', data))
    await world.append(graphStream(1), whole!)
    await world.observe('a', [], 'deleted')
    await world.append(graphStream(1), ...half)
    const watched = watch(world)
    await watched.follow()
    expect(partition(watched)).toEqual(['a c d', 'b'])

    await drive(world, world.newMatcher({ split }))
    await watched.follow()
    await expectSettled(world)
    expect(partition(watched)).toEqual(['a', 'b', 'c', 'd'])
    const after = watched.sent.filter(({ version }) => version > storedHalf[1]!.version)
    expect(after.map(({ component }) => component).sort()).toEqual(['a', 'b', 'c', 'd'])
    expect(new Set(after.map(({ version }) => version)).size).toBe(1)
  })
})

describe('given any graph', () => {
  const ids = Array.from({ length: 8 }, (_, i) => `w${i}`)
  const said = fc.record({
    id: fc.constantFrom(...ids),
    links: fc.uniqueArray(fc.constantFrom(...ids, 'p'), { maxLength: 2 }),
    state: fc.constantFrom<WorkState>('visible', 'visible', 'visible', 'deleted'),
  })
  const some = fc.array(said, { minLength: 1, maxLength: 12 })
  const life = fc.record({
    known: some,
    changed: some,
    newer: fc.array(said, { maxLength: 6 }),
    crashAt: fc.nat({ max: 12 }),
    fault: fc.constantFrom<Fault>('before', 'after'),
    maxAppendBytes: fc.constantFrom(1, 300, 1000),
  })
  const observe = async (
    world: World,
    facts: readonly (typeof said extends fc.Arbitrary<infer A> ? A : never)[],
  ) => {
    for (const { id, links, state } of facts)
      await world.observe(
        id,
        links.filter((to) => to !== id),
        state,
      )
  }
  test('when its matcher dies at any append and another goes on with newer facts, then it ends as if none had died, and no version is ever shown or sent with two contents, nor in part', async () => {
    await fc.assert(
      fc.asyncProperty(life, async ({ known, changed, newer, crashAt, fault, maxAppendBytes }) => {
        const limits = { ...split, maxAppendBytes }
        const [torn, plain] = [matcherWorld(), matcherWorld()]
        const [watched, uninterrupted] = [watch(torn), watch(plain)]
        const [shown, sent] = [new Map<string, string>(), new Map<string, string>()]
        const look = () => {
          for (const { name, size, works } of graphsIn(watched)) expectOneContent(shown, name, size, works)
          for (const [name, { size, works }] of worksSent(watched)) expectOneContent(sent, name, size, works)
        }
        await observe(torn, known)
        await drive(torn, torn.newMatcher({ split: limits }))
        await observe(torn, changed)
        await dieAfter(torn, crashAt, fault, limits)
        await watched.follow(look)
        await observe(torn, newer)
        await drive(torn, torn.newMatcher({ split: limits }))
        await watched.follow(look)

        for (const facts of [known, changed, newer]) {
          await observe(plain, facts)
          await drive(plain, plain.newMatcher({ split: limits }))
        }
        await uninterrupted.follow()
        await expectSettled(torn)
        expect(partition(watched)).toEqual(partition(uninterrupted))
        watched.viewStore.close()
        uninterrupted.viewStore.close()
      }),
      { numRuns: runs(100) },
    )
  })
})
