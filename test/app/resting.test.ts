import { left } from 'fp-ts/lib/Either.js'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createApi } from '#src/api/create-api.ts'
import { startRoles } from '#src/app/roles.ts'
import type { System } from '#src/app/system.ts'
import { systemClock } from '#src/async/system-clock.ts'
import { partitionWatch } from '#src/processors/runtime/resting.ts'
import { testSystem } from './archive.ts'

const topic = 'fonds.fixity.content'

it('a record that nobody can keep is named by /readyz of the node that has it, which stays ready, until it is kept', async () => {
  const opened = await testSystem({ partitions: 1 })
  let passed = 0
  let isAway = true
  // Each attempt takes twenty seconds of this clock.
  const clock = { ...systemClock, monotonic: () => passed }
  const execute: System['execute'] = async (decider, envelope) => {
    if (!isAway || decider.category !== 'deadletter') return opened.execute(decider, envelope)
    passed += 20_000
    return left({ kind: 'Unavailable', reason: 'no room' })
  }
  const system = { ...opened, execute, partitions: partitionWatch({ clock, log: opened.log }) }
  const running = await startRoles(system, ['processors', 'projections'])
  onTestFinished(() => running.stop(0))
  const app = await createApi(system, { running })
  onTestFinished(() => app.close())
  await system.broker.produce([{ topic, key: 'k', headers: {}, value: 'nonsense' }])()

  const resting = async () => {
    const { statusCode, body } = await app.inject('/readyz')
    return statusCode === 200 ? JSON.parse(body).resting : undefined
  }
  await vi.waitUntil(async () => (await resting())?.length === 1, 120_000)
  expect(await resting()).toMatchObject([
    {
      processor: 'fonds.fixity',
      topic,
      partition: 0,
      offset: '0',
      because: expect.stringContaining('no room'),
    },
  ])
  isAway = false
  await vi.waitUntil(async () => (await resting())?.length === 0, 120_000)
})
