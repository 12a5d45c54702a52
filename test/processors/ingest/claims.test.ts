import { isRight } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { holdDecider } from '#src/domain/ingest/hold/decide.ts'
import { type HoldScope, holdStream, jobStream, objectStream } from '#src/domain/ingest/ids.ts'
import { lastSuccessfulAfter } from '#src/domain/ingest/job/state.ts'
import { batches, orderOf } from '#src/domain/ingest/views.ts'
import { addMillis, DAY, SECOND } from '#src/domain/kernel/time.ts'
import { batchQueue } from '#src/processors/ingest/batch-claims.ts'
import { jobQueues } from '#src/processors/ingest/job-claims.ts'
import { routeTo } from '#src/processors/runtime/route.ts'
import { opened, toOpen } from './opened-batch.ts'
import { batchIdOf, claim, submission } from './world.ts'

type World = Awaited<ReturnType<typeof opened>>
const hold = ({ run, clock }: World, scope: HoldScope, type: 'SetHold' | 'ReleaseHold' = 'SetHold') =>
  run(routeTo(holdDecider, holdStream(scope), { type, reason: 'moving', actor: 'ada', at: clock.now() }))
const numbers = (claims: readonly { task: { job: number } }[]) => claims.map(({ task }) => task.job)

it('4.1: the lower priority number is claimed first, then the older job', async () => {
  const world = await opened(4)
  await world.show([1, { order: orderOf(10, 1) }], [2], [3], [4, { order: orderOf(0, 4) }])
  const { pending } = world.queues
  expect(numbers(await pending.take(2))).toEqual([4, 2])
  // The rows have not changed yet: what was tried is not tried again.
  expect(numbers(await pending.take(2))).toEqual([3, 1])
  expect(await pending.take(2)).toEqual([])
})

it('what was tried and lost is tried again when the view had time enough', async () => {
  const world = await opened(1)
  await world.show([1])
  const { pending } = world.queues
  const [claim] = await pending.take(1)
  await claim?.release('stopping')
  expect(await pending.take(1)).toEqual([])
  await world.clock.advance(5000)
  expect(numbers(await pending.take(1))).toEqual([1])
})

it('what ran out or was put off takes its place in the order', async () => {
  const world = await opened(3)
  const now = world.clock.now()
  await world.show([1, { available: now }], [2], [3, { available: '2099-01-01T00:00:00.000Z' }])
  expect(numbers(await world.queues.pending.take(3))).toEqual([1, 2])
  expect(await world.queues.pending.nextDue()).toBe('2099-01-01T00:00:00.000Z')
  expect(await world.queues.pending.nextDue(addMillis(now, -1))).toBe(now)
})

it('a claim is worth what the stream says: it is extended, given back and put off there', async () => {
  const world = await opened(1)
  await world.show([1])
  const [claim] = await world.queues.pending.take(1)
  expect(claim?.task).toMatchObject({ job: 1, fence: 1, state: 'pending', facts: { batch: world.batch } })
  expect(await claim?.extend()).toBeDefined()
  await claim?.release('its object is held', '2026-01-01T01:00:00.000Z')
  expect(await claim?.extend()).toBeUndefined()
  expect((await world.job(1)).claims).toMatchObject({ lastFence: 1, notBefore: '2026-01-01T01:00:00.000Z' })
})

it('X21: a collection on hold holds what is pending; holds are looked up where they are made', async () => {
  const world = await opened(2)
  await world.show([1], [2])
  await hold(world, { collection: 'default' })
  expect(await world.queues.pending.take(1)).toEqual([])
  expect((await world.job(1)).state).toBe('held')
  await hold(world, { collection: 'default' }, 'ReleaseHold')
  expect(numbers(await world.queues.pending.take(1))).toEqual([2])
})

it('while all ingest is paused nothing is claimed; afterwards the same rows are', async () => {
  const world = await opened(1)
  await world.show([1])
  await hold(world, 'all')
  expect(await world.queues.pending.take(1)).toEqual([])
  await hold(world, 'all', 'ReleaseHold')
  expect(numbers(await world.queues.pending.take(1))).toEqual([1])
})

it('X23: of two workers one has it', async () => {
  const world = await opened(1)
  await world.show([1])
  const other = jobQueues({ ...world.deps, worker: 'worker-2' })
  const both = await Promise.all([world.queues.pending.take(1), other.pending.take(1)])
  expect(both.flat()).toHaveLength(1)
})

