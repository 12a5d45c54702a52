import { isRight } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { batchDecider } from '#src/domain/ingest/batch/decide.ts'
import { batchStream } from '#src/domain/ingest/ids.ts'
import { batches, claims } from '#src/domain/ingest/views.ts'
import { batchQueue } from '#src/processors/ingest/batch-claims.ts'
import { expiredClaims } from '#src/processors/ingest/expired-claims.ts'
import { jobQueues } from '#src/processors/ingest/job-claims.ts'
import { suspectsInProgress } from '#src/processors/ingest/suspects.ts'
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
    const overdue = expiredClaims({ ...world.deps, claimMillis: timeoutMillis, processLock, maxDeaths: 1 })
    return overdue.passed(world.clock.now())
  }
  expect(await passed(false)).toEqual([])
  for (const { route, causationId } of await passed(true)) await world.run(route, causationId)
  expect(await world.job(1)).toMatchObject({ state: 'failed', failedIn: 'pending', permanent: false })
})

it('X22: of those that the next death would fail one at a time is in the hands of a process', async () => {
  const world = await opened(5)
  for (const [job, times] of [
    [1, 2],
    [2, 2],
    [3, 1],
    [5, 2],
  ] as const)
    await diedOf(world, job, times)
  await world.show([1], [2], [3], [4], [5])
  const { pending } = jobQueues({ ...world.deps, maxDeaths: 3, suspects: suspectsInProgress() })
  expect(numbers(await pending.take(5))).toEqual([1, 3, 4])
  expect(await pending.take(5)).toEqual([])
  expect(await world.send('step.done', { job: 1, fence: 3, state: 'pending', result: {} })).toEqual(['done'])
  expect(numbers(await pending.take(5))).toEqual([2])
  // One that an operator ends while it is claimed is in nobody's hands any more.
  expect((await world.onJob(2, { type: 'ForceFail', confirmed: true })).kind).toBe('done')
  expect(numbers(await pending.take(5))).toEqual([5])
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
  const deps = { ...world.deps, maxDeaths: 3, suspects: suspectsInProgress() }
  const [{ pending }, opening] = [jobQueues(deps), batchQueue('open', deps as never)]
  expect(numbers(await pending.take(1))).toEqual([1])
  expect(await opening.take(1)).toEqual([])
  await world.send('step.done', { job: 1, fence: 3, state: 'pending', result: {} })
  const [claimed] = await opening.take(1)
  expect(claimed?.task).toMatchObject({ id: waiting, fence: 3 })
  expect(await pending.take(1)).toEqual([])
  await claimed?.release('stopping')
  expect(numbers(await pending.take(1))).toEqual([2])
})
