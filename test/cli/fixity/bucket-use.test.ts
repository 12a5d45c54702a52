import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import type { System } from '#src/app/system.ts'
import { waitUntilIdle } from '#src/app/wait-until-idle.ts'
import { addFolder } from '#src/cli/fixity/add.ts'
import { checkSentences } from '#src/cli/fixity/check-sentences.ts'
import { estimateRequests } from '#src/cli/fixity/estimate.ts'
import { moveStoreTo } from '#src/cli/fixity/move-store.ts'
import { bucketUse } from '#src/domain/fixity/views.ts'
import { is, rows } from '#src/domain/kernel/read-views.ts'
import { period } from '#src/projections/fixity/questions/period-question.ts'
import { fixityReport } from '#src/projections/fixity/questions/report.ts'
import { reportPage } from '#src/projections/fixity/questions/report-page.ts'
import { reportText } from '#src/projections/fixity/questions/report-text.ts'
import { storesQuestion } from '#src/projections/fixity/questions/stores-question.ts'
import { recordBucketUse, recordingBucketUse } from '#src/workflows/fixity/record-bucket-use.ts'
import { folderOf, started, testSystem } from '../../app/archive.ts'
import { type S3Server, seedObject } from '../../fakes/s3-server.ts'
import { openTestSystem } from '../../fakes/system.ts'
import { add, bucketHere, check, root } from './bucket-store.ts'

const filled = async () => {
  const { server, bucket } = await bucketHere()
  for (let i = 0; i < 12; i++) seedObject(bucket, `main/a/${i}`, `bytes of ${i}`)
  return { server, bucket }
}

const askedOf = (server: S3Server) => ({
  gets: server.count('GetObject'),
  heads: server.count('HeadObject'),
  lists: server.count('ListObjects'),
  puts: 0,
  deletes: 0,
})

const useOf = ({ viewStore }: System, store = 'archive-main') =>
  rows(viewStore, bucketUse, { where: [is('store', store)] })

/** Records what is left, and has it folded. */
const recordRest = async (system: System) => {
  await started(system, ['processors', 'reactions', 'projections'])
  await recordBucketUse(system)
  await waitUntilIdle(system)
}

