import { expect, it } from 'vitest'
import type { Message } from '#src/domain/kernel/message.ts'
import { indexingProcessor } from '#src/processors/indexing/processor.ts'
import { success } from '../../domain/indexing/commands.ts'
import { indexingWorld, named } from './world.ts'

const commandOf = async (type: string, data: object, more: Partial<Message> = {}) => {
  const { clock, policy } = indexingWorld()
  const message: Message = {
    id: '1',
    source: 'https://harvester.example',
    type,
    time: clock.now(),
    data: { ...named('a.warc'), ...data },
    ...more,
  }
  const [routes] = await indexingProcessor(policy, clock).route([message])
  expect(routes).toHaveLength(1)
  expect(routes?.[0]?.stream).toBe('indexing-main/a.warc')
  return routes?.[0]?.command
}

const place = { location: '/srv/a.warc', size: 1, modifiedAt: '2026-01-01T00:00:00.000Z' }
const by = { file: named('a.warc'), actor: 'https://harvester.example', at: '2026-01-31T12:00:00.000Z' }

it.each([
  ['file.sighted', { ...place, kind: 'metadata' }, { type: 'Sight', ...by, place, kind: 'metadata' }],
  ['file.sighted', { location: '/srv/a.warc' }, { type: 'Sight', place: { location: '/srv/a.warc' } }],
  ['file.adopted', place, { type: 'Adopt', ...by, place }],
  ['file.adopted', {}, { type: 'Adopt', ...by, place: undefined }],
  ['file.withdrawn', { reason: 'taken down' }, { type: 'Withdraw', ...by, reason: 'taken down' }],
  [
    'file.processed',
    { worker: 'w', fence: 3, outcome: success },
    { type: 'Report', ...by, fence: 3, outcome: success },
  ],
])('%s becomes a command on its file: %o', async (type, data, command) => {
  expect(await commandOf(type, data)).toMatchObject(command)
})

it('a message from the future counts from now, and an outcome always does', async () => {
  expect(await commandOf('file.sighted', place, { time: '2036-01-01T00:00:00.000Z' })).toMatchObject({
    at: by.at,
  })
  const old = { time: '2016-01-01T00:00:00.000Z' }
  expect(await commandOf('file.sighted', place, old)).toMatchObject({ at: old.time })
  expect(await commandOf('file.processed', { worker: 'w', fence: 1, outcome: success }, old)).toMatchObject({
    at: by.at,
  })
})
