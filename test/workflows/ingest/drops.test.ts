import { createHash } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { startDropWatch } from '#src/workers/ingest/drops/drop-watch.ts'
import { started } from '../../app/archive.ts'
import { submitted } from '../../ingest-submitted.ts'
import { dropCauses, withoutWorkers, dropsWorld as world } from './drops-world.ts'
import { until } from './ingest-world.ts'

/* Things that depositors put below a prefix in a bucket, and that are taken in by themselves. */

it('an object, a container and a folder are taken in, once each, and stay where they are', async () => {
  const { ingest, put, over, keys, s3 } = await world()
  await put('letter 100%20.txt', 'Dear Ada')
  await put('box/1.txt', 'one')
  await put('box/b/2.txt', 'two')
  await put('bag/bagit.txt', 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n')
  await put('bag/manifest-sha256.txt', `${createHash('sha256').update('a').digest('hex')}  data/a.txt\n`)
  await put('bag/data/a.txt', 'a')
  await put('bag.complete', '')
  const before = await keys()
  const found = await over(3)
  expect(found.map(({ state, submitter }) => [state, submitter])).toEqual(
    found.map(() => ['completed', 's3://bucket/in coming']),
  )
  const stored = await Promise.all(
    found.map(async ({ batch }) => {
      const paths = await ingest.paths(ingest.jobsOf(batch)[0]!.ark)
      return paths
        .filter((path) => path.startsWith('producer/'))
        .sort()
        .join(' ')
    }),
  )
  expect(stored.sort()).toEqual([
    'producer/1.txt producer/b/2.txt',
    'producer/bagit.txt producer/data/a.txt producer/manifest-sha256.txt',
    'producer/letter 100%20.txt',
  ])
  // It is looked at several times more.
  s3.forgetCounts()
  await until('it was looked at three times', () => (s3.count('ListObjects') >= 3 ? true : undefined))
  expect(await submitted(ingest.system)).toHaveLength(3)
  expect(await keys()).toEqual(before)
})

it('what is overwritten with other bytes is a submission of its own; with the same bytes it is none', async () => {
  const { put, over, s3, ingest } = await world()
  await put('a.txt', 'first')
  await over(1)
  await put('a.txt', 'first')
  s3.forgetCounts()
  await until('it was looked at twice', () => (s3.count('ListObjects') >= 2 ? true : undefined))
  expect(await submitted(ingest.system)).toHaveLength(1)
  await put('a.txt', 'second')
  const found = await over(2)
  const texts = await Promise.all(
    found.map(({ batch }) => ingest.stored(ingest.jobsOf(batch)[0]!.ark, 'producer/a.txt')),
  )
  expect(texts.sort()).toEqual(['first', 'second'])
})

it('what is overwritten before it is read fails by its digest, and nothing of the other is stored for it', async () => {
  // No worker of ingest runs yet.
  const { put, over, ingest, rows } = await world({}, withoutWorkers)
  const watch = startDropWatch({ ...ingest.system, ...ingest.system.adapters.ingest })
  await put('a.txt', 'first')
  await until('it is submitted', () => (rows().length === 1 ? true : undefined))
  await watch.stop()
  await put('a.txt', 'fresh')
  await started(ingest.system, ['workers'])
  const found = await over(2)
  expect(found.map(({ state }) => state).sort()).toEqual(['completed', 'failed'])
  const [failed, completed] = found.toSorted((one) => (one.state === 'failed' ? -1 : 1))
  expect(ingest.jobsOf(failed!.batch)[0]).toMatchObject({ message: expect.stringMatching(/md5|digest/i) })
  const [job] = ingest.jobsOf(completed!.batch)
  expect(await ingest.stored(job!.ark, 'producer/a.txt')).toBe('fresh')
})

it('two processes that look submit one batch, also after both were started again', async () => {
  const { put, ingest, over, s3 } = await world()
  const context = { ...ingest.system, ...ingest.system.adapters.ingest }
  const watches = [startDropWatch(context), startDropWatch(context)]
  await put('a.txt', 'a')
  await put('b/1.txt', 'b')
  await over(2)
  await Promise.all(watches.map((watch) => watch.stop()))
  const again = [startDropWatch(context), startDropWatch(context)]
  onTestFinished(async () => void (await Promise.all(again.map((watch) => watch.stop()))))
  s3.forgetCounts()
  await until('all looked again', () => (s3.count('ListObjects') >= 9 ? true : undefined))
  expect(await over(2)).toHaveLength(2)
})

it('while the bucket is away, or lists a part alone, nothing is submitted; then all of it is', async () => {
  const { put, s3, rows, over } = await world()
  let refused = 0
  s3.beforeEach(({ kind }) => {
    if (kind !== 'ListObjects') return undefined
    refused += 1
    return { kind: 'answer', answer: { status: 403 } }
  })
  await put('a.txt', 'a')
  await until('it was asked for twice', () => (refused >= 2 ? true : undefined))
  expect(rows()).toEqual([])
  s3.beforeEach(undefined)
  expect(await over(1)).toMatchObject([{ state: 'completed' }])
})

it('an object that the server does not describe keeps no other from being taken in', async () => {
  const { put, s3, over } = await world()
  let isClosed = true
  s3.beforeEach(({ method, key }) =>
    isClosed && method !== 'PUT' && key?.endsWith('closed.txt')
      ? { kind: 'answer', answer: { status: 403 } }
      : undefined,
  )
  await put('closed.txt', 'a')
  await put('open.txt', 'b')
  expect(await over(1)).toMatchObject([{ state: 'completed' }])
  isClosed = false
  expect(await over(2)).toMatchObject([{ state: 'completed' }, { state: 'completed' }])
})

it('X8: a manifest that is dropped reaches no file of this machine, for strangers may write there', async () => {
  const { put, over, ingest } = await world()
  const rows = ['#%checkm_0.7', '#%profile | http://host.example/mrt-single-file-batch-manifest']
  await put('list.checkm', [...rows, 'file:///etc/hostname | | | | | ', '#%eof\n'].join('\n'))
  const [batch] = await over(1)
  expect(batch).toMatchObject({ state: 'failed', failed: 1 })
  expect(ingest.jobsOf(batch!.batch)[0]!.message).toContain('is not in a folder that may be read')
})

it.each([
  [
    'for a profile that is not there',
    { ingestDrops: 'none=s3://bucket/in coming' },
    'there is no profile none',
  ],
  [
    'from where objects are stored',
    { ingestStorage: 's3://bucket/in coming/root' },
    'would be taken in again',
  ],
])('nothing is taken in %s, and the log says so once', async (_, settings, reason) => {
  const { s3, put, ingest } = await world(settings, withoutWorkers)
  await put('a.txt', 'a')
  const { system } = ingest
  const warnings: string[] = []
  let looks = 0
  const clock = {
    ...system.clock,
    now: () => system.clock.now(),
    sleep: async (_: number, signal?: AbortSignal) => {
      looks += 1
      await system.clock.sleep(1, signal)
    },
  }
  const log = { ...system.log, warn: (_: object, text: string) => void warnings.push(text), info: () => {} }
  const context = { ...system, ...system.adapters.ingest, clock, log: log as unknown as typeof system.log }
  const watch = startDropWatch(context)
  onTestFinished(() => watch.stop())
  await until('it looked three times', () => (looks >= 3 ? true : undefined))
  expect(warnings).toEqual([expect.stringContaining(reason)])
  const [cause] = await until('the page has it', async () => {
    const found = await dropCauses(ingest)
    return found.length > 0 ? found : undefined
  })
  expect(cause).toMatchObject({ key: 'drops/s3://bucket/in coming', says: expect.stringContaining(reason) })
  expect([s3.count('ListObjects'), await submitted(system)]).toEqual([0, []])
})
