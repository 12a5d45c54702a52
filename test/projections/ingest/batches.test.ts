import { describe, expect, it } from 'vitest'
import { batchId, object } from '../../domain/ingest/samples.ts'
import { folded } from './folding.ts'

const two = [object(0), object(1)]

describe('the row of a batch', () => {
  it('waits to be read once it has a number', () => {
    const { log, row } = folded()
    log.submit()
    expect(row('ingest-batches')).toMatchObject({
      batch: batchId,
      number: 7,
      state: 'pending',
      profile: 'letters',
      collection: 'letters',
      submitter: 'bob@example.org',
      type: 'batch-manifest',
      task: 'open',
      available: '',
      jobs: 0,
    })
  })

  it('is nobody else’s while it is claimed, and is put off until a worker says', () => {
    const { log, row } = folded()
    const id = log.submit()
    const fence = log.claimBatch(id, 'open')
    const { heldUntil } = row('ingest-batches')!
    expect(row('ingest-batches')).toMatchObject({ task: 'open', available: heldUntil, holder: 'worker-1' })
    expect(row('ingest-claims')).toMatchObject({
      kind: 'batch',
      id,
      state: 'open',
      fence,
      deadline: heldUntil,
    })
    const until = '2026-02-01T00:00:00.000Z'
    log.batch(id, { type: 'ReleaseClaim', fence, reason: 'its server is away', until })
    const reason = 'its server is away'
    expect(row('ingest-batches')).toMatchObject({ available: until, holder: null, heldUntil: null })
    expect(row('ingest-batches')).toMatchObject({ putOffUntil: until, putOffFor: reason })
    expect(row('ingest-claims')).toBeUndefined()
  })

  it('says how far it is read; once it is read there is nothing to do before its jobs have ended', () => {
    const { log, row } = folded()
    const id = log.submit()
    const fence = log.claimBatch(id, 'open')
    log.batch(id, { type: 'ListObjects', fence, from: 0, objects: two })
    expect(row('ingest-batches')).toMatchObject({ read: 0, listed: 2, task: 'open' })
    log.batch(id, { type: 'EndListing', fence, count: 2, payloadType: 'batch-manifest' })
    expect(row('ingest-batches')).toMatchObject({ read: 1, listed: 2, task: null, available: null })
  })

  it('I3: held as the hold of its collection says, by whom', () => {
    const { log, row } = folded()
    const id = log.submit()
    log.batch(id, { type: 'HoldBatch', reason: 'wrong shelf' }, 'olga')
    expect(row('ingest-batches')).toMatchObject({
      state: 'held',
      message: 'wrong shelf',
      actor: 'olga',
      task: null,
      available: null,
    })
  })

  it('counts its jobs by what became of them, held ones among the open', () => {
    const { log, row } = folded()
    log.open({ objects: [object(0), object(1), object(2), object(3)] })
    const counts = () => {
      const { jobs, open, held, completed, failed, deleted } = row('ingest-batches')!
      return { jobs, open, held, completed, failed, deleted }
    }
    expect(counts()).toEqual({ jobs: 4, open: 4, held: 0, completed: 0, failed: 0, deleted: 0 })
    log.walk(12, 'completed')
    log.claim(13)
    log.fail(13)
    log.job(14, { type: 'HoldJob', reason: 'wait' })
    log.job(15, { type: 'HoldJob', reason: 'wait' })
    expect(counts()).toEqual({ jobs: 4, open: 2, held: 2, completed: 1, failed: 1, deleted: 0 })
    log.job(14, { type: 'ReleaseJob', reason: 'go on' })
    log.job(15, { type: 'DeleteJob', reason: 'a mistake', confirmed: true })
    log.job(13, { type: 'ResumeJob', reason: 'mended' })
    expect(counts()).toEqual({ jobs: 4, open: 2, held: 0, completed: 1, failed: 0, deleted: 1 })
  })

  it('I7: its report waits, unless a job was resumed meanwhile', () => {
    const { log, row } = folded()
    const id = log.open({ objects: two })
    log.walk(12, 'completed')
    log.claim(13)
    log.fail(13)
    log.note(id, [0, 'completed'], [1, 'failed'])
    expect(row('ingest-batches')).toMatchObject({ state: 'reporting', task: 'report', available: '' })
    log.job(13, { type: 'ResumeJob', reason: 'mended' })
    expect(row('ingest-batches')).toMatchObject({ state: 'reporting', task: null, available: null })
  })
})

