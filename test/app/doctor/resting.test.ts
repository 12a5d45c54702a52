import { left, right } from 'fp-ts/lib/Either.js'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { restingPartitions } from '../../../src/app/doctor/resting.ts'
import type { System } from '../../../src/app/system.ts'
import { ensureTopics } from '../../../src/app/topics.ts'
import { systemClock } from '../../../src/async/system-clock.ts'
import type { BatchHandler } from '../../../src/ports/broker.ts'
import { testSystem } from '../archive.ts'

const topic = 'fonds.fixity.content'

/** An archive an hour later, in which a group takes what comes as the handler does. */
const consuming = async (handler: BatchHandler, count = 3): Promise<System> => {
  const system = await testSystem({ partitions: 1 })
  await ensureTopics(system)
  const consumption = await system.broker.consume({ group: 'readers', topics: [topic] }, handler)
  onTestFinished(() => consumption.stop())
  const record = { topic, key: 'k', headers: {}, value: '{' }
  expect(await system.broker.produce(Array.from({ length: count }, () => record))()).toMatchObject({
    _tag: 'Right',
  })
  return {
    ...system,
    clock: {
      ...systemClock,
      now: () => new Date(Date.now() + 3_600_000).toISOString(),
      sleep: () => systemClock.sleep(20),
    },
  }
}

describe('doctor', () => {
  it('names the record that a group does not come past', async () => {
    let attempts = 0
    const system = await consuming(async ({ records }) => {
      if (records[0]!.offset === 0n) return 1n
      attempts++
      throw new Error('never')
    })
    await vi.waitUntil(() => attempts > 1, 60_000)
    const found = await restingPartitions(system)
    expect(found).toMatchObject([{ check: 'partitions', status: 'fail' }])
    expect(found[0]?.says).toMatch(
      /^readers is stalled at fonds\.fixity\.content, partition 0, offset 1, which came 20.*Z; 2 wait$/,
    )
  })

  it('names a record that cannot be read, with the cause, however new it is', async () => {
    const system = await consuming(async ({ records }) => records[0]!.offset)
    const peek = () => async () => left({ kind: 'Unavailable' as const, reason: 'a batch there is damaged' })
    const clock = { ...systemClock, sleep: () => systemClock.sleep(20) }
    const found = await restingPartitions({ ...system, clock, broker: { ...system.broker, peek } })
    expect(found).toMatchObject([
      {
        status: 'fail',
        says: 'readers is stalled at fonds.fixity.content, partition 0, offset 0: a batch there is damaged; 3 wait',
      },
    ])
  })

  it('names none while a group comes on, however old what it handles', async () => {
    const system = await consuming(async ({ records }) => {
      await systemClock.sleep(1)
      return records[0]!.offset + 1n
    }, 300)
    expect(await restingPartitions(system)).toMatchObject([{ status: 'ok', says: 'none rests' }])
  })

  it('names none that is nobody’s: that is said where the groups are', async () => {
    const system = await consuming(async () => {
      throw new Error('never')
    })
    const groups = () => async () =>
      right([
        {
          group: 'readers',
          members: [],
          partitions: [{ topic, partition: 0, committed: 0n, end: 3n, lag: 3n, member: null }],
        },
      ])
    expect(await restingPartitions({ ...system, broker: { ...system.broker, groups } })).toMatchObject([
      { status: 'ok' },
    ])
  })
})
