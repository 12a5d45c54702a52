import type { ServerResponse } from 'node:http'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { jobStream } from '#src/domain/ingest/ids.ts'
import type { JobMoved } from '#src/domain/ingest/job/state.ts'
import { fileServer, ingestWorld, manifest, until } from './ingest-world.ts'

/* The use cases of the queue's own documents (reference ingest N17), and holds and releases of its test plan (N18). */

type World = Awaited<ReturnType<typeof ingestWorld>>

/** Two objects, of which the second cannot be had until `mend` is called. */
const withOneAway = async (world: World) => {
  const one = await world.file('one.txt', 'one')
  const two = `${await world.file('two.txt', 'two')}-away`
  const url = await world.file('batch.checkm', manifest('mrt-single-file-batch-manifest', [[one], [two]]))
  const batch = await world.submit({ payload: { url }, notifyTo: ['ada@example.org'] })
  expect(await world.ended(batch)).toMatchObject({ state: 'failed', completed: 1, failed: 1, reports: 1 })
  await until('nobody is at it any more', () => (world.batch(batch)?.task === null ? true : undefined))
  const [completed, failed] = world.jobsOf(batch)
  return { batch, completed: completed!, failed: failed!, mend: () => world.file('two.txt-away', 'two') }
}

describe('N17', () => {
  it('all succeed: the batch is completed with one report', async () => {
    const world = await ingestWorld()
    const rows = await Promise.all(['a', 'b', 'c'].map(async (name) => [await world.file(name, name)]))
    const url = await world.file('batch.checkm', manifest('mrt-single-file-batch-manifest', rows))
    const batch = await world.submit({ payload: { url } })
    expect(await world.ended(batch)).toMatchObject({ state: 'completed', jobs: 3, completed: 3, reports: 1 })
    expect(world.jobsOf(batch).map(({ state }) => state)).toEqual(['completed', 'completed', 'completed'])
    expect(world.reportsOf(batch)).toMatchObject([{ kind: 'first', failures: [] }])
  })

  it('one fails, and the batch is deleted: only once that is confirmed, and what was stored stays (I15)', async () => {
    const world = await ingestWorld()
    const { batch, completed } = await withOneAway(world)
    const refused = await world.ask('delete-batch', { batch })
    expect(refused).toMatchObject({ code: 'unconfirmed' })
    expect(refused!.message).toContain('ada')
    expect(world.batch(batch)).toMatchObject({ state: 'failed' })
    expect(await world.ask('delete-batch', { batch, confirmed: true })).toBeUndefined()
    await until('its jobs are gone', () => (world.jobsOf(batch).length === 0 ? true : undefined))
    expect(await world.stored(completed.ark, 'producer/one.txt')).toBe('one')
  })

  it('one fails and its job is deleted: the new report completes the batch (I40, I13)', async () => {
    const world = await ingestWorld()
    const { batch, failed } = await withOneAway(world)
    expect(await world.ask('delete-job', { job: failed.job })).toMatchObject({ code: 'unconfirmed' })
    expect(await world.ask('delete-job', { job: failed.job, confirmed: true })).toBeUndefined()
    await until('it is counted', () => (world.batch(batch)?.deleted === 1 ? true : undefined))
    expect(await world.ask('update-report', { batch })).toBeUndefined()
    expect(await world.batchIs(batch, 'completed')).toMatchObject({ completed: 1, failed: 0, reports: 2 })
  })

  it('one fails, is resumed and fixed: the new report says so, and the batch is completed (I13)', async () => {
    const world = await ingestWorld()
    const { batch, failed, mend } = await withOneAway(world)
    await mend()
    expect(await world.ask('resume-job', { job: failed.job })).toBeUndefined()
    expect(await world.jobIs(failed.job, 'completed')).toMatchObject({ retryCount: 1 })
    await until('it is counted', () => (world.batch(batch)?.completed === 2 ? true : undefined))
    // C16: only a person has a new report made.
    expect(world.batch(batch)).toMatchObject({ state: 'failed', reports: 1 })
    expect(await world.ask('update-report', { batch })).toBeUndefined()
    expect(await world.batchIs(batch, 'completed')).toMatchObject({ completed: 2, failed: 0, reports: 2 })
    expect(world.reportsOf(batch)).toMatchObject([{ kind: 'first' }, { kind: 'update', failures: [] }])
  })

  it('one fails, is resumed, and fails again: the batch is failed once more, without a second mail (I14, C18)', async () => {
    const world = await ingestWorld()
    const { batch, failed } = await withOneAway(world)
    expect(await world.ask('resume-job', { job: failed.job })).toBeUndefined()
    await until('it failed again', () =>
      world.jobsOf(batch).find(({ state, retryCount }) => state === 'failed' && retryCount === 1),
    )
    expect(await world.ask('update-report', { batch })).toBeUndefined()
    await until('the second report is saved', () => (world.batch(batch)?.reports === 2 ? true : undefined))
    expect(await world.batchIs(batch, 'failed')).toMatchObject({ completed: 1, failed: 1 })
    const [first, second] = world.reportsOf(batch)
    expect(second).toMatchObject({ kind: 'update', failures: first!.failures, mail: 'none' })
  })
})