describe('mails', () => {
  const reported = () => {
    const all = folded()
    const id = all.log.open()
    all.log.walk(12, 'completed')
    all.log.note(id, [0, 'completed'])
    all.log.report(id)
    return { ...all, id }
  }

  it('of a report are due once it is saved', () => {
    const { row } = reported()
    expect(row('ingest-batches')).toMatchObject({
      state: 'completed',
      reports: 1,
      task: 'mail',
      mail: 'report',
      available: '',
    })
    expect(row('ingest-reports')).toMatchObject({
      report: 1,
      kind: 'first',
      completed: [[12, 12]],
      mail: 'due',
    })
  })

  it('are tried again at the time that is said', () => {
    const { log, row, id } = reported()
    const fence = log.claimBatch(id, 'mail')
    const retryAt = '2026-02-01T00:00:00.000Z'
    log.batch(id, { type: 'FailMail', fence, mail: 'report', report: 1, error: 'no server', retryAt })
    expect(row('ingest-batches')).toMatchObject({ task: 'mail', available: retryAt, holder: null })
    expect(row('ingest-reports')).toMatchObject({ mail: 'due', error: 'no server' })
  })

  it('are over once they were sent, or may have been', () => {
    const sent = reported()
    const fence = sent.log.claimBatch(sent.id, 'mail')
    sent.log.batch(sent.id, { type: 'StartMail', fence, mail: 'report', report: 1 })
    sent.log.batch(sent.id, { type: 'RecordMail', fence, mail: 'report', report: 1, to: ['bob@example.org'] })
    expect(sent.row('ingest-batches')).toMatchObject({ task: null, available: null, mail: null, mails: [] })
    expect(sent.row('ingest-reports')).toMatchObject({ mail: 'sent', mailedAt: sent.log.now(), error: null })
    expect(sent.rows('ingest-claims')).toEqual([])

    const { log, row, id } = reported()
    log.batch(id, { type: 'StartMail', fence: log.claimBatch(id, 'mail'), mail: 'report', report: 1 })
    log.wait(20)
    log.batch(id, { type: 'ExpireClaim' })
    expect(row('ingest-reports')).toMatchObject({ mail: 'uncertain' })
    expect(row('ingest-batches')).toMatchObject({ task: null, mails: [] })
  })

  it('N6: a payload that cannot be read is told, too', () => {
    const { log, row } = folded()
    const id = log.submit()
    log.batch(id, { type: 'FailPayload', fence: log.claimBatch(id, 'open'), message: 'line 3: no URL' })
    expect(row('ingest-batches')).toMatchObject({
      state: 'failed',
      message: 'line 3: no URL',
      task: 'mail',
      mail: 'failed',
    })
  })
})

it('I16: a deleted batch stays as what it was; nothing more is to be done with it', () => {
  const { log, row } = folded()
  const id = log.open()
  log.walk(12, 'completed')
  log.note(id, [0, 'completed'])
  log.report(id)
  const fence = log.claimBatch(id, 'mail')
  log.batch(id, { type: 'RecordMail', fence, mail: 'report', report: 1, to: ['bob@example.org'] })
  log.batch(id, { type: 'SweepBatch', by: 'admin', reason: 'old' })
  log.job(12, { type: 'DeleteWithBatch', row: 'I16' })
  expect(row('ingest-batches')).toMatchObject({ state: 'deleted', task: null, deleted: 1, completed: 0 })
  expect(row('ingest-reports')).toMatchObject({ completed: [[12, 12]] })
})
