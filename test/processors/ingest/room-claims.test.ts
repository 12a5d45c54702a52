import { expect, it, onTestFinished } from 'vitest'
import { promisedBytes } from '#src/domain/ingest/room.ts'
import { createProvisioning } from '#src/processors/ingest/provisioning.ts'
import { claimVolume } from '#src/processors/ingest/volume-right.ts'
import { opened, withViews } from './opened-batch.ts'

const numbers = (claims: readonly { task: { job: number } }[]) => claims.map(({ task }) => task.job)

it('7.5: room promised to what is being downloaded counts, and an unknown size counts as the setting', async () => {
  const world = await opened(5)
  await world.show(
    [1, { state: 'downloading', spaceNeeded: 700, sizeKnown: 1 }],
    [2, { state: 'downloading' }],
    [3, { state: 'downloading', spaceNeeded: 300, sizeKnown: 1 }],
    // It was put off, and looks for room itself.
    [5, { state: 'downloading', spaceNeeded: 90_000, sizeKnown: 1, putOffFor: 'there is no room' }],
    [4, { state: 'provisioning', spaceNeeded: 900, sizeKnown: 1 }],
  )
  expect(promisedBytes(world.viewStore, { thresholdPercent: 80, unknownBytes: 5000 })).toBe(6000)
})

it('7.5: room is promised for bytes that come to the work folder, and not for those that go straight to storage', async () => {
  const world = await opened(4)
  await world.show(
    [1, { state: 'downloading', spaceNeeded: 70_000, sizeKnown: 1, workBytes: 40 }],
    [2, { state: 'downloading', workBytes: 2 }],
    [3, { state: 'downloading', spaceNeeded: 300, sizeKnown: 1 }],
    [4, { state: 'downloading' }],
  )
  expect(promisedBytes(world.viewStore, { thresholdPercent: 80, unknownBytes: 5000 })).toBe(5342)
})

it('the room of a volume is given out by one process at a time', async () => {
  const { deps } = withViews()
  const mine = await claimVolume('work', deps)
  expect(mine?.task).toEqual({ volume: 'work', fence: 1 })
  expect(await claimVolume('work', { ...deps, worker: 'worker-2' })).toBeUndefined()
  await mine?.release('stopping')
  expect((await claimVolume('work', { ...deps, worker: 'worker-2' }))?.task.fence).toBe(2)
})

it('I26: room that a job was given stays promised however long the views lag', async () => {
  const world = await opened(1)
  await world.show([1])
  const steps = [
    { state: 'pending', result: {} },
    { state: 'estimating', result: { spaceNeeded: 30, sizeKnown: true } },
  ]
  const [claim] = await world.queues.pending.take(1)
  await world.send('steps.done', { job: 1, fence: claim?.task.fence, steps, release: true })
  await world.show([1, { state: 'provisioning', spaceNeeded: 30, sizeKnown: 1 }])
  // Of 1000 bytes 800 may be used, and 700 are.
  const { queue, mayGoOn, stop } = createProvisioning({
    ...world.deps,
    workSite: async () => 'work',
    room: async () => ({ total: 1000, used: 700 }),
    thresholdPercent: 80,
    unknownBytes: 1000,
  })
  onTestFinished(stop)
  expect(numbers(await queue.take(1))).toEqual([1])
  await world.clock.advance(5000)
  expect(await queue.take(1)).toEqual([])
  const goesOn = (spaceNeeded: number) => mayGoOn({ job: 2, fence: 1, priority: 1 }, spaceNeeded)
  expect([await goesOn(80), await goesOn(70)]).toEqual([false, true])
})
