import { beforeEach, describe, expect, it } from 'vitest'
import { storeDecider } from '#src/domain/fixity/store/decide.ts'
import { storeStream } from '#src/domain/fixity/store/events.ts'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import { addMillis, DAY } from '#src/domain/kernel/time.ts'
import {
  checkNeighbours,
  checkReturned,
  maxNeighbours,
  spreadRevivals,
  spreadStoreChecks,
} from '#src/processors/fixity/reactions.ts'
import type { Route } from '#src/processors/runtime/processor.ts'
import type { Reaction } from '#src/processors/runtime/reaction.ts'
import { content, type FixityWorld, fixityWorld, record, seen } from './world.ts'

let world: FixityWorld
beforeEach(() => {
  world = fixityWorld()
})

const viewsReach = () => world.fold()
const spread = () => spreadStoreChecks(world, viewsReach)
const neighbours = () => checkNeighbours(world, viewsReach)
const never = new AbortController().signal

/** Lets a reaction have its effect. The paths it asked about; those where it changed something. */
const hear = async (reaction: Reaction, event: RecordedEvent) => {
  const [asked, changed]: [string[], string[]] = [[], []]
  for await (const routes of reaction.react(event, never))
    for (const route of routes) {
      const path = route.stream.slice(route.stream.indexOf('/') + 1)
      const { paths = [path] } = route.command as { readonly paths?: readonly string[] }
      asked.push(...paths)
      if ((await world.run(route, event.id)).kind === 'done') changed.push(...paths)
    }
  await world.fold()
  return { asked, changed }
}

const verified = async (...paths: readonly string[]) => {
  for (const path of paths) {
    await world.on(content(path), record())
    await world.on(content(path), seen(world.clock) as never)
  }
}

/** An item that goes bad: F2, at once. The event that says so. */
const fail = async (path: string): Promise<RecordedEvent> => {
  await world.clock.advance(1)
  await world.on(content(path), seen(world.clock, 'b') as never)
  return (await world.streamOf(content(path))).findLast(({ type }) => type === 'FixityDecided')!
}

describe('a check of a store', () => {
  const request = async (prefix: string): Promise<RecordedEvent> => {
    await world.run({
      decider: storeDecider,
      stream: storeStream('main'),
      command: {
        type: 'RequestStoreCheck',
        store: 'main',
        prefix,
        queue: 'high',
        reason: 'r',
        at: world.clock.now(),
        actor: 'ada',
      },
    } as unknown as Route)
    const read = await world.eventStore.readAll(-1n, { types: ['StoreCheckRequested'] }, 1000)()
    return 'right' in read ? read.right.events.at(-1)! : expect.fail('the log is away')
  }
  beforeEach(() => world.register('main', { intervalDays: 90, lagSeconds: 0, replica: false }))

  it('is due now, though the log’s times are tomorrow’s: a clock ran ahead, and they never go back', async () => {
    await verified('a')
    const asked = await request('')
    const ahead = { ...asked, recordedAt: addMillis(asked.recordedAt, DAY) }
    await hear(spread(), ahead)
    expect(world.viewStore.query('fixity-requests', {})).toMatchObject([
      { store: 'main', queue: 'high', due: world.clock.now(), paths: ['a'] },
    ])
  })

  it('asks for every item, a page at a time', async () => {
    const paths = Array.from({ length: 501 }, (_, i) => `${String(i).padStart(3, '0')}`)
    await verified(...paths)
    await world.clock.advance(1000)
    const { changed } = await hear(spread(), await request(''))
    expect(changed).toEqual(paths)
    expect(world.viewStore.query('fixity-requests', {})).toMatchObject([
      { queue: 'high', due: world.clock.now(), items: 501, paths },
    ])
  })

  it('leaves out what was removed, and other stores', async () => {
    await verified('a', 'b')
    await world.on(content('b'), {
      type: 'RemoveContent',
      policy: { intervalDays: 90, lagSeconds: 0, replica: false },
    } as never)
    await world.on(content('c', 'other'), record())
    await world.clock.advance(1000)
    expect((await hear(spread(), await request(''))).asked).toEqual(['a'])
  })

  it.each([
    ['%', ['%/1']],
    ['_', ['_/1']],
    ['ä/', ['ä/1', 'ä/2']],
    ['ä', ['ä/1', 'ä/2', 'äb/1']],
    ['\u{10ffff}', ['\u{10ffff}/1']],
    ['no such', []],
  ])('below %o takes that alone, byte for byte', async (prefix, expected) => {
    await verified('%/1', '_/1', 'a/1', 'ä/1', 'ä/2', 'äb/1', '\u{10ffff}/1')
    await world.clock.advance(1000)
    expect((await hear(spread(), await request(prefix))).changed).toEqual(expected)
  })

  it('heard again changes nothing', async () => {
    await verified('a', 'b')
    await world.clock.advance(1000)
    const event = await request('')
    expect((await hear(spread(), event)).changed).toEqual(['a', 'b'])
    expect((await hear(spread(), event)).changed).toEqual([])
  })

  it('asks for nothing that waits in a request of before, in a queue that is no later', async () => {
    await verified('a', 'b', 'c')
    await world.clock.advance(1000)
    await hear(spread(), await request('b'))
    await world.clock.advance(1000)
    expect((await hear(spread(), await request(''))).asked).toEqual(['a', 'c'])
    expect((await hear(spread(), await request(''))).asked).toEqual([])
  })

  it('heard again long after, when the views were lost, asks for nothing that was seen since', async () => {
    await world.on(content('a'), record())
    const event = await request('')
    await world.clock.advance(1000)
    await verified('a', 'b')
    expect((await hear(spread(), event)).asked).toEqual([])
  })
})

