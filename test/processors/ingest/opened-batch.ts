import { onTestFinished } from 'vitest'
import type { Job } from '#src/domain/ingest/job/state.ts'
import { batches, jobs, orderOf, views } from '#src/domain/ingest/views.ts'
import type { Row } from '#src/domain/kernel/view.ts'
import { jobQueues } from '#src/processors/ingest/job-claims.ts'
import { openTestViews } from '../../fakes/views.ts'
import { batchIdOf, ingestWorld, listed, submission } from './world.ts'

export const timeoutMillis = 600_000

/** The row of a batch that waits to be opened. */
export const toOpen = (batch: string, number: number): Row => ({
  ...Object.fromEntries(Object.keys(batches.columns).map((column) => [column, null])),
  ...{ batch, number, submission, terms: { name: 'default' }, submittedAt: '', lastModified: '' },
  ...{ state: 'pending', profile: 'default', collection: 'default', submitter: 'b', mode: 'add' },
  ...{ task: 'open', site: '', available: '' },
  ...{ jobs: 0, open: 0, held: 0, completed: 0, failed: 0, deleted: 0, reports: 0 },
})

/** A world whose rows a test writes: what is asked of them is the matter here, not how they came about. */
export const withViews = () => {
  const world = ingestWorld()
  const viewStore = openTestViews()
  onTestFinished(() => viewStore.close())
  const generation = viewStore.create('ingest', 1, views)
  viewStore.promote(generation)
  let position = -1n
  const write = (view: string, ...rows: readonly Row[]) => {
    const from = position++
    viewStore.fold(generation, from, { position, time: world.clock.now() }, (tables) => {
      for (const row of rows) tables[view]?.put(row)
    })
  }
  const deps = {
    ...world,
    viewStore,
    worker: 'worker-1',
    timeoutMillis,
    reportFailure: async () => {},
  }
  return {
    ...world,
    viewStore,
    write,
    deps,
    queues: jobQueues(deps),
    /** A job that is pending, with its row. */
    row: (job: number, { state, priority, claims, facts }: Job, more: Row = {}): Row => ({
      ...Object.fromEntries(Object.keys(jobs.columns).map((column) => [column, null])),
      job,
      batch: facts.batch,
      batchNumber: 1,
      place: facts.index,
      state,
      available: claims.lease?.deadline ?? '',
      order: orderOf(priority, job),
      priority,
      profile: facts.profile,
      collection: facts.collection,
      owner: facts.owner,
      submitter: facts.submitter,
      payload: facts.payload,
      mode: facts.mode,
      localIds: [],
      retryCount: 0,
      permanent: 0,
      spaceNeeded: 0,
      sizeKnown: 0,
      sourceSite: '',
      workSite: '',
      site: '',
      folder: 1,
      fence: claims.lastFence,
      deaths: claims.deaths ?? 0,
      createdAt: world.clock.now(),
      lastModified: world.clock.now(),
      ...more,
    }),
  }
}

/** A batch of so many jobs, opened, with their rows. */
export const opened = async (count: number) => {
  const world = withViews()
  const batch = batchIdOf(0)
  await world.send('batch.submitted', { batch, ...submission }, 'api')
  await world.settle()
  const { deadline } = { deadline: '2099-01-01T00:00:00.000Z' }
  const outcome = await world.onBatch(batch, {
    type: 'ClaimBatch',
    task: 'open',
    holds: {},
    holder: 'w',
    deadline,
    millis: 1000,
  })
  if (outcome.kind !== 'done') throw new Error(outcome.kind)
  const { fence } = outcome.result as { fence: number }
  await world.send('objects.listed', { batch, fence, from: 0, objects: listed(count) })
  await world.send('batch.opened', { batch, fence, count, type: 'batch-manifest' })
  await world.settle()
  const show = async (...numbers: readonly (readonly [job: number, more?: Row])[]) => {
    const rows = await Promise.all(
      numbers.map(async ([job, more]) => world.row(job, await world.job(job), more)),
    )
    world.write(jobs.name, ...rows)
  }
  return { ...world, batch, show }
}
