import { expect, it, onTestFinished, vi } from 'vitest'
import { orThrow } from '#src/async/unavailable.ts'
import { leaderStream, reactionsLease } from '#src/domain/kernel/leader-lease.ts'
import { produce, registerFolder, started, testSystem } from './archive.ts'

it('a Fonds on another machine, whose log is the gateway of this one: its work arrives, and its duties are cut', async () => {
  const here = await testSystem()
  const gateway = await here.openGateway(0)
  onTestFinished(() => gateway.stop(0))
  const there = await testSystem({ eventStore: `esdb://127.0.0.1:${gateway.port}?tls=false` })
  await registerFolder(there, 'main', '/srv')
  await started(there, ['processors', 'reactions', 'projections'])
  const path = `${'日'.repeat(2000)}/a b%20c 🜁`
  await produce(there, { path })
  await vi.waitUntil(
    () => there.viewStore.shape('fixity-items') && there.viewStore.query('fixity-items', {}).length > 0,
  )
  expect(there.viewStore.query('fixity-items', {})).toMatchObject([{ path }])

  const stream = leaderStream(reactionsLease)
  await vi.waitUntil(async () => {
    const taken = await orThrow(here.eventStore.readAll(-1n, { categories: ['duty'] }, 10))
    return taken.events.length > 0
  })
  expect(await here.eventStore.read(`$$${stream}`, 'end', 'backward', 1)()).toMatchObject({
    right: [{ type: '$metadata', data: { $maxCount: 20 } }],
  })
  const refused = await there.eventStore.append('fixity-main/x', 'none', [
    {
      id: '0190b7a0-0000-7000-8000-000000000001',
      type: 'Odd',
      data: {},
      metadata: { actor: 'a', causationId: 'c', correlationId: 'c', schema: 1 },
    },
  ])()
  expect(refused).toMatchObject({
    left: { kind: 'Refused', reason: expect.stringContaining("Fonds' own") },
  })
})
