import { describe, expect, it } from 'vitest'
import type { DepositorReport } from '#src/projections/ingest/questions/depositor-report.ts'
import { reportPage } from '#src/projections/ingest/questions/report-page.ts'
import { reportQuestion } from '#src/projections/ingest/questions/report-question.ts'
import { reportLinesOf } from '#src/projections/ingest/questions/report-text.ts'
import { ark, batchId, object } from '../../domain/ingest/samples.ts'
import { asked } from './asking.ts'
import { folded } from './folding.ts'

/** One completed, one failed, one deleted; not reported yet. */
const ended = () => {
  const all = folded()
  const { log } = all
  log.open({
    objects: [object(0), { ...object(1), description: { what: 'Letter of 3 May' } }, object(2)],
    submission: { description: { what: 'Letters' } },
  })
  log.walk(12, 'completed')
  log.claim(13)
  log.fail(13, 'digest differs')
  log.job(14, { type: 'HoldJob', reason: 'is it ours?' })
  const report = async (given: object = {}) => {
    const { answer, lines, rejection } = await asked(reportQuestion, all.views, log.now(), {
      batch: '7',
      ...given,
    })
    return { report: answer as DepositorReport, lines, rejection }
  }
  return { ...all, report }
}

const reported = () => {
  const all = ended()
  all.log.job(14, { type: 'DeleteJob', reason: 'not ours', confirmed: true })
  all.log.note(batchId, [0, 'completed'], [1, 'failed'], [2, 'deleted'])
  all.log.report(batchId, [{ job: 13, message: 'digest differs' }])
  return { ...all, at: all.log.now() }
}

describe('the report of a depositor', () => {
  it('before one is saved says how it stands now', async () => {
    const { report } = ended()
    expect((await report()).report).toMatchObject({
      report: null,
      result: 'OPEN',
      finishedAt: null,
      counts: { jobs: 3, pending: 1, completed: 1, failed: 1, deleted: 0 },
      jobs: [
        { job: 13, result: 'failed', message: 'digest differs' },
        { job: 14, result: 'pending', message: 'is it ours?' },
        { job: 12, result: 'completed', ark },
      ],
      leftOut: 0,
      mail: null,
    })
  })

  it('has the facts that were saved: who, when, OK or FAIL, counts, each job with ids and message', async () => {
    const { report, at } = reported()
    expect((await report()).report).toEqual({
      batch: batchId,
      number: 7,
      report: 1,
      submitter: 'bob@example.org',
      profile: 'letters',
      title: 'Letters',
      payload: 'file:///drop/letters.checkm',
      submittedAt: expect.any(String),
      finishedAt: at,
      result: 'FAIL',
      message: null,
      counts: { jobs: 3, pending: 0, completed: 1, failed: 1, deleted: 1, newlyCompleted: 1 },
      jobs: [
        {
          job: 13,
          result: 'failed',
          isNew: false,
          ark: null,
          version: null,
          localIds: ['loc1'],
          title: 'Letter of 3 May',
          message: 'digest differs',
        },
        {
          job: 12,
          result: 'completed',
          isNew: true,
          ark,
          version: 1,
          localIds: ['loc0'],
          title: 'Letters',
          message: null,
        },
        {
          job: 14,
          result: 'deleted',
          isNew: false,
          ark: null,
          version: null,
          localIds: ['loc2'],
          title: 'Letters',
          message: null,
        },
      ],
      leftOut: 0,
      mail: 'its mail is to be sent',
    })
  })

  it('an earlier report says what was so then, whatever became of the jobs', async () => {
    const { log, report } = reported()
    log.job(13, { type: 'ResumeJob', reason: 'mended' })
    log.walk(13, 'completed', 'ark:/99999/fk4xyz')
    log.note(batchId, [1, 'completed'])
    const mail = log.claimBatch(batchId, 'mail')
    log.batch(batchId, {
      type: 'RecordMail',
      fence: mail,
      mail: 'report',
      report: 1,
      to: ['bob@example.org'],
    })
    log.batch(batchId, { type: 'UpdateReport', reason: 'mended' })
    log.report(batchId)
    const { report: last, lines } = await report()
    expect(last).toMatchObject({
      report: 2,
      result: 'OK',
      counts: { completed: 2, failed: 0, newlyCompleted: 1 },
      jobs: [
        { job: 13, isNew: true },
        { job: 12, isNew: false },
        { job: 14, result: 'deleted' },
      ],
    })
    expect(lines.some((line) => line.startsWith('  job 13 completed now'))).toBe(true)
    expect(lines).toContain('Objects     2 completed (1 since the last report), 0 failed, 1 deleted')
    expect((await report({ report: 1 })).report).toMatchObject({
      result: 'FAIL',
      jobs: [{ job: 13, result: 'failed', message: 'digest differs' }, { job: 12 }, { job: 14 }],
    })
    expect((await report({ report: 3 })).rejection).toMatchObject({ code: 'no-such-report' })
    expect((await report({ batch: '8' })).rejection).toMatchObject({ code: 'no-such-batch' })
  })

  it('lists failed ones first where not all are listed', async () => {
    const { report } = reported()
    const { report: short, lines } = await report({ limit: 1 })
    expect(short).toMatchObject({ jobs: [{ job: 13 }], leftOut: 2 })
    expect(lines.at(-1)).toBe('and 2 more jobs')
  })

  it('of a swept batch still names what was stored', async () => {
    const { log, report } = told()
    log.batch(batchId, { type: 'SweepBatch', by: 'admin', reason: 'old' })
    log.job(12, { type: 'DeleteWithBatch', row: 'I16' })
    log.job(12, { type: 'NoteFolderCleaned' })
    expect((await report()).report).toMatchObject({
      result: 'OK',
      jobs: [{ job: 12, ark, localIds: ['loc0'] }],
    })
  })

  it('N6: of a payload that cannot be read says why', async () => {
    const all = folded()
    const { log } = all
    const id = log.submit()
    const message = 'line 3: no URL'
    log.batch(id, { type: 'FailPayload', fence: log.claimBatch(id, 'open'), message })
    const { answer } = await asked(reportQuestion, all.views, log.now(), { batch: id })
    expect(answer).toMatchObject({ result: 'FAIL', message, counts: { jobs: 0 }, finishedAt: log.now() })
    expect(reportPage(answer as DepositorReport)).toContain('FAIL: line 3: no URL')
  })
})

