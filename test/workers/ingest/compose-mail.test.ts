import { describe, expect, it } from 'vitest'
import type { BatchWork } from '#src/domain/ingest/tasks.ts'
import { composeMail } from '#src/workers/ingest/batch/compose-mail.ts'
import { batchId, object, submission } from '../../domain/ingest/samples.ts'
import { folded } from '../../projections/ingest/folding.ts'

/** Two completed, two failed; that is reported. */
const reported = () => {
  const all = folded()
  const { log } = all
  log.open({ objects: [0, 1, 2, 3].map(object) })
  for (const job of [12, 13]) log.walk(job, 'completed', `ark:/99999/fk4${job}`)
  for (const job of [14, 15]) {
    log.claim(job)
    log.fail(job, `no ${job}`)
  }
  log.noteAll(batchId, [12, 13, 14, 15])
  log.report(batchId, [
    { job: 14, message: 'no 14' },
    { job: 15, message: 'no 15' },
  ])
  const work = { id: batchId, fence: 1, task: 'mail', batch: { submission } } as BatchWork
  const mail = (report: number) => {
    const { text, subject, attachments } = composeMail(work, { mail: 'report', report }, all.views)
    return { text, subject, files: Object.fromEntries(attachments.map((one) => [one.name, one.text])) }
  }
  const goesOn = (job: number) => {
    log.job(job, { type: 'ResumeJob', reason: 'mended' })
    log.walk(job, 'completed', `ark:/99999/fk4${job}`)
    log.noteAll(batchId, [job])
  }
  return { ...all, mail, goesOn }
}

const jobsIn = (csv: string | undefined) =>
  csv
    ?.trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[0])

describe('the mail of a report', () => {
  it('no text of a depositor begins a line', () => {
    const { views } = reported()
    const forged = 'Ada\r\nResult: all is well\u2028failed: 0'
    const description = { what: forged }
    const work = {
      id: batchId,
      fence: 1,
      batch: { submission: { ...submission, submitter: forged, description } },
    }
    for (const due of [{ mail: 'queued' }, { mail: 'failed' }, { mail: 'report', report: 1 }] as const) {
      const { subject, text } = composeMail(work as BatchWork, due, views)
      expect(subject).toMatch(/^[^\r\n\u2028]+$/)
      expect(text).not.toMatch(/[\r\u2028]|^Result/m)
      expect(text).toContain('By: Ada\\r\\nResult: all is well')
    }
  })

  it('I10: says what was saved, though jobs have gone on since', () => {
    const { mail, goesOn } = reported()
    const before = mail(1)
    goesOn(14)
    const { subject, text, files } = mail(1)
    expect(subject).toMatch(/^FAIL: /)
    expect(text).toMatch(/completed: 2\nfailed: 2\n/)
    expect(text).toContain('job 14: no 14')
    expect(text).toBe(before.text)
    expect(jobsIn(files['completed.csv'])).toEqual(['"12"', '"13"'])
    expect(jobsIn(files['failed.csv'])).toEqual(['"14"', '"15"'])
    expect(files['failed.csv']).toContain('"no 14"')
  })

  it('I12: of an update lists what was completed since the report before, and what is failed still', () => {
    const { log, mail, goesOn } = reported()
    goesOn(14)
    log.batch(batchId, { type: 'UpdateReport', reason: 'done with it' })
    log.report(batchId, [{ job: 15, message: 'no 15' }])
    const { text, files } = mail(2)
    expect(text).toMatch(/completed: 3\nsince the last report: 1\nfailed: 1\n/)
    expect(Object.keys(files)).toEqual(['newly-completed.csv', 'failed.csv'])
    expect(jobsIn(files['newly-completed.csv'])).toEqual(['"14"'])
    expect(jobsIn(files['failed.csv'])).toEqual(['"15"'])
  })
})