it('what a clock that ran ahead put off until tomorrow is offered now', async () => {
  const world = await opened(2)
  const tomorrow = addMillis(world.clock.now(), DAY)
  const off = { available: addMillis(tomorrow, SECOND), putOffFor: 'its object is held' }
  await world.show(
    [1, { ...off, lastModified: tomorrow }],
    [2, { ...off, available: addMillis(world.clock.now(), SECOND) }],
  )
  expect(numbers(await world.queues.pending.take(4))).toEqual([1])
})

it('4.4: batches are opened by their numbers', async () => {
  const world = await opened(1)
  const other = batchIdOf(1)
  await world.send('batch.submitted', { batch: other, ...submission }, 'api')
  await world.settle()
  world.write(batches.name, toOpen(other, 2), toOpen(world.batch, 1))
  const queue = batchQueue('open', world.deps as never)
  // The first was opened since; its row will say so.
  expect(await queue.take(1)).toEqual([])
  expect((await queue.take(1)).map(({ task }) => task)).toMatchObject([
    { id: other, fence: 1, task: 'open', batch: { number: 2 } },
  ])
})

it('what was done last is what the move left behind', () => {
  expect(lastSuccessfulAfter(null, { from: 'pending', to: 'estimating' })).toBeNull()
  expect(lastSuccessfulAfter(null, { from: 'estimating', to: 'provisioning' })).toBe('estimating')
  expect(lastSuccessfulAfter('estimating', { from: 'provisioning', to: 'failed' })).toBe('estimating')
})

it('an object goes over to another job when its holder is over with it', async () => {
  const world = await opened(2)
  const ark = 'ark:/99999/fk4abc'
  const { claimObject, reserveArk, claimLocalId, bindLocalId } = world.identifiers
  const [one, two] = [
    { job: 1, fence: 1 },
    { job: 2, fence: 1 },
  ]
  expect(isRight(await reserveArk(one, ark))).toBe(true)
  expect(await reserveArk(two, ark)).toMatchObject({ left: { code: 'taken' } })
  // Job 1 is pending: whoever is not at it does not keep others waiting.
  await world.onJob(2, claim(world, { type: 'ClaimJob', state: 'pending' }))
  expect(isRight(await claimObject(two, ark))).toBe(true)
  expect(await claimLocalId(one, 'me', 'loc 1')).toEqual({ _tag: 'Right', right: undefined })
  expect(isRight(await bindLocalId(one, 'me', 'loc 1', ark))).toBe(true)
  expect(await claimLocalId(two, 'me', 'loc 1')).toEqual({ _tag: 'Right', right: ark })
  expect(await bindLocalId(two, 'me', 'loc 1', 'ark:/99999/fk4x')).toMatchObject({
    left: { code: 'other-ark' },
  })
  expect((await world.eventsOf(jobStream(1))).map(({ type }) => type)).toEqual(['JobCreated'])
})

it('N15: whoever lost its claim stores nothing any more', async () => {
  const world = await opened(1)
  const ark = 'ark:/99999/fk4abc'
  const { claimObject, recordVersion } = world.identifiers
  const one = { job: 1, fence: 1 }
  const version = { ark, version: 1, inventoryDigest: 'd', files: 0, bytes: 0 }
  const names = { profile: 'default', collection: 'default', owner: 'none' }
  const object = { ...names, batch: batchIdOf(0), mode: 'add' } as const
  await world.onJob(1, claim(world, { type: 'ClaimJob', state: 'pending' }))
  expect(isRight(await claimObject(one, ark))).toBe(true)
  await world.onJob(1, { type: 'ForceFail', confirmed: true })
  const fenced = { left: { code: 'fenced' } }
  expect(await recordVersion(one, version, [], { ...object, localIds: [] })).toMatchObject(fenced)
  expect(await claimObject(one, ark)).toMatchObject(fenced)
  expect((await world.eventsOf(objectStream(ark))).map(({ type }) => type)).toEqual(['ObjectClaimed'])
})

it('what one node has is claimed by a process that has its home, and by no other', async () => {
  const world = await opened(2)
  const site = 'node-1/00000000000000aa'
  await world.show([1, { site }], [2])
  const at = (...sites: readonly string[]) =>
    jobQueues({ ...world.deps, worker: `worker-${sites}`, sites: async () => sites }).pending
  expect(numbers(await at('node-2/00000000000000bb').take(2))).toEqual([2])
  expect(numbers(await at('node-2/00000000000000bb').take(2))).toEqual([])
  expect(numbers(await at(site, 'node-1/00000000000000cc').take(2))).toEqual([1])
})