/** One job, completed, reported and told. */
const told = () => {
  const all = folded()
  const { log } = all
  log.open()
  log.walk(12, 'completed')
  log.note(batchId, [0, 'completed'])
  log.report(batchId)
  const fence = log.claimBatch(batchId, 'mail')
  log.batch(batchId, { type: 'RecordMail', fence, mail: 'report', report: 1, to: ['bob@example.org'] })
  const report = async () => {
    const { answer } = await asked(reportQuestion, all.views, log.now(), { batch: '7' })
    return { report: answer as DepositorReport }
  }
  return { ...all, report }
}

const reportText = (report: DepositorReport): string => `${reportLinesOf(report).join('\n')}\n`

describe('as text', () => {
  it('says all of it, a line a fact', async () => {
    const { report } = reported()
    const text = reportText((await report()).report)
    expect(text).toMatch(/^Submission {2}5b0c6f3e-.* \(batch 7\)\nSubmitter {3}bob@example.org\n/)
    expect(text).toContain('\nResult      FAIL\nObjects     1 completed, 1 failed, 1 deleted\n')
    expect(text).toContain('\n  job 13 failed loc1: Letter of 3 May (digest differs)\n')
    expect(text).toContain(`\n  job 12 completed ${ark}; loc0: Letters\n`)
  })

  it('no text of a depositor makes a line of its own', async () => {
    const { report } = reported()
    const { report: told } = await report()
    const jobs = told.jobs.map((job) => ({ ...job, title: 'a\nResult      OK', message: 'b\r\nc' }))
    const text = reportText({ ...told, title: 'x\ny', jobs })
    expect(text).not.toMatch(/^Result {6}OK/m)
    expect(text.split('\n')).toHaveLength(reportText(told).split('\n').length)
  })
})

describe('as a page', () => {
  const words = (page: string): string =>
    page
      .replace(/<(style|title)>.*?<\/\1>/gs, ' ')
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')

  it('says what became of it, and stands alone', async () => {
    const { report } = reported()
    const page = reportPage((await report()).report)
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(page).not.toMatch(/<script|<link|<img|\ssrc=|\shref=|url\(|@import/i)
    expect(page).toContain("default-src 'none'")
    const text = words(page)
    expect(text).toContain('FAIL: 1 of 3 objects failed.')
    expect(text).toContain('Submitter bob@example.org')
    expect(text).toContain('13 failed loc1 Letter of 3 May digest differs')
    expect(text).toContain(`12 completed ${ark} 1 loc0 Letters`)
  })

  it('shows hostile words as text', async () => {
    const { report } = reported()
    const { report: told } = await report()
    const hostile = '</td><script>alert(1)</script>\u202e'
    const page = reportPage({
      ...told,
      submitter: hostile,
      title: hostile,
      payload: hostile,
      jobs: told.jobs.map((job) => ({ ...job, title: hostile, message: hostile, localIds: [hostile] })),
    })
    for (const live of ['<script', '\u202e']) expect(page).not.toContain(live)
  })
})
