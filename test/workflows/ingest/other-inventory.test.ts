import { expect, it } from 'vitest'
import { recordedTopic } from '#src/domain/ingest/messages.ts'
import { reportOnTopic } from '#src/workers/runtime/report-on-topic.ts'
import { ingestWorld, testServer } from './ingest-world.ts'

it('where another inventory records, a version waits for its word: a no fails the step, and nobody was told (X18)', async () => {
  const world = await ingestWorld({ ingestInventory: 'other' })
  const receiver = await testServer((_, response) => void response.end())
  const url = await world.file('a.txt', 'A')
  const batch = await world.submit({ payload: { url, type: 'file' }, callback: receiver.address })
  await world.batchIs(batch, 'processing')
  const { job, ark, version } = await world.jobIs(world.jobsOf(batch)[0]!.job, 'recording')
  const say = (type: string, more: object = {}) =>
    reportOnTopic(world.system, recordedTopic, 'fonds://inventory', [
      { type, data: { job, ark, version, ...more } },
    ])

  await say('object.rejected', { message: 'no room in the inventory' })
  expect(await world.ended(batch)).toMatchObject({ state: 'failed', failed: 1 })
  expect(world.jobsOf(batch)).toMatchObject([
    { failedIn: 'recording', permanent: 0, message: 'no room in the inventory', retryCount: 0 },
  ])
  expect(await world.stored(ark, 'producer/a.txt')).toBe('A')

  expect(await world.ask('resume-job', { job })).toBeUndefined()
  await world.jobIs(job, 'recording')
  // Long enough for a worker to take it, if one would.
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(world.jobsOf(batch)).toMatchObject([{ state: 'recording', holder: null }])
  expect(receiver.asked).toEqual([])
  await say('object.recorded')
  await world.jobIs(job, 'completed')
  expect(receiver.asked).toHaveLength(1)
})
