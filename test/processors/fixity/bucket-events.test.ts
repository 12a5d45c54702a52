import { beforeEach, describe, expect, it } from 'vitest'
import { itemStream } from '#src/domain/fixity/item.ts'
import { storeDecider } from '#src/domain/fixity/store/decide.ts'
import { defaultPolicy, storeStream } from '#src/domain/fixity/store/events.ts'
import type { Message } from '#src/domain/kernel/message.ts'
import { bucketEventsProcessor } from '#src/processors/fixity/bucket-events.ts'
import { routeTo } from '#src/processors/runtime/route.ts'
import { content, type FixityWorld, fixityWorld } from './world.ts'

let world: FixityWorld
beforeEach(async () => {
  world = fixityWorld()
  for (const [store, root] of [
    ['main', 's3://archive/main'],
    ['disk', '/srv/archive'],
  ] as const)
    await world.run(
      routeTo(storeDecider, storeStream(store), {
        type: 'RegisterStore',
        store,
        kind: 'folder',
        root,
        policy: defaultPolicy,
        actor: 'ada',
        at: world.clock.now(),
      }),
    )
  await world.fold()
})

const notified = (...changes: readonly (readonly [name: string, key: string])[]): Message => ({
  id: '1',
  source: 'bucket',
  type: 'bucket.notified',
  time: world.clock.now(),
  data: {
    Records: changes.map(([eventName, key]) => ({
      eventName,
      eventTime: world.clock.now(),
      s3: { bucket: { name: 'archive' }, object: { key } },
    })),
  },
})

describe('a notification of a bucket', () => {
  it('goes to the items of the store at that bucket, each once', async () => {
    const processor = bucketEventsProcessor(world)
    const message = notified(
      ['ObjectCreated:Put', 'main/a.tif'],
      ['ObjectCreated:Put', 'main/b.tif'],
      ['ObjectRemoved:Delete', 'main/a.tif'],
      ['ObjectCreated:Put', 'elsewhere/c.tif'],
    )
    const [routes] = await processor.route([message])
    expect(routes?.map(({ stream, command }) => [stream, command])).toEqual(
      [
        ['a.tif', true],
        ['b.tif', false],
      ].map(([path, isDeleted]) => [
        itemStream(content(String(path))),
        {
          type: 'SightContent',
          item: content(String(path)),
          isDeleted,
          sightedAt: world.clock.now(),
          actor: 'bucket',
          at: world.clock.now(),
        },
      ]),
    )
  })

  it('makes an object due that nobody recorded, and leaves it out of what is recorded', async () => {
    const [routes] = await bucketEventsProcessor(world).route([
      notified(['ObjectCreated:Put', 'main/new.tif']),
    ])
    for (const route of routes ?? []) await world.run(route)
    await world.fold()
    expect(world.row(content('new.tif'))).toMatchObject({
      state: 'unrecorded',
      recordedAt: null,
      queue: 'high',
      due: world.clock.now(),
    })
  })
})
