import { isRight } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { batchDecider } from '#src/domain/ingest/batch/decide.ts'
import { batchStream } from '#src/domain/ingest/ids.ts'
import { batches, claims } from '#src/domain/ingest/views.ts'
import { batchQueue } from '#src/processors/ingest/batch-claims.ts'
import { expiredClaims } from '#src/processors/ingest/expired-claims.ts'
import { jobQueues } from '#src/processors/ingest/job-claims.ts'
import { suspectsInProgress } from '#src/processors/runtime/suspects.ts'
import { opened, timeoutMillis, toOpen, type withViews } from './opened-batch.ts'
import { batchIdOf, claim, submission } from './world.ts'

type World = Awaited<ReturnType<typeof opened>>
const numbers = (claims: readonly { task: { job: number } }[]) => claims.map(({ task }) => task.job)

const claimsOfBatch = async ({ states }: Pick<ReturnType<typeof withViews>, 'states'>, batch: string) => {
  const loaded = await states.load(batchDecider, batchStream(batch))
  return isRight(loaded) ? loaded.right.state?.claims : undefined
}

it('X22: a claim that ran out is written down, and the job waits in the same state', async () => {
  const world = await opened(1)
  await world.show([1])
  const [claim] = await world.queues.pending.take(1)
  const deadline = claim!.deadline
  const row = {
    kind: 'job',
    id: '1',
    state: 'pending',
    holder: 'worker-1',
    fence: 1,
    since: deadline,
    deadline,
  }
  world.write(claims.name, row)
  const overdue = expiredClaims({ ...world.deps, claimMillis: timeoutMillis })
  expect(await overdue.passed(world.clock.now())).toEqual([])
  world.clock.putForth(timeoutMillis)
  for (const { route, causationId } of await overdue.passed(world.clock.now()))
    await world.run(route, causationId)
  expect(await world.job(1)).toMatchObject({ state: 'pending', claims: { lastFence: 1 } })
  expect((await world.job(1)).claims.lease).toBeUndefined()
})

it('X22: the claim of a process that has ended is free at once, that of one that lives is not', async () => {
  const world = await opened(1)
  await world.show([1])
  const lock = { file: '/locks/1.lock', device: '1', inode: '2', bootId: 'now' }
  const [claim] = await jobQueues({ ...world.deps, processLock: { mark: () => lock } }).pending.take(1)
  const { deadline } = claim!
  expect((await world.job(1)).claims.lease).toMatchObject({ lock })
  const row = {
    kind: 'job',
    id: '1',
    state: 'pending',
    holder: 'worker-1',
    fence: 1,
    since: deadline,
    deadline,
    lock,
  }
  world.write(claims.name, row)
  const passed = async (hasEnded: boolean) => {
    const processLock = { hasEnded: () => hasEnded }
    const overdue = expiredClaims({ ...world.deps, claimMillis: timeoutMillis, processLock })
    return overdue.passed(world.clock.now())
  }
  expect(await passed(false)).toEqual([])
  for (const { route, causationId } of await passed(true)) await world.run(route, causationId)
  const { claims: free } = await world.job(1)
  expect(free).toMatchObject({ deaths: 1 })
  expect(free.lease).toBeUndefined()
})

it('X22: what the next death would fail is in hand alone', async () => {
  const world = await opened(5)
  for (const [job, times] of [
    [1, 2],
    [2, 2],
    [3, 1],
    [5, 2],
  ] as const)
    await diedOf(world, job, times)
  await world.show([1], [2], [3], [4], [5])
  const { pending } = jobQueues(suspecting(world))
  const [first, ...none] = await pending.take(5)
  expect(numbers([first!, ...none])).toEqual([1])
  expect(await pending.take(5)).toEqual([])
  expect(await world.send('step.done', { job: 1, fence: 3, state: 'pending', result: {} })).toEqual(['done'])
  // Its next steps are in hand.
  expect(await pending.take(1)).toEqual([])
  expect(numbers(await pending.take(5))).toEqual([])
  first!.over?.()
  const [second] = await pending.take(5)
  expect(second?.task.job).toBe(2)
  // One that an operator ends while it is claimed is no suspect any more, and in hand until its work has stopped.
  expect((await world.onJob(2, { type: 'ForceFail', confirmed: true })).kind).toBe('done')
  expect(await pending.take(5)).toEqual([])
  second!.over?.()
  const [third] = await pending.take(5)
  expect(third?.task.job).toBe(5)
  await third!.release('stopping')
  third!.over?.()
})

