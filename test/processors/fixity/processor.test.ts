import { beforeEach, describe, expect, it } from 'vitest'
import { itemStream } from '#src/domain/fixity/item.ts'
import { defaultPolicy } from '#src/domain/fixity/store/events.ts'
import type { Message } from '#src/domain/kernel/message.ts'
import { fixityLookups } from '#src/processors/fixity/lookups.ts'
import { fixityProcessor } from '#src/processors/fixity/processor.ts'
import { content, type FixityWorld, fixityWorld, record, seen, sha } from './world.ts'

let world: FixityWorld
beforeEach(() => {
  world = fixityWorld()
})

const item = content('letters/1.tif')
const message = (type: string, data: object = {}, more: Partial<Message> = {}): Message => ({
  id: '1',
  source: 'https://repository.example',
  type,
  time: world.clock.now(),
  data: { ...item, ...data },
  ...more,
})
const observed = (data: object = {}, more: Partial<Message> = {}) => {
  const { content: bytes, storage } = seen(world.clock)
  return message(
    'content.observed',
    { content: bytes, storage, observedAt: world.clock.now(), ...data },
    more,
  )
}
const route = async (...messages: readonly Message[]) => {
  const lookups = fixityLookups(world)
  const routes = await fixityProcessor(lookups, world.clock).route(messages)
  return routes.flat()
}
const commandOf = async (one: Message) => (await route(one))[0]?.command
/** A command while the views do not move: time goes on until its look-ups lose their patience. */
const commandInTime = async (one: Message) => {
  const routed = commandOf(one)
  await world.clock.advance(10_000)
  return routed
}

describe('a message becomes a command on its item’s stream', () => {
  it('content.recorded', async () => {
    const [routed] = await route(
      message('content.recorded', { checksums: [sha('a')], size: 1, version: 'v1' }),
    )
    expect(routed?.stream).toBe(itemStream(item))
    expect(routed?.command).toEqual({
      type: 'RecordContent',
      item,
      actor: 'https://repository.example',
      at: world.clock.now(),
      checksums: [sha('a')],
      size: 1,
      version: 'v1',
      recordedFrom: 'https://repository.example',
    })
  })

  it('content.recorded, by the word of a manifest', async () => {
    const data = { checksums: [], recordedFrom: 'manifest-sha256.txt' }
    expect(await commandOf(message('content.recorded', data))).toMatchObject({
      recordedFrom: 'manifest-sha256.txt',
    })
  })

  it.each([
    [
      'content.removed',
      { reason: 'withdrawn' },
      { type: 'RemoveContent', reason: 'withdrawn', policy: defaultPolicy },
    ],
    ['index.recorded', { checksums: [], size: 2 }, { type: 'RecordIndex', checksums: [], size: 2 }],
    ['index.removed', {}, { type: 'RemoveIndex' }],
    [
      'content.sighted',
      { sightedAt: '2020-01-31T12:00:00.000Z' },
      { type: 'SightContent', isDeleted: false, sightedAt: '2020-01-31T12:00:00.000Z' },
    ],
    [
      'content.sighted',
      { sightedAt: '2020-01-31T12:00:00.000Z', isDeleted: true },
      { type: 'SightContent', isDeleted: true },
    ],
  ])('%s', async (type, data, command) => {
    expect(await commandOf(message(type, data))).toMatchObject({ item, ...command })
  })

  it('content.observed', async () => {
    const data = { fence: 3, worker: 'w', index: { status: 'absent' }, audit: { status: 'removed' } }
    expect(await commandOf(observed(data))).toMatchObject({
      type: 'Observe',
      item,
      content: { status: 'read' },
      storage: { status: 'present' },
      observedIndex: { status: 'absent' },
      index: { status: 'absent' },
      audit: { status: 'removed' },
      fence: 3,
      worker: 'w',
      policy: defaultPolicy,
    })
  })

  it('many at once keep their order', async () => {
    const some = [
      observed(),
      message('index.removed'),
      observed(),
      message('content.recorded', { checksums: [] }),
    ]
    const types = (await route(...some)).map(({ command }) => command.type)
    expect(types).toEqual(['Observe', 'RemoveIndex', 'Observe', 'RecordContent'])
  })
})

