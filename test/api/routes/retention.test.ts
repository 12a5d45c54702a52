import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { orThrow } from '#src/async/unavailable.ts'
import { isPersonal } from '#src/domain/kernel/personal.ts'
import { foreignEvent, retentionRounds } from '../../app/proof/retention-rounds.ts'
import { startServer } from '../server.ts'

it('Q20: a policy is set, asked, applied and lifted over HTTP; its reason is kept by reference', async () => {
  const { get, post, system } = await startServer({ settings: { personalValues: 'on' } })
  const folder = mkdtempSync(join(tmpdir(), 'fonds-retention-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const reason = 'Ada telephoned: schedule, no. 12'
  const command = (name: string, input: object) =>
    post(`/api/v1/commands/${name}`, { input, actor: 'ben', reason })
  const policies = async () => (await get('/api/v1/retention')).body.policies
  const round = retentionRounds(system, folder)
  for (const days of [90, 80, 3]) await foreignEvent(system.eventStore, 'sensor-a', days)

  expect(await policies()).toEqual([])
  expect(await command('retention.set', { category: 'fixity', days: 30 })).toMatchObject({
    status: 409,
    body: { code: 'needed', detail: expect.stringContaining('the views fixity') },
  })
  expect(await command('retention.set', { category: 'sensor', days: 30 })).toMatchObject({ status: 200 })
  const policy = { category: 'sensor', days: 30, actor: 'ben', reason, removedAt: null }
  expect(await policies()).toMatchObject([{ ...policy, dueStreams: 1, dueEvents: 2, named: 0, removed: 0 }])

  expect(await command('retention.run', { category: 'sensor', confirmed: true })).toMatchObject({
    body: { code: 'not-sealed' },
  })
  await round()
  expect(await command('retention.run', { category: 'sensor' })).toMatchObject({
    body: { code: 'not-confirmed', detail: expect.stringContaining('2 events of 1 stream would go') },
  })
  expect(await command('retention.run', { category: 'sensor', confirmed: true })).toMatchObject({
    status: 200,
  })
  await round()
  await round()
  expect(await policies()).toMatchObject([
    { ...policy, dueEvents: 0, removed: 2, removedAt: expect.any(String) },
  ])
  const { events } = await orThrow(system.eventStore.readAll(-1n, { types: ['EventsRemoved'] }, 10))
  const stored = events[0]!.data as { readonly policy: { readonly actor: string; readonly reason: string } }
  expect([stored.policy.actor, stored.policy.reason].map(isPersonal)).toEqual([true, true])
  const shown = (await get('/api/v1/events?type=EventsRemoved')).body.events[0]
  expect(shown.data.policy).toMatchObject({ actor: 'ben', reason })

  expect(await command('retention.lift', { category: 'sensor' })).toMatchObject({ status: 200 })
  expect(await policies()).toMatchObject([{ category: 'sensor', days: null, dueEvents: null, removed: 2 }])
})