/** A server whose file comes only once `answer` is called. */
const slowServer = async (text = 'slow') => {
  const waiting: ServerResponse[] = []
  let isOpen = false
  const server = await fileServer({
    'slow.txt': (response, { method }) => {
      if (method === 'HEAD')
        return void response.writeHead(200, { 'content-length': Buffer.byteLength(text) }).end()
      if (isOpen) return void response.end(text)
      waiting.push(response)
    },
  })
  return {
    address: `${server.address}/slow.txt`,
    isAsked: () => until('the file is asked for', () => (waiting.length > 0 ? true : undefined)),
    answer: () => {
      isOpen = true
      for (const response of waiting) response.end(text)
    },
  }
}

const collection = 'default'

const movesOf = async ({ system }: World, job: number): Promise<readonly JobMoved[]> => {
  const read = await system.eventStore.read(jobStream(job), 'start', 'forward', 100)()
  if (isLeft(read)) throw new Error(JSON.stringify(read.left))
  return read.right.filter(({ type }) => type === 'JobMoved').map(({ data }) => data as JobMoved)
}

describe('N18', () => {
  it('a hold before a batch holds the batch; it is released only once the collection is (I3, I5)', async () => {
    const world = await ingestWorld()
    expect(await world.ask('hold-collection', { collection })).toBeUndefined()
    const payload = { url: await world.file('a.txt', 'A'), type: 'file' }
    const batch = await world.submit({ payload })
    await world.batchIs(batch, 'held')
    expect(world.jobsOf(batch)).toEqual([])
    expect(await world.ask('release-batch', { batch })).toMatchObject({ code: 'on-hold' })
    expect(world.batch(batch)).toMatchObject({ state: 'held' })
    expect(await world.ask('release-collection', { collection })).toBeUndefined()
    await until('the release is seen', async () =>
      (await world.ask('release-batch', { batch })) === undefined ? true : undefined,
    )
    expect(await world.ended(batch)).toMatchObject({ state: 'completed', completed: 1 })
  })

  it('a hold during a batch: what runs finishes, what is pending is held, also where it is released under the hold (X21, C9, C14)', async () => {
    const world = await ingestWorld({ hands: 1 })
    const objectOf = async (name: string) =>
      manifest('mrt-ingest-manifest', [[await world.file(`${name}.txt`, name)]])
    // The first job's own manifest keeps the one worker busy, so the second is pending.
    const server = await slowServer(await objectOf('one'))
    const rows = [[server.address], [await world.file('two.checkm', await objectOf('two'))]]
    const url = await world.file('batch.checkm', manifest('mrt-batch-manifest', rows))
    const batch = await world.submit({ payload: { url } })
    await server.isAsked()
    expect(await world.ask('hold-collection', { collection })).toBeUndefined()
    server.answer()
    const [first, second] = world.jobsOf(batch)
    await world.jobIs(first!.job, 'completed')
    await world.jobIs(second!.job, 'held')
    expect(await world.ask('release-job', { job: second!.job })).toBeUndefined()
    const moves = async () => (await movesOf(world, second!.job)).map(({ to }) => to).join(' ')
    await until('it is held again', async () => ((await moves()) === 'held pending held' ? true : undefined))
    await until('it shows', () => (world.batch(batch)?.held === 1 ? true : undefined))
    expect(world.batch(batch)).toMatchObject({ state: 'processing', reports: 0 })
    expect(await world.ask('release-collection', { collection })).toBeUndefined()
    await world.jobIs(second!.job, 'held')
    expect(await world.ask('release-jobs', { collection })).toBeUndefined()
    expect(await world.ended(batch)).toMatchObject({ state: 'completed', completed: 2, reports: 1 })
  })

  it('a pause during a batch: nothing further is begun, and it goes on afterwards', async () => {
    const world = await ingestWorld()
    const server = await slowServer()
    const batch = await world.submit({ payload: { url: server.address, type: 'file' } })
    await server.isAsked()
    expect(await world.ask('pause', {})).toBeUndefined()
    // A worker looks for a pause once a second.
    await new Promise((resolve) => setTimeout(resolve, 1100))
    server.answer()
    const [job] = world.jobsOf(batch)
    await world.jobIs(job!.job, 'processing')
    await until('it is given back', () => (world.jobsOf(batch)[0]?.holder === null ? true : undefined))
    expect(world.jobsOf(batch)).toMatchObject([{ state: 'processing' }])
    expect(await world.ask('unpause', {})).toBeUndefined()
    expect(await world.ended(batch)).toMatchObject({ state: 'completed' })
  })
})
