import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { left } from 'fp-ts/lib/Either.js'
import { expect, it, vi } from 'vitest'
import type { System } from '../../../src/app/system.ts'
import { holds } from '../../../src/domain/ingest/views.ts'
import { rowsIfFolded } from '../../../src/domain/kernel/read-views.ts'
import { startServer } from '../server.ts'

const by = { actor: 'ada', reason: 'a count looks wrong' }
const at = (projection: string, verb = '') => `/api/v1/projections/${projection}/rebuild${verb}`

const started = async () => {
  const server = await startServer({ roles: ['projections'] })
  expect((await server.post('/api/v1/commands/ingest.pause', { ...by, input: {} })).status).toBe(200)
  const of = async (name: string) =>
    (await server.get('/api/v1/projections')).body.projections.find(
      ({ projection }: { projection: string }) => projection === name,
    )
  await vi.waitUntil(async () => reasons(server.system).length > 0)
  const done = async (name: string) => {
    await vi.waitUntil(async () => (await of(name)).rebuild?.endedAt !== null)
    return (await of(name)).rebuild
  }
  return { ...server, of, done }
}

/** A row goes wrong without an event, as by a bug or a hand in the file. */
const tamper = ({ config, viewStore }: System) => {
  const db = new DatabaseSync(join(config.home, 'views.db'))
  db.exec(`UPDATE "ingest-holds__${viewStore.live('ingest')!.id}" SET reason = 'forged'`)
  db.close()
}

const reasons = ({ viewStore }: System) => rowsIfFolded(viewStore, holds).map(({ reason }) => reason)

it('views are folded anew, compared and put in place of the live ones, which answer meanwhile', async () => {
  const { post, done, system } = await started()
  const before = system.viewStore.live('fixity')!
  const begun = await post(at('fixity'), { ...by, verify: true })
  expect(begun).toMatchObject({ status: 200, body: { rebuild: { ...by, state: 'folding', endedAt: null } } })
  expect(system.viewStore.live('fixity')!.id).toBe(before.id)
  expect(await done('fixity')).toMatchObject({ state: 'replaced', differences: [], error: null })
  expect(system.viewStore.live('fixity')!.id).not.toBe(before.id)
})

it('where rows differ the live views stay, and the rows are told; promoted, the log is right', async () => {
  const { post, done, system } = await started()
  tamper(system)
  const before = system.viewStore.live('ingest')!
  await post(at('ingest'), { ...by, verify: true })
  const different = await done('ingest')
  expect(different).toMatchObject({ state: 'different' })
  expect(different.differences).toMatchObject([
    { view: 'ingest-holds', onlyLive: [{ reason: 'forged' }], onlyRebuilt: [{ reason: by.reason }] },
  ])
  expect(system.viewStore.live('ingest')!.id).toBe(before.id)
  expect(reasons(system)).toEqual(['forged'])
  expect(system.viewStore.generations().filter(({ projection }) => projection === 'ingest')).toHaveLength(1)

  await post(at('ingest'), { ...by, verify: true, promote: true })
  expect(await done('ingest')).toMatchObject({
    state: 'replaced',
    differences: [{ view: 'ingest-holds' }],
  })
  expect(reasons(system)).toEqual([by.reason])
})

it('one is done at a time; it can be stopped, and what a killed one left behind is dropped', async () => {
  const { post, of, done, system } = await started()
  const [one, other] = await Promise.all([post(at('fixity'), by), post(at('ingest'), by)])
  expect([one.status, other.status].sort()).toEqual([200, 409])
  expect([one, other].find(({ status }) => status === 409)!.body).toMatchObject({ code: 'rebuild-under-way' })
  const begun = one.status === 200 ? 'fixity' : 'ingest'
  const stopped = await post(at(begun, '/stop'), by)
  expect(['stopped', 'replaced']).toContain((await done(begun)).state)
  if (stopped.status === 200) expect((await of(begun)).rebuilding).toBe(null)

  const live = system.viewStore.live('research')!
  const own = (name: string) => name.startsWith('research-') && !name.endsWith('-activity')
  const shapes = system.viewStore.views().filter(({ name }) => own(name))
  system.viewStore.create('research', live.version, shapes)
  expect((await of('research')).rebuilding).not.toBe(null)
  expect((await post(at('research', '/stop'), by)).status).toBe(200)
  expect((await of('research')).rebuilding).toBe(null)
  expect((await post(at('research', '/stop'), by)).body).toMatchObject({ status: 409, code: 'no-rebuild' })
})

it('who wanted it and why is in the log, and what came of it', async () => {
  const { get, post, done, system } = await started()
  tamper(system)
  await post(at('ingest'), { ...by, verify: true })
  await done('ingest')
  const { events } = (await get('/api/v1/streams/projection-ingest')).body
  expect(events).toMatchObject([
    {
      type: 'RebuildRequested',
      data: { verify: true, promote: false, reason: by.reason },
      metadata: { actor: 'ada' },
    },
    {
      type: 'RebuildEnded',
      data: { outcome: 'different', differences: 1, position: expect.stringMatching(/^\d+$/) },
      metadata: { actor: 'fonds/rebuild', correlationId: events[0].metadata.correlationId },
    },
  ])
})

it('of one that is stopped it is recorded by whom and why', async () => {
  let end = () => {}
  const { get, post } = await startServer({
    roles: ['projections'],
    // It compares until it is stopped.
    replace: ({ viewStore }) => ({
      viewStore: {
        ...viewStore,
        comparer: async () => ({
          compare: () =>
            new Promise((resolve) => {
              end = () => resolve([])
            }),
          close: async () => end(),
        }),
      },
    }),
  })
  const state = async () =>
    (await get('/api/v1/projections')).body.projections.find(
      ({ projection }: { projection: string }) => projection === 'fixity',
    ).rebuild?.state
  await vi.waitUntil(async () => (await post(at('fixity'), { ...by, verify: true })).status === 200)
  await vi.waitUntil(async () => (await state()) === 'comparing')
  expect((await post(at('fixity', '/stop'), { actor: 'grace', reason: 'it can wait' })).status).toBe(200)
  const { events } = (await get('/api/v1/streams/projection-fixity')).body
  expect(events.at(-1)).toMatchObject({
    type: 'RebuildEnded',
    data: { outcome: 'stopped', reason: 'it can wait', differences: null },
    metadata: { actor: 'grace' },
  })
})

it('none is begun that cannot be recorded', async () => {
  const { get, post } = await startServer({
    roles: ['projections'],
    replace: () => ({ execute: async () => left({ kind: 'Unavailable', reason: 'no connection' }) }),
  })
  expect((await post(at('fixity'), by)).status).toBe(503)
  const { projections } = (await get('/api/v1/projections')).body
  for (const { rebuild } of projections) expect(rebuild).toBe(null)
  // Nor is one under way.
  expect((await post(at('fixity'), by)).status).toBe(503)
})

it('what cannot be is told by its name', async () => {
  const { post } = await started()
  expect((await post(at('fixty'), by)).body).toMatchObject({ code: 'no-such-projection', path: 'projection' })
  expect((await post(at('fixity'), { actor: 'ada' })).body).toMatchObject({ status: 400, path: 'reason' })
})

it('wants the right to write', async () => {
  const { post } = await startServer({
    settings: { token: 'correct horse battery', readToken: 'only looking at it' },
  })
  const asked = await post(at('fixity'), by, { authorization: 'Bearer only looking at it' })
  expect(asked.status).toBe(403)
})
