import { expect, it, onTestFinished } from 'vitest'
import { jobs } from '#src/domain/ingest/views.ts'
import { is, rows } from '#src/domain/kernel/read-views.ts'
import { jobQueues } from '#src/processors/ingest/job-claims.ts'
import { ingestCommands } from '#src/processors/ingest/operator-commands.ts'
import { failJobs, releaseJobs, sweepBatches } from '#src/processors/ingest/spreading-reactions.ts'
import type { Reaction } from '#src/processors/runtime/reaction.ts'
import { ingest } from '#src/projections/ingest/projection.ts'
import { catchUp } from '#src/projections/runtime/catch-up.ts'
import { openTestViews } from '../../fakes/views.ts'
import { batchIdOf, claim, ingestWorld, listed, submission } from './world.ts'

const never = new AbortController().signal

/** A world with its views, and a batch of each number of jobs, opened; `letters` is the profile of all. */
const opened = async (...counts: readonly number[]) => {
  const world = ingestWorld()
  const viewStore = openTestViews()
  onTestFinished(() => viewStore.close())
  const fold = () => catchUp({ eventStore: world.eventStore, viewStore, projections: [ingest] })
  const { clock, run, settle } = world

  const act = async (name: string, input: object) => {
    clock.putForth(1)
    const command = ingestCommands.find((one) => one.name === `ingest.${name}`)!
    return run(command.route(input, { actor: 'ada', reason: 'asked', at: clock.now() }))
  }
  /** Lets a reaction hear the last event of a type. */
  const hear = async (reaction: Reaction, type: string) => {
    const event = (await world.all()).findLast((one) => one.type === type)!
    for await (const routes of reaction.react(event, never))
      for (const route of routes) await run(route, event.id)
    await settle()
    await fold()
  }
  const open = async (batch: string, count: number) => {
    await world.send('batch.submitted', { batch, ...submission, profile: 'letters' }, 'api')
    await settle()
    const outcome = await world.onBatch(batch, claim(world, { type: 'ClaimBatch', task: 'open' }))
    const { fence } = (outcome as { result: { fence: number } }).result
    await world.send('objects.listed', { batch, fence, from: 0, objects: listed(count) })
    await world.send('batch.opened', { batch, fence, count, type: 'batch-manifest' })
    await settle()
  }
  await world.send('profile.set', { name: 'letters' })
  for (const [n, count] of counts.entries()) await open(batchIdOf(n), count)
  await fold()
  const queues = jobQueues({
    ...world,
    viewStore,
    worker: 'w',
    timeoutMillis: 600_000,
    reportFailure: async () => {},
  })
  const shown = () => rows(viewStore, jobs).map(({ state }) => state)
  return { ...world, viewStore, fold, act, hear, queues, open, shown }
}

it('X21, C9: all held jobs of a collection are released; while its hold stands they are held again', async () => {
  const world = await opened(3)
  const release = releaseJobs(world.viewStore, world.fold)
  await world.act('hold-collection', { collection: 'letters' })
  await world.queues.pending.take(3)
  await world.fold()
  expect(world.shown()).toEqual(['held', 'held', 'held'])

  await world.act('release-jobs', { collection: 'letters' })
  await world.hear(release, 'JobsReleased')
  expect(world.shown()).toEqual(['pending', 'pending', 'pending'])
  await world.queues.pending.take(3)
  await world.fold()
  expect(world.shown()).toEqual(['held', 'held', 'held'])

  await world.act('release-collection', { collection: 'letters' })
  await world.act('release-jobs', { collection: 'letters' })
  await world.hear(release, 'JobsReleased')
  expect(await world.queues.pending.take(3)).toHaveLength(3)
  await world.hear(release, 'JobsReleased')
  expect(world.shown()).toEqual(['pending', 'pending', 'pending'])
})

it('a job that another collection holds is left alone', async () => {
  const world = await opened(1)
  await world.act('hold-job', { job: 1 })
  await world.act('release-jobs', { collection: 'maps' })
  await world.fold()
  await world.hear(releaseJobs(world.viewStore, world.fold), 'JobsReleased')
  expect(world.shown()).toEqual(['held'])
})

