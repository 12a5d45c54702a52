import { beforeEach, describe, expect, test } from 'vitest'
import { graphStream } from '../../../src/domain/matching/graph/events.ts'
import { workStream } from '../../../src/domain/matching/work.ts'
import type { Subscription } from '../../../src/processors/runtime/leader-subscription.ts'
import { event } from '../../contracts/new-event.ts'
import {
  changesOf,
  drive,
  eventsIn,
  expectSettled,
  graphEventsOf,
  headOf,
  matcherWorld,
  published,
  type World,
} from './matcher-world.ts'

let world: World
let matching: Subscription

beforeEach(() => {
  world = matcherWorld()
  matching = world.newMatcher()
})

const publishedNow = async (generation = 1) => published(await changesOf(world.store, generation))
const seconds = (count: number) => world.clock.advance(count * 1000)

describe('what a change says', () => {
  test('its facts, the components they touched, and up to where all facts have been published', async () => {
    await world.observe('b', ['a'])
    await world.observe('a', ['x', 'y'])
    const head = await headOf(world.store)
    await drive(world, matching)
    expect(await graphEventsOf(world.store)).toEqual([
      {
        type: 'GraphChanged',
        data: {
          version: Date.parse('2026-01-01T00:00:00.000Z') * 1000,
          timeSent: '2026-01-01T00:00:00.000Z',
          through: head.toString(),
          last: { work: 'a', revision: 0 },
          part: 0,
          parts: 1,
          causes: [
            {
              work: 'a',
              revision: 0,
              type: 'WorkObserved',
              made: [
                ['a', 'x', 0],
                ['a', 'y', 0],
              ],
            },
            { work: 'b', revision: 0, type: 'WorkObserved', made: [['b', 'a', 0]] },
          ],
          groups: [
            {
              component: 'a',
              size: 2,
              piece: 0,
              pieces: 1,
              members: [
                ['a', 0],
                ['b', 0],
              ],
              placeholders: ['x', 'y'],
            },
          ],
          dropped: [],
        },
      },
    ])
    const [first] = await eventsIn(world.store, workStream('b'))
    const [change] = await eventsIn(world.store, graphStream(1))
    expect(change!.metadata).toEqual({
      actor: 'fonds/matcher',
      causationId: first!.id,
      correlationId: 'conversation',
      schema: 1,
    })
    expect(matching.ownCheckpoint!.reached()).toBe(await headOf(world.store))
  })

  test('placeholders that nobody names any more', async () => {
    await world.observe('a', ['x', 'y'])
    await drive(world, matching)
    await world.observe('a', ['y'])
    await drive(world, matching)
    expect((await changesOf(world.store)).map(({ dropped }) => dropped)).toEqual([[], ['x']])
  })

  test('M3: every group of a change has the same time and version', async () => {
    await world.observe('a')
    await world.observe('b')
    await drive(world, matching)
    const [change, ...others] = await changesOf(world.store)
    expect(change!.groups.map(({ component }) => component)).toEqual(['a', 'b'])
    expect(others).toEqual([])
  })

  test('M4: who shares a component gets the version of the change; others keep theirs', async () => {
    await world.observe('a', ['b'])
    await world.observe('b')
    await world.observe('c')
    await drive(world, matching)
    seconds(5)
    await world.observe('b')
    await drive(world, matching)
    const changes = await changesOf(world.store)
    expect(published(changes)).toEqual(['a b, c', 'a b'])
    expect(changes[1]!.timeSent).toBe('2026-01-01T00:00:05.000Z')
    expect(changes[1]!.version).toBe(changes[0]!.version + 5_000_000)
  })

  test('M6, M13: a link that goes moves the version of both sides, in one change', async () => {
    await world.observe('a', ['b'])
    await world.observe('b')
    await drive(world, matching)
    await world.observe('a')
    await drive(world, matching)
    expect(await publishedNow()).toEqual(['a b', 'a, b'])
    await expectSettled(world)
  })

  test('the worked example: A and D keep their version, B and C get a new one', async () => {
    for (const [id, link] of ['ab', 'cd', 'dc'] as const) await world.observe(id!, [link!])
    await world.observe('b')
    await drive(world, matching)
    for (const [id, link] of ['da', 'ad', 'cb', 'bc'] as const) {
      seconds(1)
      await world.observe(id!, [link!])
      await drive(world, matching)
    }
    expect(await publishedNow()).toEqual(['a b, c d', 'a b c d', 'a c d, b', 'a d, b c', 'b c'])
    await expectSettled(world)
  })

  test('Deletion of a lone work: a group of one', async () => {
    await world.observe('a')
    await drive(world, matching)
    await world.observe('a', [], 'deleted')
    await drive(world, matching)
    expect(await publishedNow()).toEqual(['a', 'a'])
  })

  test('M18: a component that a person wants again is published again, though nothing changed', async () => {
    await world.observe('a', ['b'])
    await world.observe('b')
    await drive(world, matching)
    await world.append(workStream('a'), event('ResendRequested', { reason: 'lost', at: world.clock.now() }))
    await drive(world, matching)
    const [, again] = await changesOf(world.store)
    expect(again).toMatchObject({
      causes: [{ work: 'a', revision: 1, type: 'ResendRequested' }],
      groups: [
        {
          members: [
            ['a', 1],
            ['b', 0],
          ],
        },
      ],
    })
    await expectSettled(world)
  })

  test('a component of 5,000 works goes in pieces, of one version, and through when all are there', async () => {
    const ids = Array.from({ length: 5000 }, (_, i) => `w${String(i).padStart(4, '0')}`)
    for (const [i, id] of ids.entries()) await world.observe(id, [ids[i + 1] ?? ids[0]!])
    await drive(world, matching, { batchSize: 10_000 })
    const changes = await changesOf(world.store)
    expect(changes.length).toBeGreaterThan(9)
    expect(new Set(changes.map(({ version }) => version)).size).toBe(1)
    await expectSettled(world)
  })

  test('Component above the alarm size: processed, the alarm raised, once', async () => {
    const matching = world.newMatcher({ alarmSize: 3 })
    for (const [id, link] of [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
      ['x', 'y'],
      ['y', 'x'],
    ] as const)
      await world.observe(id, [link])
    await drive(world, matching)
    await world.observe('b', ['a'])
    await drive(world, matching)
    expect(world.warnings).toMatchObject([
      { component: 'a', works: 3, msg: expect.stringContaining('too large') },
    ])
    await expectSettled(world)
  })

  test('long ids: a change is several appends, and the last of them alone says through', async () => {
    const ids = Array.from({ length: 400 }, (_, i) => `${i}`.padEnd(2000, 'x'))
    for (const [i, id] of ids.entries()) await world.observe(id, [ids[i + 1] ?? ids[0]!])
    const head = await headOf(world.store)
    await drive(world, matching)
    expect(world.appends.length).toBeGreaterThan(3)
    const last = world.appends.at(-1)!.ids.length
    const throughs = (await changesOf(world.store)).map(({ through }) => through)
    expect(throughs.slice(0, -last).every((through) => through === '-1')).toBe(true)
    expect(throughs.slice(-last).every((through) => through === `${head}`)).toBe(true)
    await expectSettled(world)
  })
})

describe('versions', () => {
  test('Two results in one clock tick: the later one is higher', async () => {
    await world.observe('a')
    await drive(world, matching)
    await world.observe('a')
    await drive(world, matching)
    const [first, second] = await changesOf(world.store)
    expect(second!.version).toBe(first!.version + 1)
    expect(second!.timeSent).toBe(first!.timeSent)
  })

  test('Clock steps back: versions and times do not, also of the next process', async () => {
    seconds(60)
    await world.observe('a')
    await drive(world, matching)
    seconds(-30)
    await world.observe('a')
    await drive(world, matching)
    seconds(-30)
    await world.observe('a')
    await drive(world, world.newMatcher())
    const changes = await changesOf(world.store)
    expect(changes.map(({ version }) => version - changes[0]!.version)).toEqual([0, 1, 2])
    expect(new Set(changes.map(({ timeSent }) => timeSent))).toEqual(new Set(['2026-01-01T00:01:00.000Z']))
  })
})