describe('after a failure', () => {
  it('its neighbours come first: in the same folder or below', async () => {
    await verified('a/1', 'a/2', 'a/b/3', 'ab/4', '5')
    await world.clock.advance(2 * DAY)
    expect((await hear(neighbours(), await fail('a/2'))).changed.toSorted()).toEqual(['a/1', 'a/b/3'])
    expect(world.row(content('a/1'))).toMatchObject({ queue: 'high', available: world.clock.now() })
  })

  it('100 at most, the nearest on both sides', async () => {
    const paths = Array.from({ length: 300 }, (_, i) => String(i).padStart(3, '0'))
    await verified(...paths)
    await world.clock.advance(2 * DAY)
    const middle = await hear(neighbours(), await fail('150'))
    expect(middle.changed.toSorted()).toEqual([...paths.slice(100, 150), ...paths.slice(151, 201)])
    const edge = await hear(neighbours(), await fail('299'))
    expect(edge.changed).toHaveLength(maxNeighbours - 2)
    expect(edge.asked.toSorted()).toEqual(paths.slice(199, 299))
  })

  it('not those that were seen within a day', async () => {
    await verified('a', 'c')
    await world.clock.advance(DAY / 2)
    await verified('d')
    await world.clock.advance(DAY / 2 + 1000)
    expect((await hear(neighbours(), await fail('c'))).asked).toEqual(['a'])
  })

  it('nor what is known to be bad, is parked, was removed or is being looked at', async () => {
    await verified('a', 'bad', 'gone', 'running', 'stuck', 'x')
    await world.clock.advance(2 * DAY)
    await fail('bad')
    await world.clock.advance(2 * DAY)
    await world.on(content('gone'), {
      type: 'RemoveContent',
      policy: { intervalDays: 90, lagSeconds: 0, replica: false },
    } as never)
    const broken = { content: { status: 'failed', error: 'no route' } }
    await world.on(content('running'), { ...seen(world.clock), ...broken } as never)
    for (let i = 0; i < 3; i++) {
      await world.clock.advance(1)
      await world.on(content('stuck'), { ...seen(world.clock), ...broken } as never)
    }
    expect((await hear(neighbours(), await fail('x'))).asked).toEqual(['a'])
    expect(world.row(content('running'))).toMatchObject({ attempts: 1 })
  })

  it('heard again asks for the same ones, and changes nothing', async () => {
    const paths = Array.from({ length: 250 }, (_, i) => String(i).padStart(3, '0'))
    await verified(...paths)
    await world.clock.advance(2 * DAY)
    const event = await fail('000')
    const first = await hear(neighbours(), event)
    expect(first.changed).toEqual(paths.slice(1, 101))
    await world.clock.advance(1000)
    await world.on(content('001'), seen(world.clock) as never)
    expect((await hear(neighbours(), event)).changed).toEqual([])
  })

  it('says nothing after other outcomes', async () => {
    await verified('a', 'b')
    const [, success] = await world.streamOf(content('a'))
    expect((await hear(neighbours(), success!)).asked).toEqual([])
  })

  it('bad neighbours do not call each other for ever', async () => {
    const bad = ['1', '2', '3']
    await verified(...bad, '4')
    await world.clock.advance(2 * DAY)
    const waiting = [await fail('1')]
    let calls = 0
    for (let event = waiting.shift(); event && calls < 50; event = waiting.shift()) {
      const { changed } = await hear(neighbours(), event)
      calls += changed.length
      for (const path of changed)
        if (bad.includes(path)) waiting.push(await fail(path))
        else await world.on(content(path), seen(world.clock) as never)
      await world.clock.advance(60_000)
    }
    expect(calls).toBe(3)
  })
})

