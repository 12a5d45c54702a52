import { describe, expect, it } from 'vitest'
import { ark, batchId, object } from '../../domain/ingest/samples.ts'
import { foldAll, folded, openIngest } from './folding.ts'
import { ingestLog } from './log.ts'

const opened = () => {
  const all = folded()
  all.log.open()
  return all
}

describe('the row of a job', () => {
  it('I18: waits at once, in its place', () => {
    const { row } = opened()
    expect(row('ingest-jobs')).toMatchObject({
      job: 12,
      batch: batchId,
      batchNumber: 7,
      place: 0,
      state: 'pending',
      available: '',
      order: '05-0000000000000012',
      localIds: ['loc0'],
      lastSuccessfulStatus: null,
      sizeKnown: 0,
      folder: 1,
    })
  })

  it('keeps its claim over the moves of its holder, up to the one that gives it back', () => {
    const { log, row, rows } = opened()
    const fence = log.claim(12)
    const { heldUntil } = row('ingest-jobs')!
    log.complete(12)
    expect(row('ingest-jobs')).toMatchObject({ state: 'estimating', available: heldUntil, fence })
    expect(rows('ingest-claims')).toMatchObject([{ kind: 'job', id: '12', state: 'pending', fence }])
    log.complete(12, undefined, true)
    expect(row('ingest-jobs')).toMatchObject({
      state: 'provisioning',
      lastSuccessfulStatus: 'estimating',
      available: '',
      holder: null,
      heldUntil: null,
      fence,
    })
    expect(rows('ingest-claims')).toEqual([])
  })

  it('a longer claim is seen', () => {
    const { log, row } = opened()
    const fence = log.claim(12)
    const deadline = '2026-02-01T00:00:00.000Z'
    log.job(12, { type: 'ExtendClaim', fence, deadline })
    expect(row('ingest-jobs')).toMatchObject({ heldUntil: deadline, available: deadline })
    expect(row('ingest-claims')).toMatchObject({ deadline })
  })

  it('is put off with the reason, and is there at once when its claim ran out', () => {
    const { log, row } = opened()
    const until = '2026-01-31T12:30:00.000Z'
    log.job(12, { type: 'ReleaseClaim', fence: log.claim(12), reason: 'its object is held', until })
    expect(row('ingest-jobs')).toMatchObject({ available: until, putOffFor: 'its object is held' })
    log.wait(60)
    log.claim(12)
    expect(row('ingest-jobs')).toMatchObject({ putOffFor: null, holder: 'worker-1' })
    log.wait(60)
    log.job(12, { type: 'ExpireClaim' })
    expect(row('ingest-jobs')).toMatchObject({ available: '', holder: null, state: 'pending' })
  })

  it('a changed priority counts from the next move on', () => {
    const { log, row } = opened()
    log.claim(12)
    log.complete(12)
    log.complete(12, { priority: 10, spaceNeeded: 0, sizeKnown: false })
    expect(row('ingest-jobs')).toMatchObject({
      priority: 10,
      order: '10-0000000000000012',
      spaceNeeded: 0,
      sizeKnown: 0,
    })
  })

  it('shows an identifier as soon as it is reserved', () => {
    const { log, row } = opened()
    log.walk(12, 'processing')
    log.object(ark, { type: 'ReserveArk', job: 12, fence: log.claim(12) })
    expect(row('ingest-jobs')).toMatchObject({ state: 'processing', ark })
  })

  it('failed: where, why, and whether it can go on; it is in no other queue (C2)', () => {
    const { log, row, rows } = opened()
    log.walk(12, 'downloading')
    log.claim(12)
    log.fail(12, 'a.tif: 404')
    expect(row('ingest-jobs')).toMatchObject({
      state: 'failed',
      failedIn: 'downloading',
      lastSuccessfulStatus: 'provisioning',
      message: 'a.tif: 404',
      permanent: 0,
      available: null,
      retryCount: 0,
    })
    expect(rows('ingest-claims')).toEqual([])
    log.job(12, { type: 'ResumeJob', reason: 'mended' })
    expect(row('ingest-jobs')).toMatchObject({
      state: 'downloading',
      failedIn: null,
      retryCount: 1,
      available: '',
    })
    log.claim(12)
    log.fail(12, 'not what was said', true)
    expect(row('ingest-jobs')).toMatchObject({ permanent: 1 })
  })

  it('completed: what it stored, and when', () => {
    const { log, row } = opened()
    log.walk(12, 'completed')
    expect(row('ingest-jobs')).toMatchObject({
      state: 'completed',
      lastSuccessfulStatus: 'notify',
      version: 1,
      files: 3,
      bytes: 300,
      endedAt: log.now(),
      available: null,
      holder: null,
    })
  })

  it('I39: stays when its folder is cleaned, and goes with its deletion', () => {
    const { log, row } = opened()
    log.walk(12, 'completed')
    log.job(12, { type: 'NoteFolderCleaned' })
    expect(row('ingest-jobs')).toMatchObject({ state: 'completed', folder: 0 })
    log.job(12, { type: 'DeleteWithBatch', row: 'I16' })
    expect(row('ingest-jobs')).toBeUndefined()
  })

  it('I41, N8: is seen as deleted until its folder is gone', () => {
    const { log, row } = opened()
    log.job(12, { type: 'HoldJob', reason: 'wait' }, 'olga')
    expect(row('ingest-jobs')).toMatchObject({
      state: 'held',
      message: 'wait',
      actor: 'olga',
      available: null,
    })
    log.job(12, { type: 'DeleteJob', reason: 'a mistake', confirmed: true })
    expect(row('ingest-jobs')).toMatchObject({ state: 'deleted', folder: 1, endedAt: log.now() })
    log.job(12, { type: 'NoteFolderCleaned' })
    expect(row('ingest-jobs')).toBeUndefined()
  })
})

it('folded in one transaction or event by event, all rows are the same', () => {
  const log = ingestLog()
  const id = log.open({ objects: [object(0), object(1), object(2)] })
  log.walk(12, 'completed')
  log.claim(13)
  log.fail(13)
  log.job(14, { type: 'HoldJob', reason: 'wait' })
  log.job(14, { type: 'DeleteJob', reason: 'a mistake', confirmed: true })
  log.note(id, [0, 'completed'], [1, 'failed'], [2, 'deleted'])
  log.report(id)
  const rowsOf = (batch?: number) => {
    const { viewStore, generation } = openIngest()
    foldAll(viewStore, generation, log.events, batch)
    return viewStore.views().map(({ name }) => [name, viewStore.query(name, {})])
  }
  const apart = rowsOf(1)
  expect(apart.find(([name]) => name === 'ingest-jobs')?.[1]).toHaveLength(3)
  expect(rowsOf()).toEqual(apart)
})
