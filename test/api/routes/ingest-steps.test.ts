import { describe, expect, it } from 'vitest'
import { waitUntilIdle } from '#src/app/wait-until-idle.ts'
import { stepsTopic } from '#src/domain/ingest/step-messages.ts'
import { jobs } from '#src/domain/ingest/views.ts'
import { is, row } from '#src/domain/kernel/read-views.ts'
import { batchQueue } from '#src/processors/ingest/batch-claims.ts'
import { reportOnTopic } from '#src/workers/runtime/report-on-topic.ts'
import { startServer } from '../server.ts'

const url = '/api/v1/ingest/steps/take'
const manifest = 'https://host.example/letters.checkm'
const who = { actor: 'ada', reason: 'a test' }

/** No worker of ours is there: a batch of two jobs was opened, and they are pending. */
const withJobs = async () => {
  const server = await startServer({ roles: ['processors', 'reactions', 'projections'] })
  const { system, post } = server
  const say = async (type: string, data: object) => {
    await reportOnTopic(system, stepsTopic, 'https://tools.example/worker', [{ type, data }])
    await waitUntilIdle(system)
  }
  const submission = { profile: 'default', submitter: 'ada', mode: 'add', payload: { url: manifest } }
  const { body } = await post('/api/v1/ingest/submissions', submission)
  await waitUntilIdle(system)
  const opening = { ...system, worker: 'opener', timeoutMillis: 60_000, reportFailure: async () => {} }
  const [claimed] = await batchQueue('open', opening).take(1)
  const of = { batch: body.batch, fence: claimed!.task.fence }
  const objects = ['a', 'b'].map((name) => ({
    payload: { url: `https://host.example/${name}.tif`, type: 'file' },
    localIds: [name],
  }))
  await say('objects.listed', { ...of, from: 0, objects })
  await say('batch.opened', { ...of, count: 2, type: 'single-file-batch-manifest' })
  return {
    ...server,
    batch: body.batch,
    say,
    job: (job: number) => row(system.viewStore, jobs, is('job', job)),
    take: (worker: string, state: string, key?: string) =>
      post(url, { worker, state }, key === undefined ? {} : { 'idempotency-key': key }),
  }
}

describe('I17: a step for whoever asks', () => {
  it('is of the first job that waits; two workers have two jobs, and a third has none (X23)', async () => {
    const { take, batch } = await withJobs()
    const both = await Promise.all([take('one', 'pending'), take('other', 'Pending')])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(both.map(({ body }) => body.job).toSorted()).toEqual([1, 2])
    const first = both.find(({ body }) => body.job === 1)!.body
    expect(first).toMatchObject({
      fence: 1,
      state: 'pending',
      folder: `${batch}/1-1`,
      facts: { batch, localIds: ['a'], payload: { url: 'https://host.example/a.tif' } },
      found: {},
    })
    expect(await take('third', 'pending')).toMatchObject({
      status: 404,
      body: { code: 'no-step', detail: 'there is no job in pending for third now; ask again in a while' },
    })
  })

  it('is reported as ours are; with `release` whoever asks next has the job, and a late report changes nothing (X22)', async () => {
    const { take, say, job } = await withJobs()
    const { body } = await take('one', 'pending')
    const of = { job: body.job, fence: body.fence }
    await say('step.done', { ...of, state: 'pending', result: {}, release: true })
    expect(job(body.job)).toMatchObject({ state: 'estimating', holder: null })
    const next = await take('other', 'estimating')
    expect(next.body).toMatchObject({ job: body.job, fence: 2, state: 'estimating' })
    const result = { spaceNeeded: 5, sizeKnown: true }
    await say('step.done', { ...of, state: 'estimating', result })
    expect(job(body.job)).toMatchObject({ state: 'estimating', holder: 'other' })
    await say('step.failed', { ...of, fence: 2, state: 'estimating', message: 'no such host' })
    expect(job(body.job)).toMatchObject({ state: 'failed', message: 'no such host' })
  })

  it('asked for again under one key is the same, as it stands now; then another', async () => {
    const { take, say } = await withJobs()
    const first = await take('one', 'pending', 'wish')
    const again = await take('one', 'pending', 'wish')
    expect(again.body).toMatchObject({ job: first.body.job, fence: first.body.fence, state: 'pending' })
    expect(again.body.deadline >= first.body.deadline).toBe(true)
    const of = { job: first.body.job, fence: first.body.fence }
    await say('step.done', { ...of, state: 'pending', result: { localIds: ['c'] } })
    expect((await take('one', 'pending', 'wish')).body).toMatchObject({ ...of, state: 'estimating' })
    expect((await take('one', 'pending', 'another wish')).body.job).not.toBe(of.job)
    const result = { spaceNeeded: 5, sizeKnown: true }
    await say('step.done', { ...of, state: 'estimating', result, release: true })
    expect((await take('one', 'provisioning', 'wish')).body).toMatchObject({ job: of.job, fence: 2 })
  })

  it('is none while all ingest is paused; wrong bodies are refused by field', async () => {
    const { take, post, system } = await withJobs()
    await post('/api/v1/commands/ingest.pause', { input: {}, ...who })
    await waitUntilIdle(system)
    expect(await take('one', 'pending')).toMatchObject({ status: 404, body: { code: 'no-step' } })
    expect(await take('one', 'completed')).toMatchObject({ status: 400, body: { path: 'state' } })
    expect(await take('', 'pending')).toMatchObject({ status: 400, body: { path: 'worker' } })
  })
})