describe('times', () => {
  const [early, late] = ['2025-01-01T00:00:00.000Z', '2030-01-01T00:00:00.000Z']
  it('of the past stand', async () => {
    expect(await commandOf(message('index.removed', {}, { time: early }))).toMatchObject({ at: early })
    expect(await commandOf(observed({ observedAt: early }, { time: early }))).toMatchObject({
      at: world.clock.now(),
      observedAt: early,
    })
  })
  it('of the future are now', async () => {
    const now = world.clock.now()
    expect(await commandOf(message('index.removed', {}, { time: late }))).toMatchObject({ at: now })
    expect(await commandOf(observed({ observedAt: late }))).toMatchObject({ observedAt: now })
  })
})

it('each store’s own rules hold', async () => {
  const policy = { intervalDays: 7, lagSeconds: 1, replica: true }
  await world.register('ruled', policy)
  const [ruled, wild] = await route(observed({ store: 'ruled' }), observed({ store: 'wild' }))
  expect(ruled?.command).toMatchObject({ policy })
  expect(wild?.command).toMatchObject({ policy: defaultPolicy })
})

describe('the word of our own index', () => {
  it('is what was recorded', async () => {
    await world.on(item, { ...record(), size: 4 } as never)
    await world.fold()
    expect(await commandOf(observed())).toMatchObject({
      index: { status: 'recorded', checksums: [sha('a')], size: 4 },
    })
  })

  it('is waited for', async () => {
    await world.on(item, record())
    const routed = commandOf(observed())
    await world.clock.advance(100)
    await world.fold()
    await world.clock.advance(100)
    expect(await routed).toMatchObject({ index: { status: 'recorded' } })
  })

  it('is absent once the content was removed', async () => {
    await world.on(item, record())
    await world.on(item, { type: 'RemoveContent', policy: defaultPolicy } as never)
    await world.fold()
    expect(await commandOf(observed())).toMatchObject({ index: { status: 'absent' } })
  })

  it('is absent of an item that nobody spoke of', async () => {
    expect(await commandOf(observed())).toMatchObject({ index: { status: 'absent' } })
  })

  it('lags where the views are behind for too long, by positions', async () => {
    await world.on(item, record())
    await world.fold()
    await world.on(item, record('b'))
    expect(await commandInTime(observed())).toMatchObject({
      index: { status: 'lagging', behind: '0', needed: '1' },
    })
  })

  it('lags where there are no views yet', async () => {
    await world.on(item, record())
    expect(await commandInTime(observed())).toMatchObject({
      index: { status: 'lagging', behind: '-1', needed: '0' },
    })
  })

  it('is not asked for other messages', async () => {
    await world.on(item, record())
    expect(await commandOf(message('index.removed'))).toMatchObject({ type: 'RemoveIndex' })
  })

  it('stands behind that of an outside index', async () => {
    await world.on(item, record())
    await world.on(item, { type: 'RecordIndex', checksums: [sha('c')] } as never)
    await world.fold()
    const [routed] = await route(observed())
    await world.run(routed!)
    const decision = (await world.streamOf(item)).find(({ type }) => type === 'FixityDecided')
    expect(decision?.data).toMatchObject({ row: 'F5', pattern: 'AABA' })
  })
})

describe('what it depends on', () => {
  it('away: the batch waits', async () => {
    await world.on(item, record())
    world.eventStore.goAway()
    await expect(route(observed())).rejects.toMatchObject({ name: 'UnavailableError' })
  })

  it('deleted for good: the message is planned, and refused where it gets to', async () => {
    await world.on(item, record())
    await world.eventStore.deleteStream(itemStream(item), 'any', 'tombstone')()
    expect(await commandOf(observed())).toMatchObject({ type: 'Observe', index: { status: 'absent' } })
  })
})