it('X22: one that the next death would fail waits until nothing is in hand, and nothing is begun meanwhile', async () => {
  const world = await opened(4)
  await diedOf(world, 4, 2)
  await world.show([1], [2])
  const { pending } = jobQueues(suspecting(world))
  const early = await pending.take(2)
  expect(numbers(early)).toEqual([1, 2])
  await world.show([3], [4])
  expect(await pending.take(2)).toEqual([])
  expect(await pending.take(1)).toEqual([])
  for (const { over } of early) over?.()
  expect(numbers(await pending.take(2))).toEqual([4])
})

it('X22: nothing waits for one that another process has, nor for one that was not offered for ten minutes', async () => {
  const world = await opened(3)
  await diedOf(world, 3, 2)
  await world.show([1], [2], [3])
  const { pending } = jobQueues(suspecting(world))
  expect(numbers(await pending.take(1))).toEqual([1])
  expect(await pending.take(3)).toEqual([])
  await world.onJob(3, claim(world, { type: 'ClaimJob', state: 'pending', holder: 'worker-2' } as never))
  await world.show([3])
  expect(numbers(await pending.take(1))).toEqual([2])
})

it('X22: nothing waits for one that was not offered again for ten minutes', async () => {
  const world = await opened(3)
  await diedOf(world, 3, 2)
  await world.show([1], [2], [3])
  const { pending } = jobQueues(suspecting(world))
  expect(numbers(await pending.take(1))).toEqual([1])
  expect(await pending.take(3)).toEqual([])
  await world.show([3, { available: '2099-01-01T00:00:00.000Z' }])
  expect(await pending.take(3)).toEqual([])
  await world.clock.advance(10 * 60_000)
  expect(numbers(await pending.take(3))).toContain(2)
})

it('X22: one whose view does not know its deaths yet is given back, and claimed alone', async () => {
  const world = await opened(2)
  await world.show([1], [2])
  const { pending } = jobQueues(suspecting(world))
  const [one] = await pending.take(1)
  await diedOf(world, 2, 2)
  // The row is that of before.
  expect(await pending.take(2)).toEqual([])
  expect((await world.job(2)).claims).toMatchObject({ deaths: 2, lastFence: 3 })
  expect((await world.job(2)).claims.lease).toBeUndefined()
  await world.show([2])
  expect(await pending.take(2)).toEqual([])
  one!.over?.()
  expect(numbers(await pending.take(2))).toEqual([2])
})

const suspecting = (world: World) => ({
  ...world.deps,
  maxDeaths: 3,
  suspects: suspectsInProgress(world.clock),
})

/** Has so many holders of a job die of it. */
const diedOf = async (world: World, job: number, times: number) => {
  for (let death = 1; death <= times; death++) {
    await world.onJob(job, claim(world, { type: 'ClaimJob', state: 'pending' }))
    world.clock.putForth(timeoutMillis)
    await world.onJob(job, { type: 'ExpireClaim', actor: 'ticker', at: world.clock.now(), maxDeaths: 3 })
  }
  expect((await world.job(job)).claims).toMatchObject({ lastFence: times, deaths: times })
}

it('X22: a batch that the next death would fail waits for a job of which that is true, and the other way round', async () => {
  const world = await opened(2)
  const waiting = batchIdOf(1)
  await world.send('batch.submitted', { batch: waiting, ...submission }, 'api')
  await world.settle()
  for (const fence of [1, 2]) {
    await world.onBatch(waiting, claim(world, { type: 'ClaimBatch', task: 'open' }))
    world.clock.putForth(timeoutMillis)
    await world.onBatch(waiting, {
      type: 'ExpireClaim',
      actor: 'ticker',
      at: world.clock.now(),
      maxDeaths: 3,
    })
    expect(await claimsOfBatch(world, waiting)).toMatchObject({ lastFence: fence, deaths: fence })
  }
  world.write(batches.name, toOpen(waiting, 2))
  for (const job of [1, 2]) await diedOf(world, job, 2)
  await world.show([1], [2])
  const deps = suspecting(world)
  const [{ pending }, opening] = [jobQueues(deps), batchQueue('open', deps as never)]
  const [job] = await pending.take(1)
  expect(job?.task.job).toBe(1)
  expect(await opening.take(1)).toEqual([])
  await world.send('step.done', { job: 1, fence: 3, state: 'pending', result: {} })
  job?.over?.()
  const [claimed] = await opening.take(1)
  expect(claimed?.task).toMatchObject({ id: waiting, fence: 3 })
  expect(await pending.take(1)).toEqual([])
  await claimed?.release('stopping')
  claimed?.over?.()
  expect(numbers(await pending.take(1))).toEqual([2])
})
