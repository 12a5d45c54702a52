import { expect, it } from 'vitest'
import { waitUntilIdle } from '#src/app/wait-until-idle.ts'
import { items } from '#src/domain/fixity/views.ts'
import { rows } from '#src/domain/kernel/read-views.ts'
import { registerFolder, started } from '../app/archive.ts'
import shapes from '../domain/fixity/bucket-events.json' with { type: 'json' }
import { startServer } from './server.ts'

it('notifications of a bucket are taken as they are sent, and make their objects due', async () => {
  const { system, request } = await startServer()
  await registerFolder(system, 'main', 's3://archive/main')
  await started(system, ['processors', 'reactions', 'projections'])
  await waitUntilIdle(system)
  for (const { message } of shapes) {
    const answer = await request({
      method: 'POST',
      url: '/api/v1/topics/fonds.fixity.bucket-events/messages',
      payload: JSON.stringify(message),
      headers: { 'content-type': 'application/json' },
    })
    expect(answer).toMatchObject({ status: 202, body: { refused: [] } })
  }
  await waitUntilIdle(system)
  const found = rows(system.viewStore, items).map(({ store, path, state }) => [store, path, state])
  expect(found).toEqual([
    ['main', 'a b.tif', 'unrecorded'],
    ['main', 'a+b %41.tif', 'unrecorded'],
    ['main', 'red flower+1.tif', 'unrecorded'],
  ])
})