describe('requests to the bucket of a store', () => {
  it('are in the log when a check ends, and in report, period, stores and page, as the server counts them', async () => {
    const { server } = await filled()
    const system = await testSystem()
    await recordingBucketUse(system, () => add(system))
    await check(system)
    const now = system.clock.now()
    const [use] = useOf(system)
    expect(use).toMatchObject({ store: 'archive-main', day: now.slice(0, 10), ...askedOf(server) })
    expect(use?.bytesRead).toBeGreaterThanOrEqual(24 * 10)
    const { store: _, day: __, ...amounts } = use!
    const report = fixityReport(system.viewStore, now)
    expect(report.stores[0]?.asked).toEqual(amounts)
    expect(fixityReport(system.viewStore, now, { prefix: 'a' }).stores[0]).not.toHaveProperty('asked')
    const sentence = `Asked of its bucket in the last 30 days (UTC): ${use?.gets} GET, ${use?.lists} LIST, ${use?.heads} HEAD;`
    expect(reportText(report).join('\n')).toContain(sentence)
    expect(reportPage(report)).toContain(sentence)
    const given = { now } as never
    const ask = (asked: object) => period.ask(system.viewStore, { since: '1d', ...asked } as never, given)
    expect(ask({})).toMatchObject(E.right({ requests: [{ store: 'archive-main', ...amounts }] }))
    expect(ask({ store: 'archive-main' })).toMatchObject(E.right({ requests: [amounts] }))
    expect(ask({ prefix: 'a' })).toMatchObject(E.right({ requests: [] }))
    expect(ask({ since: '9d', until: '8d' })).toMatchObject(E.right({ requests: [] }))
    const stores = await storesQuestion.ask(system.viewStore, { days: 2 } as never, given)
    if (E.isLeft(stores)) throw new Error('no answer')
    expect(stores.right.stores[0]?.asked).toEqual([{ day: use?.day, ...amounts }])
    expect(storesQuestion.rows?.of(stores.right as never)).toMatchObject([{ gets: 0 }, amounts])
  })

  it('add up over processes that share a log, and a restart keeps them', async () => {
    const { server } = await filled()
    const one = await testSystem()
    await recordingBucketUse(one, () => add(one))
    const another = await openTestSystem({ home: one.config.home })
    await check(another)
    await another.close()
    const later = await testSystem({ home: one.config.home })
    expect(useOf(later)).toMatchObject([askedOf(server)])
  })

  it('are recorded once, also where the log fails at first', async () => {
    const { server } = await filled()
    const system = await testSystem()
    await add(system)
    const failing = {
      ...system,
      execute: () => Promise.resolve(E.left({ kind: 'Unavailable', reason: 'away' })),
    }
    await recordBucketUse(failing as never)
    await Promise.all([recordBucketUse(system), recordBucketUse(system)])
    await recordRest(system)
    expect(useOf(system)).toMatchObject([askedOf(server)])
  })

  it('are recorded every five minutes while work goes on', async () => {
    await filled()
    const system = await testSystem()
    await add(system)
    const slept: number[] = []
    const woken = Promise.withResolvers<void>()
    const recorded = Promise.withResolvers<void>()
    const sleep = (millis: number, signal?: AbortSignal) => {
      slept.push(millis)
      if (slept.length === 1) return woken.promise
      recorded.resolve()
      return system.clock.sleep(millis, signal)
    }
    await recordingBucketUse({ ...system, clock: { ...system.clock, sleep } }, async () => {
      await started(system, ['processors', 'reactions', 'projections'])
      woken.resolve()
      await recorded.promise
      await waitUntilIdle(system)
      expect(useOf(system)).toMatchObject([{ gets: expect.any(Number) }])
    })
    expect(slept).toEqual([300_000, 300_000])
  })

  it('of another workflow are none of a store', async () => {
    await filled()
    const system = await testSystem()
    await recordingBucketUse(system, () => add(system))
    await recordRest(system)
    const before = useOf(system)
    const totals = system.adapters.fixity.bucketTotals().requests.list
    for await (const _ of system.adapters.ingest.openContent(root).list()) void _
    expect(system.adapters.fixity.bucketTotals().requests.list).toBe(totals + 1)
    await recordBucketUse(system)
    await waitUntilIdle(system)
    expect(useOf(system)).toEqual(before)
  })

  it('are none where a folder is checked', async () => {
    const system = await testSystem()
    const options = { store: 'here', actor: 'ada' }
    const folder = await folderOf({ a: 'aaaa' })
    await addFolder(system, folder, options, () => {}, new AbortController().signal)
    await check(system)
    expect(useOf(system, 'here')).toEqual([])
    expect(fixityReport(system.viewStore, system.clock.now()).stores[0]).not.toHaveProperty('asked')
  })

  it('of a move are those to both roots', async () => {
    const { server, bucket } = await filled()
    for (let i = 0; i < 12; i++) seedObject(bucket, `copy/a/${i}`, `bytes of ${i}`)
    const system = await testSystem()
    await recordingBucketUse(system, () => add(system))
    const moving = {
      actor: 'ada',
      reason: 'test',
      signal: new AbortController().signal,
      onProgress: () => {},
    }
    const { moved } = await moveStoreTo(system, 'archive-main', 's3://archive/copy', moving)
    expect(moved).toBe(true)
    await recordRest(system)
    expect(useOf(system)).toMatchObject([askedOf(server)])
  })

  it('are put beside what was estimated of a check', async () => {
    await filled()
    const system = await testSystem()
    await add(system)
    const estimated = estimateRequests(system, {})
    expect(estimated).toEqual({ get: 12, list: 1, head: 1 })
    const summary = { ...(await check(system)), ...(estimated && { estimated }) }
    expect(summary.buckets?.requests.get).toBeGreaterThanOrEqual(12)
    expect(checkSentences(summary).at(-1)).toMatch(
      /^Asked of buckets: 1\d GET, 1 LIST, \d+ HEAD, .* \(estimated before: at least 12 GET, 1 LIST, 1 HEAD\)$/,
    )
  })
})