/** An item whose check could not be done three times. */
const parkItem = async (path: string) => {
  await world.on(content(path), record())
  for (let i = 0; i < 3; i++) {
    await world.clock.advance(1)
    const failed = { content: { status: 'failed', error: 'EIO' }, storage: { status: 'missing' } }
    await world.on(content(path), { ...seen(world.clock), ...failed } as never)
  }
}

const onStore = async (command: object): Promise<RecordedEvent> => {
  const by = { store: 'main', at: world.clock.now(), actor: 'ada', reason: 'mounted' }
  await world.run({
    decider: storeDecider,
    stream: storeStream('main'),
    command: { ...by, ...command },
  } as unknown as Route)
  return (await world.eventsOf(storeStream('main'))).at(-1)!
}
const registerFolder = () =>
  onStore({
    type: 'RegisterStore',
    kind: 'folder',
    root: '/srv',
    policy: { intervalDays: 90, lagSeconds: 0, replica: false },
  })

describe('a revival of a store', () => {
  it('revives what is parked below the prefix, and nothing else', async () => {
    await registerFolder()
    await verified('a/1')
    for (const path of ['a/2', 'a/3', 'b/4']) await parkItem(path)
    const event = await onStore({ type: 'RequestRevival', prefix: 'a/' })
    expect(await hear(spreadRevivals(world, viewsReach), event)).toEqual({
      asked: ['a/2', 'a/3'],
      changed: ['a/2', 'a/3'],
    })
    expect(world.row(content('a/2'))).toMatchObject({ parked: 0, queue: 'high' })
    expect(world.row(content('b/4'))).toMatchObject({ parked: 1 })
  })
})

describe('a store that is there again', () => {
  const sight = (isThere: boolean, place = 'one') => onStore({ type: 'Sight', isThere, place, why: 'empty' })
  const missing = async (path: string) => {
    const gone = { content: { status: 'missing' }, storage: { status: 'missing' } }
    for (let i = 0; i < 3; i++) {
      await world.clock.advance(1)
      await world.on(content(path), { ...seen(world.clock), ...gone } as never)
    }
  }

  it('has looked at again what came to nothing: parked checks, and what was missed since', async () => {
    await registerFolder()
    for (const path of ['before', 'bad', 'sound', 'missed']) await verified(path)
    await missing('before')
    await fail('bad')
    await parkItem('parked')
    await world.clock.advance(1000)
    await sight(false)
    await world.clock.advance(1000)
    await missing('missed')
    await world.clock.advance(1000)
    const event = await sight(true)
    expect(event.type).toBe('StoreReturned')
    await world.fold()
    expect((await hear(checkReturned(world, viewsReach), event)).changed).toEqual(['parked', 'missed'])
    expect(world.row(content('parked'))).toMatchObject({ parked: 0, queue: 'high' })
  })

  it('on one machine, while another had it all along, changes nothing', async () => {
    await registerFolder()
    await parkItem('parked')
    await sight(false)
    await sight(true, 'two')
    await world.clock.advance(1000)
    await sight(false, 'three')
    await world.clock.advance(1000)
    const event = await sight(true, 'three')
    expect(event).toMatchObject({ type: 'StoreReturned', data: { place: 'three' } })
    expect((await hear(checkReturned(world, viewsReach), event)).asked).toEqual([])
  })
})
