import { describe, expect, it } from 'vitest'
import { ingestFinders } from '#src/projections/ingest/finders.ts'
import { objectQuestion } from '#src/projections/ingest/questions/object-question.ts'
import type { Finder } from '#src/projections/runtime/finder.ts'
import { ark, batchId, object, sha256 } from '../../domain/ingest/samples.ts'
import { asked } from './asking.ts'
import { folded } from './folding.ts'

const file = (path: string) => ({ path, size: 100, sha256 })

describe('objects', () => {
  it('have no version while their identifier is only reserved', () => {
    const { log, row } = folded()
    log.open()
    log.walk(12, 'processing')
    log.object(ark, { type: 'ReserveArk', job: 12, fence: log.claim(12) })
    expect(row('ingest-objects')).toMatchObject({ object: ark, job: 12, version: 0, storedAt: null })
  })

  it('have their versions, and the files of each', () => {
    const { log, row, rows } = folded()
    log.open({ objects: [object(0), object(1)] })
    log.walk(12, 'completed')
    log.walk(13, 'storing', ark.replace('abc', 'xyz'))
    log.store(ark, 13, log.claim(13), 2, ['a.tif'])
    expect(row('ingest-objects', { object: ark })).toMatchObject({
      job: 13,
      version: 2,
      files: 1,
      bytes: 100,
      collection: 'letters',
      localIds: ['loc0', 'loc1'],
    })
    expect(rows('ingest-versions')).toMatchObject([
      { version: 1, job: 12, files: 3 },
      { version: 2, job: 13, files: 1 },
    ])
    expect(rows('ingest-files').map(({ version, path }) => [version, path])).toEqual([
      [1, 'a.tif'],
      [1, 'b.tif'],
      [1, 'c.tif'],
      [2, 'a.tif'],
    ])
  })

  it('files that were listed for a version which another job stored are gone', () => {
    const { log, rows } = folded()
    log.open({ objects: [object(0), object(1)] })
    log.walk(12, 'storing')
    const fence = log.claim(12)
    log.object(ark, { type: 'ClaimObject', job: 12, fence })
    log.object(ark, { type: 'ListFiles', job: 12, fence, version: 1, from: 0, files: [file('a'), file('b')] })
    log.object(ark, { type: 'ListFiles', job: 12, fence, version: 1, from: 2, files: [file('c')] })
    expect(rows('ingest-files')).toHaveLength(3)
    log.fail(12)
    log.walk(13, 'storing', ark.replace('abc', 'xyz'))
    const next = log.claim(13)
    log.object(ark, { type: 'ClaimObject', job: 13, fence: next, over: { job: 12, fence } })
    log.store(ark, 13, next, 1, ['b', 'd'])
    expect(rows('ingest-files').map(({ path }) => path)).toEqual(['b', 'd'])
    expect(rows('ingest-listings')).toEqual([])
  })

  it('a listing is begun anew under another claim', () => {
    const { log, rows } = folded()
    log.open()
    log.walk(12, 'storing')
    const list = (fence: number, from: number, ...paths: string[]) =>
      log.object(ark, { type: 'ListFiles', job: 12, fence, version: 1, from, files: paths.map(file) })
    const first = log.claim(12)
    log.object(ark, { type: 'ClaimObject', job: 12, fence: first })
    list(first, 0, 'a', 'x')
    log.job(12, { type: 'ReleaseClaim', fence: first, reason: 'stopping' })
    const second = log.claim(12)
    log.object(ark, { type: 'ClaimObject', job: 12, fence: second })
    list(second, 0, 'a', 'b')
    expect(rows('ingest-files').map(({ path }) => path)).toEqual(['a', 'b'])
    log.object(ark, {
      type: 'RecordVersion',
      job: 12,
      fence: second,
      version: 1,
      inventoryDigest: 'd1',
      files: 3,
      bytes: 300,
      listed: [file('c')],
      object: {
        batch: batchId,
        profile: 'letters',
        collection: 'letters',
        owner: 'none',
        localIds: [],
        mode: 'add',
      },
    })
    expect(rows('ingest-files').map(({ path }) => path)).toEqual(['a', 'b', 'c'])
    expect(rows('ingest-listings')).toEqual([])
  })
})

it('a local id means nothing while a job looks for its object', () => {
  const { log, rows } = folded()
  log.open()
  log.walk(12, 'processing')
  log.claim(12)
  log.bind('museum/1', 'loc/0', 12)
  expect(rows('ingest-local-ids')).toMatchObject([{ owner: 'museum/1', localId: 'loc/0', ark, job: 12 }])
})

it('a local id of a job that failed is found by find and by the question for an object: as that job, with its state', async () => {
  const all = folded()
  const { log } = all
  log.open({ objects: [object(0), object(1)] })
  log.walk(12, 'downloading')
  log.claim(12)
  log.fail(12, 'a.tif: 404')
  const { views } = all
  const finder = ingestFinders.find(({ kind }) => kind === 'ingest-jobs') as Finder
  const find = async (text: string) => (await finder.find({ views } as never, { text, limit: 20 })).hits
  expect(await find('loc0')).toEqual([
    {
      id: '12',
      title: 'loc0',
      note: 'failed, hands in loc0',
      command: 'fonds ingest job 12',
      page: '/ingest/jobs/12',
      isExact: true,
    },
  ])
  expect(await find('loc')).toMatchObject([
    { note: 'failed, hands in loc0', isExact: false },
    { note: 'pending, hands in loc1', isExact: false },
  ])
  expect(await find('oc0')).toEqual([])
  const { rejection } = await asked(objectQuestion, views, log.now(), { id: 'loc0' })
  expect(rejection).toMatchObject({
    message: 'there is no object loc0 yet: job 12 of batch 7, which hands it in, is failed',
    hint: '`fonds ingest why 12` says why, and what to do',
  })
  expect((await asked(objectQuestion, views, log.now(), { id: 'loc' })).rejection).toMatchObject({
    message: 'there is no object loc',
  })
})

it('holds, profiles, claims of volumes and what is to be cleared away', () => {
  const { log, row, rows } = folded()
  log.hold('all', 'SetHold', 'power')
  log.hold({ collection: 'letters' }, 'SetHold', 'stocktaking', 'olga')
  expect(rows('ingest-holds')).toMatchObject([
    { scope: 'all', collection: null, reason: 'power', actor: 'olga' },
    { scope: 'collection:letters', collection: 'letters', reason: 'stocktaking' },
  ])
  log.hold('all', 'ReleaseHold', 'power is back')
  log.hold({ collection: 'letters' }, 'ReleaseJobs', 'some may go on')
  expect(rows('ingest-holds')).toHaveLength(1)

  log.setProfile({ name: 'maps', owner: 'museum' })
  expect(row('ingest-profiles')).toMatchObject({ profile: 'maps', collection: 'maps', owner: 'museum' })

  log.claimVolume('work')
  expect(row('ingest-claims')).toMatchObject({ kind: 'volume', id: 'work', holder: 'worker-1' })
  log.releaseVolume('work', 1)
  expect(rows('ingest-claims')).toEqual([])

  log.sweep('2026-01-01T00:00:00.000Z')
  expect(rows('ingest-housekeeping')).toMatchObject([
    { what: 'batches', before: '2026-01-01T00:00:00.000Z', reason: 'room', actor: 'ada' },
  ])
})
