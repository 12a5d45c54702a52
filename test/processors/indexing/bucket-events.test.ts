import { describe, expect, it } from 'vitest'
import { fileStream } from '#src/domain/indexing/file.ts'
import type { Message } from '#src/domain/kernel/message.ts'
import { bucketEventsProcessor } from '#src/processors/indexing/bucket-events.ts'
import { indexingWorld } from './world.ts'

const sources = [
  { repository: 'main', location: 's3://archive/crawls' },
  { repository: 'all', location: 's3://archive/' },
]

const route = async (...changes: readonly (readonly [name: string, key: string, size?: number])[]) => {
  const world = indexingWorld()
  const message: Message = {
    id: '1',
    source: 'bucket',
    type: 'bucket.notified',
    time: world.clock.now(),
    data: {
      Records: changes.map(([eventName, key, size]) => ({
        eventName,
        eventTime: world.clock.now(),
        s3: { bucket: { name: 'archive' }, object: { key, ...(size !== undefined && { size }) } },
      })),
    },
  }
  const [routes = []] = await bucketEventsProcessor(world.policy, world.clock, () => sources).route([message])
  return { world, routes }
}

describe('a notification of a bucket', () => {
  it('W7 sights a new object in each repository whose source it is below', async () => {
    const { routes } = await route(['ObjectCreated:Put', 'crawls/2026/a+b.warc.gz', 7])
    expect(routes.map(({ stream, command }) => [stream, command])).toMatchObject(
      ['main', 'all'].map((repository) => [
        fileStream({ repository, name: 'a b.warc.gz' }),
        { type: 'Sight', place: { location: 's3://archive/crawls/2026/a b.warc.gz', size: 7 } },
      ]),
    )
  })

  it('W4 has no effect where an object was deleted, lies elsewhere, or is left out by a walk, too', async () => {
    const { routes } = await route(
      ['ObjectRemoved:Delete', 'crawls/a.warc.gz'],
      ['ObjectCreated:Put', 'crawls/.hidden/a.warc.gz'],
      ['ObjectCreated:Put', 'crawls/a.warc.gz.tmp'],
      ['ObjectCreated:Put', 'crawls/x/../a.warc.gz'],
      ['ObjectCreated:Put', 'crawls//a.warc.gz'],
      ['ObjectCreated:Put', 'crawls/'],
    )
    expect(routes).toEqual([])
    const { routes: other } = await route(['ObjectCreated:Put', 'crawlsx/a.warc.gz'])
    expect(other.map(({ stream }) => stream)).toEqual([fileStream({ repository: 'all', name: 'a.warc.gz' })])
  })

  it('makes the file due, and a listing that shows it later adds its date without another job', async () => {
    const { world, routes } = await route(['ObjectCreated:Put', 'crawls/a.warc.gz', 7])
    const file = { repository: 'main', name: 'a.warc.gz' }
    expect(routes).toHaveLength(2)
    for (const one of routes) await world.run(one)
    const place = { location: 's3://archive/crawls/a.warc.gz', size: 7, modifiedAt: world.clock.now() }
    await world.on(file, { type: 'Sight', place, policy: world.policy })
    const types = (await world.eventsOf(fileStream(file))).map(({ type }) => type)
    expect(types).toEqual(['FileDiscovered', 'FileMoved'])
  })
})
