import * as TE from 'fp-ts/lib/TaskEither.js'
import { expect, it, vi } from 'vitest'
import { startRoles } from '../../../src/app/roles.ts'
import { waitUntilIdle } from '../../../src/app/wait-until-idle.ts'
import type { GroupInfo } from '../../../src/ports/broker.ts'
import { startServer } from '../server.ts'

const later = '9999-01-01T00:00:00.000Z'
const ofOthers: GroupInfo = {
  group: 'others',
  members: [
    ...['reading-room-12-0a1b2c3d', 'reading-room-13-0a1b2c3d@9.9.9'],
    'fonds-0197a3c4-0000-7000-8000-000000000001',
  ]
    .map((member) => ({ member, partitions: [], aliveUntil: later }))
    .concat([{ member: 'gone', partitions: [], aliveUntil: '2026-01-31T12:00:00.000Z' }]),
  partitions: [],
}

it('a process says what it is, and who has the work that one at a time does', async () => {
  const { get, system } = await startServer()
  const leases = async () => (await get('/api/v1/nodes')).body.leases
  const nobody = { holder: null, until: null }
  expect(await leases()).toEqual([
    { lease: 'reactions', ...nobody },
    { lease: 'relay', ...nobody },
  ])
  const running = await startRoles(system, ['reactions'])
  await vi.waitUntil(async () => (await leases())[0].holder !== null)
  const { body } = await get('/api/v1/nodes')
  expect(body.answering).toMatchObject({ pid: process.pid, node: process.version })
  expect(body.leases[0].holder).toContain(String(process.pid))
  expect(body.leases[0].until > system.clock.now()).toBe(true)
  const { version } = body.answering
  expect(body.nodes).toMatchObject([{ pid: process.pid, version, isAnswering: true, leases: ['reactions'] }])
  await running.stop()
  expect((await leases())[0].holder).toBe(null)
  expect((await get('/api/v1/nodes')).body.nodes).toMatchObject([
    { pid: process.pid, leases: [], groups: [] },
  ])
})

it('processes that take messages are told with what they do, and others by the name they have', async () => {
  const { get, running, system } = await startServer({
    roles: ['processors'],
    replace: ({ broker }) => ({
      broker: {
        ...broker,
        groups: () => TE.map((groups: readonly GroupInfo[]) => [...groups, ofOthers])(broker.groups()),
      },
    }),
  })
  expect(running).toBeDefined()
  const nodes = async () => (await get('/api/v1/nodes')).body.nodes
  await vi.waitUntil(async () => (await nodes()).some(({ pid }: { pid: number }) => pid === process.pid))
  const told = await nodes()
  expect(told.find(({ isAnswering }: { isAnswering: boolean }) => isAnswering)).toMatchObject({
    groups: expect.arrayContaining([expect.stringContaining('fixity')]),
  })
  expect(told.slice(-3)).toMatchObject([
    { host: 'reading-room', pid: 12, version: null, groups: ['others'] },
    { host: 'reading-room', pid: 13, version: '9.9.9', groups: ['others'] },
    { host: null, name: 'fonds-0197a3c4-0000-7000-8000-000000000001', version: null },
  ])
  expect(told.map(({ name }: { name: string }) => name)).not.toContain('gone')
  expect(system.clock.now() < later).toBe(true)
})

it('while the broker or the log is away, what is known is told, and what could not be asked', async () => {
  const away = TE.left({ kind: 'Unavailable' as const, reason: 'no connection' })
  const held = (node: { leases: readonly string[] }) => node.leases
  const brokerAway = await startServer({
    roles: ['reactions'],
    replace: ({ broker }) => ({ broker: { ...broker, groups: () => away } }),
  })
  await vi.waitUntil(async () => (await brokerAway.get('/api/v1/nodes')).body.leases[0].holder !== null)
  const { status, body } = await brokerAway.get('/api/v1/nodes')
  expect(status).toBe(200)
  expect(body.missing).toEqual([{ what: 'groups', why: 'no connection' }])
  expect(body.nodes.map(held)).toEqual([['reactions']])

  const logAway = await startServer({
    replace: ({ eventStore }) => ({ eventStore: { ...eventStore, read: () => away } }),
  })
  expect((await logAway.get('/api/v1/nodes')).body).toMatchObject({
    answering: { pid: process.pid },
    leases: [],
    missing: [{ what: 'leases', why: 'no connection' }],
    nodes: [{ pid: process.pid, isAnswering: true }],
  })
})

it('an address of a server is told without name and password', async () => {
  const { get } = await startServer({
    replace: (system) => ({ config: { ...system.config, eventStore: 'esdb://admin:secret@log:2113' } }),
  })
  expect((await get('/api/v1/nodes')).body.log).toBe('esdb://log:2113')
})

it('projections say how far they are, and how far one is that is folded anew', async () => {
  const { get, system } = await startServer({ roles: ['projections'] })
  await waitUntilIdle(system)
  const of = async (name: string) =>
    (await get('/api/v1/projections')).body.projections.find(
      ({ projection }: { projection: string }) => projection === name,
    )
  expect(await of('fixity')).toMatchObject({ lag: '0', rebuilding: null, error: null })
  const live = system.viewStore.live('rejections')!
  const shapes = system.viewStore.views().filter(({ name }) => name === 'rejections')
  const anew = system.viewStore.create('rejections', live.version, shapes)
  expect(await of('rejections')).toMatchObject({ rebuilding: { version: live.version, position: '-1' } })
  system.viewStore.drop(anew)
})

it('projections that were never folded say so', async () => {
  const { get } = await startServer()
  const { projections } = (await get('/api/v1/projections')).body
  expect(projections[0]).toMatchObject({ position: null, lag: null })
})
