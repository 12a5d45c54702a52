import { expect, it, onTestFinished } from 'vitest'
import { bucketEventsTopic } from '#src/domain/ingest/bucket-events.ts'
import { sightedMillis } from '#src/domain/ingest/drop/decide.ts'
import { addMillis } from '#src/domain/kernel/time.ts'
import { startDropWatch } from '#src/workers/ingest/drops/drop-watch.ts'
import { reportOnTopic } from '#src/workers/runtime/report-on-topic.ts'
import { started } from '../../app/archive.ts'
import { dropCauses, dropEventsIn, withoutWorkers, dropsWorld as world } from './drops-world.ts'
import { until } from './ingest-world.ts'

it('what cannot be taken in is on the page while it lasts, in one event each', async () => {
  const { put, s3, ingest, over } = await world()
  let isClosed = true
  s3.beforeEach(({ method, key }) =>
    isClosed && method !== 'PUT' && key?.endsWith('closed.txt')
      ? { kind: 'answer', answer: { status: 403 } }
      : undefined,
  )
  await put('closed.txt', 'a')
  const [cause] = await until('the page has it', async () => {
    const found = await dropCauses(ingest)
    return found.length > 0 ? found : undefined
  })
  expect(cause?.says).toMatch(/^not all that was dropped in s3:\/\/bucket\/in coming .*closed\.txt/)
  isClosed = false
  await over(1)
  await until('it is over', async () => ((await dropCauses(ingest)).length === 0 ? true : undefined))
  expect((await dropEventsIn(ingest)).map(({ type }) => type)).toEqual(['DropsRefused', 'DropsAccepted'])
})

it('a notification has a prefix listed before its time; a folder without a mark still waits for two rounds', async () => {
  const { put, s3, ingest, over, rows } = await world({ ingestDropSeconds: 3600 }, withoutWorkers)
  const { system } = ingest
  let ahead = 0
  const clock = {
    ...system.clock,
    monotonic: () => system.clock.monotonic(),
    now: () => addMillis(system.clock.now(), ahead),
    sleep: (_: number, signal?: AbortSignal) => system.clock.sleep(10, signal),
  }
  const watch = startDropWatch({ ...system, ...system.adapters.ingest, clock })
  onTestFinished(() => watch.stop())
  await until('it was listed once', () => (s3.count('ListObjects') === 1 ? true : undefined))
  await put('a.txt', 'a')
  await put('b/1.txt', 'b')
  await put('c/1.txt', 'c')
  await put('c.complete', '')
  const s3Record = (eventName: string, key: string) => ({
    eventName,
    eventTime: '2026-01-01T00:00:00.000Z',
    s3: { bucket: { name: 'bucket' }, object: { key } },
  })
  const notify = async (...Records: readonly object[]) => {
    await reportOnTopic(system, bucketEventsTopic, 's3', [{ type: 'bucket.notified', data: { Records } }])
  }
  await notify(
    s3Record('ObjectCreated:Put', 'elsewhere/a.txt'),
    s3Record('ObjectRemoved:Delete', 'in+coming/a'),
  )
  await notify(
    s3Record('ObjectCreated:Put', 'in+coming/a.txt'),
    s3Record('ObjectCreated:Put', 'in+coming/b/1.txt'),
  )
  await notify(s3Record('ObjectCreated:Put', 'in+coming/c.complete'))
  const events = await until('it is sighted', async () => {
    const found = await dropEventsIn(ingest)
    return found.length > 0 ? found : undefined
  })
  expect(events.map(({ type, stream }) => [type, stream])).toEqual([
    ['DropsSighted', 'ingestDrop-s3://bucket/in coming'],
  ])
  expect(s3.count('ListObjects')).toBe(1)
  ahead = sightedMillis
  await until('both are submitted', () => (rows().length === 2 ? true : undefined))
  expect(s3.count('ListObjects')).toBe(2)
  await started(system, ['workers'])
  // A worker of the whole system begins with a round of its own.
  expect(await over(2)).toMatchObject([{ state: 'completed' }, { state: 'completed' }])
})
