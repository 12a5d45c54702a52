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
  const [routes] = await indexingProcessor(policy, clock, refusedLocation).route([message])
  expect(routes).toHaveLength(1)
  expect(routes?.[0]?.stream).toBe('indexing-main/a.warc')
  return routes?.[0]?.command
}

const refusedLocation = (location?: string) => (location === '/etc/passwd' ? 'not over HTTP' : undefined)

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

it('what came over HTTP is marked, and names no file of this machine that it may not', async () => {
  const location = 'https://host.example/a.warc'
  expect(await commandOf('file.sighted', { location }, { foreign: true })).toMatchObject({
    place: { location, foreign: true },
  })
  expect(await commandOf('file.adopted', { location }, { foreign: true })).toMatchObject({
    place: { location, foreign: true },
  })
  expect(await commandOf('file.sighted', { location, foreign: true })).toMatchObject({ place: { location } })
  const { clock, policy } = indexingWorld()
  for (const [type, foreign, is] of [
    ['file.sighted', true, 'Left'],
    ['file.adopted', true, 'Left'],
    ['file.sighted', undefined, 'Right'],
  ] as const) {
    const data = { ...named('a.warc'), location: '/etc/passwd' }
    const message = { id: '1', source: 's', type, time: clock.now(), data, ...(foreign && { foreign }) }
    const [[route] = []] = await indexingProcessor(policy, clock, refusedLocation).route([message])
    const { decider, command } = route as unknown as {
      decider: { initial: object; decide: (command: object, state: object) => object }
      command: object
    }
    expect(decider.decide(command, decider.initial)).toMatchObject({
      _tag: is,
      ...(foreign && { left: { code: 'foreign-location', message: 'not over HTTP' } }),
    })
  }
})