it('I16: a sweep takes what was completed before, and its jobs with it; what failed stays', async () => {
  const world = await opened(1, 1)
  await world.act('force-fail', { job: 1, confirmed: true })
  await world.act('hold-job', { job: 2 })
  await world.act('delete-job', { job: 2, confirmed: true })
  await world.settle()
  for (const n of [0, 1]) {
    const batch = batchIdOf(n)
    const outcome = await world.onBatch(batch, claim(world, { type: 'ClaimBatch', task: 'report' }))
    const { fence } = (outcome as { result: { fence: number } }).result
    await world.send('batch.reported', { batch, fence })
    const mail = { fence: fence + 1, mail: 'report', report: 1 }
    await world.onBatch(batch, claim(world, { type: 'ClaimBatch', task: 'mail' }))
    await world.send('mail.sent', { batch, ...mail, to: ['bob@example.org'] })
  }
  await world.fold()
  const sweep = sweepBatches(world.viewStore, world.fold)
  await world.act('sweep', { before: '2026-01-01T00:00:00.000Z' })
  await world.hear(sweep, 'SweepRequested')
  expect((await world.batch(batchIdOf(1))).state).toBe('completed')

  await world.act('sweep', {})
  await world.hear(sweep, 'SweepRequested')
  expect((await world.batch(batchIdOf(0))).state).toBe('failed')
  expect((await world.batch(batchIdOf(1))).state).toBe('deleted')
})

it('N15: all of a batch that has not ended fails, whoever holds it; its batch is to be reported, others go on', async () => {
  const world = await opened(4, 1)
  const batch = batchIdOf(0)
  await world.act('hold-job', { job: 1 })
  await world.act('hold-job', { job: 2 })
  await world.act('delete-job', { job: 2, confirmed: true })
  await world.onJob(3, claim(world, { type: 'ClaimJob', state: 'pending' }))
  await world.settle()
  await world.fold()
  expect(await world.act('force-fail', { batch })).toMatchObject({ rejection: { code: 'unconfirmed' } })
  expect(await world.act('force-fail', { batch, confirmed: true })).toMatchObject({
    events: [{ type: 'JobsForceFailed', data: { open: 3 } }],
  })
  const fail = failJobs(world.viewStore, world.fold)
  await world.hear(fail, 'JobsForceFailed')
  expect(world.shown()).toEqual(['failed', 'deleted', 'failed', 'failed', 'pending'])
  expect((await world.batch(batch)).state).toBe('reporting')
  // Heard again, as after a crash, it does not fail what a person has resumed.
  await world.act('resume-job', { job: 4 })
  await world.fold()
  await world.hear(fail, 'JobsForceFailed')
  expect(world.shown()).toEqual(['failed', 'deleted', 'failed', 'pending', 'pending'])
})

it('C13: with a failed batch go all of its jobs, wherever they are, running ones among them', async () => {
  const world = await opened(3)
  const batch = batchIdOf(0)
  for (const job of [1, 2, 3]) await world.act('force-fail', { job, confirmed: true })
  await world.settle()
  const outcome = await world.onBatch(batch, claim(world, { type: 'ClaimBatch', task: 'report' }))
  await world.send('batch.reported', {
    batch,
    fence: (outcome as { result: { fence: number } }).result.fence,
  })
  await world.act('resume-job', { job: 2 })
  await world.act('resume-job', { job: 3 })
  await world.onJob(3, claim(world, { type: 'ClaimJob', state: 'pending' }))
  await world.settle()
  expect(await world.act('delete-batch', { batch })).toMatchObject({ rejection: { code: 'unconfirmed' } })
  await world.act('delete-batch', { batch, confirmed: true })
  await world.settle()
  for (const job of [1, 2, 3]) expect((await world.job(job)).state).toBe('deleted')
  expect(await world.send('step.done', { job: 3, fence: 1, state: 'pending', result: {} })).toEqual([
    'fenced',
  ])
  await world.fold()
  expect(rows(world.viewStore, jobs, { where: [is('state', 'pending')] })).toEqual([])
})

it('4.2: a priority of a profile goes before that of age, and holds from the first queue on', async () => {
  const world = await opened(1)
  await world.send('profile.set', { name: 'letters', priority: 2 })
  await world.open(batchIdOf(1), 2)
  await world.fold()
  const taken = await world.queues.pending.take(3)
  expect(taken.map(({ task }) => [task.job, task.priority])).toEqual([
    [2, 2],
    [3, 2],
    [1, 5],
  ])
})
