import { left } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { waitUntilIdle } from '../../../src/app/wait-until-idle.ts'
import { startServer } from '../server.ts'

const topic = 'fonds.fixity.content'
const message = { topic, key: 'k', headers: {}, value: 'x' }

it('topics show who reads them and what waits', async () => {
  const { system, get } = await startServer({
    roles: ['processors', 'reactions', 'projections'],
    settings: { partitions: 2 },
  })
  await system.broker.produce([message, message])()
  await waitUntilIdle(system)
  const { body } = await get('/api/v1/topics')
  const content = body.topics.find(({ name }: { name: string }) => name === topic)
  expect(content.types).toEqual(['content.recorded', 'content.removed'])
  expect(content.madeBy).toBe('anybody')
  expect(body.topics.find(({ name }: { name: string }) => name === 'fonds.fixity.events').madeBy).toBe(
    'fonds',
  )
  expect(content.partitions.map(({ end }: { end: string }) => end).sort()).toEqual(['0', '2'])
  expect(content.groups).toHaveLength(1)
  expect(content.groups[0]).toMatchObject({ lag: '0', members: [{ partitions: expect.anything() }] })
  expect(content.groups[0].partitions).toHaveLength(2)
})

it('topics that nobody reads have no groups', async () => {
  const { get } = await startServer()
  const { body } = await get('/api/v1/topics')
  expect(body.topics).not.toHaveLength(0)
  for (const { groups } of body.topics) expect(groups).toEqual([])
})

it('topics cannot be shown while the broker is away', async () => {
  const unavailable = () => async () => left({ kind: 'Unavailable', reason: 'no connection' } as const)
  const { get } = await startServer({
    replace: ({ broker }) => ({ broker: { ...broker, topics: unavailable } }),
  })
  expect(await get('/api/v1/topics')).toMatchObject({
    status: 503,
    body: { code: 'away', detail: expect.stringContaining('no connection') },
  })
})
