import { describe, expect, it } from 'vitest'
import type { BatchCommand } from '#src/domain/ingest/batch/commands.ts'
import type { BatchEvent } from '#src/domain/ingest/batch/events.ts'
import { mail, only, person, sent, sweep, updating } from './batch-samples.ts'
import {
  batchAfter,
  by,
  claimBatch,
  givenBatch,
  moves,
  note,
  openBatch,
  opened,
  playBatch,
  profile,
  read,
  reported,
  reporting,
  saveReport,
  submission,
  submit,
  submitted,
  t,
} from './samples.ts'

describe('the end of jobs', () => {
  it('I7 fires with the last one, once an opening, whatever is told again and in what order', () => {
    const one = playBatch(opened(2), note(1, 'failed', 8))
    expect(moves(one).at(-1)).toBe('pending → processing I4')
    const { events } = givenBatch(...one).when(note(0, 'completed', 14))
    expect(events.map(({ type }) => type)).toEqual(['JobsNoted', 'BatchMoved'])
    const done = [...one, ...events]
    for (const late of [note(0, 'completed', 14), note(1, 'failed', 8), note(1, 'open', 3)])
      givenBatch(...done)
        .when(late)
        .gives([])
  })

  it('I7 follows I4 at once where all jobs had ended before', () => {
    const { events } = givenBatch(...playBatch(read(1), note(0, 'completed', 14))).when(openBatch)
    expect(moves(events)).toEqual(['pending → processing I4', 'processing → reporting I7'])
  })

  it('of a job that is noted twice at once the later word counts, whatever their order', () => {
    const { events } = givenBatch(...opened(2)).when({
      type: 'NoteJobs',
      notes: [
        { index: 0, end: 'open', revision: 5 },
        { index: 0, end: 'failed', revision: 4 },
      ],
      ...by(5),
    })
    expect(events).toEqual([{ type: 'JobsNoted', data: { open: [[0, 5]], at: t(5) } }])
  })

  it('many are one event', () => {
    const { events } = givenBatch(...opened(3)).when({
      type: 'NoteJobs',
      notes: [
        { index: 0, end: 'completed', revision: 9 },
        { index: 2, end: 'failed', revision: 4 },
        { index: 2, end: 'open', revision: 5 },
        { index: 1, end: 'completed', revision: 9 },
      ],
      ...by(5),
    })
    expect(events).toMatchObject([
      {
        type: 'JobsNoted',
        data: {
          completed: [
            [0, 9],
            [1, 9],
          ],
          open: [[2, 5]],
        },
      },
    ])
    expect(events).toHaveLength(1)
  })

  it('C14: a held job blocks the report', () => {
    expect(batchAfter(playBatch(opened(2), note(0, 'completed', 9)))).toMatchObject({
      state: 'processing',
      jobs: { counts: { open: 1 } },
    })
  })

  it('C15: with the last open job deleted the report is made, and says so', () => {
    const { events } = givenBatch(
      ...playBatch(reporting('completed', 'deleted'), claimBatch('report', 5)),
    ).when(saveReport())
    expect(moves(events)).toEqual(['reporting → completed I9'])
    expect(only(events, 'ReportSaved')).toMatchObject({
      completed: [0, 1],
      deleted: [1, 1],
      failed: [],
    })
  })

  it('C16: a job resumed while its batch is failed brings no second I7; only I11 leads to a report', () => {
    const { events } = givenBatch(...playBatch(reported('failed'), note(0, 'open', 11))).when(
      note(0, 'completed', 20),
    )
    expect(events).toMatchObject([{ type: 'JobsNoted' }])
    expect(events).toHaveLength(1)
  })

  it('C16: a resume while it is processing opens it again', () => {
    const again = playBatch(opened(2), note(0, 'failed', 4), note(0, 'open', 5), note(1, 'completed', 9))
    expect(batchAfter(again).state).toBe('processing')
    expect(moves(givenBatch(...again).when(note(0, 'completed', 12)).events)).toEqual([
      'processing → reporting I7',
    ])
  })

  it('I12: no report is made while a job is open', () => {
    const open = playBatch(reporting('failed'), note(0, 'open', 11))
    givenBatch(...open)
      .when(claimBatch('report', 9))
      .gives('jobs-open')
    const opened = playBatch(reporting('failed'), claimBatch('report', 5), note(0, 'open', 11))
    givenBatch(...opened)
      .when(saveReport())
      .gives('jobs-open')
  })
})

describe('reports', () => {
  it('I8: says which jobs came to what, and is mailed', () => {
    const { events } = givenBatch(
      ...playBatch(reporting('completed', 'failed', 'completed', 'completed'), claimBatch('report', 5)),
    ).when({ type: 'SaveReport', fence: 2, failures: [{ job: 13, message: '404' }], ...by(6) })
    expect(only(events, 'ReportSaved')).toEqual({
      report: 1,
      kind: 'first',
      firstJob: 12,
      completed: [0, 1, 1, 2],
      failed: [1, 1],
      deleted: [],
      newlyCompleted: [0, 1, 1, 2],
      failures: [{ job: 13, message: '404' }],
      mail: true,
      fence: 2,
      at: t(6),
    })
  })

  it('I12: an update says what was completed since', () => {
    const { events } = givenBatch(...playBatch(updating, claimBatch('report', 9))).when(saveReport(3))
    expect(only(events, 'ReportSaved')).toMatchObject({
      report: 2,
      kind: 'update',
      newlyCompleted: [0, 1],
      failed: [],
      mail: true,
    })
  })

  it('C18: a report is saved each time; where nothing changed no mail tells of it', () => {
    const same = playBatch(reported('failed'), person('UpdateReport'), claimBatch('report', 9))
    expect(only(givenBatch(...same).when(saveReport(3)).events, 'ReportSaved')).toMatchObject({
      report: 2,
      mail: false,
    })
  })

  it('the profile may want no mails, and there may be nobody to tell', () => {
    const mailOf = (events: readonly BatchEvent[]) => only(events, 'ReportSaved')?.mail
    const quiet = (change: object, submitter = 'bob') =>
      playBatch(
        opened(1, {
          ...submit,
          profile: { ...profile, ...change },
          submission: { ...submission, submitter },
        } as BatchCommand),
        note(0, 'completed', 9),
        claimBatch('report', 5),
        saveReport(),
      )
    expect(mailOf(quiet({ notifications: 'none' }))).toBe(false)
    expect(mailOf(quiet({ notifyTo: [] }))).toBe(false)
    expect(mailOf(quiet({ notifyTo: [] }, 'bob@example.org'))).toBe(true)
    expect(batchAfter(quiet({ notifications: 'all' })).mails).toEqual([
      { mail: 'queued' },
      { mail: 'report', report: 1 },
    ])
  })

  it('a report of a hundred thousand jobs is small, however they ended', () => {
    const count = 100_000
    const events: readonly BatchEvent[] = [
      ...submitted,
      { type: 'PayloadRead', data: { fence: 1, count, type: 'batch-manifest', at: t(1) } },
    ]
    const all = Array.from({ length: count }, (_, index) => ({
      index,
      end: index % 2 ? ('failed' as const) : ('completed' as const),
      revision: 9,
    }))
    const noted = playBatch(playBatch(events, openBatch), { type: 'NoteJobs', notes: all, ...by(3) })
    const [saved] = givenBatch(...playBatch(noted, claimBatch('report', 5))).when(saveReport(1)).events
    expect(batchAfter(noted).jobs?.words.byteLength).toBe(4 * count)
    // Every second one is the worst there is.
    expect(JSON.stringify(saved).length).toBeLessThan(700_000)
  })
})

describe('mails', () => {
  const due = reported('completed')

  it('each is sent once', () => {
    const claimed = playBatch(due, claimBatch('mail', 7))
    givenBatch(...playBatch(claimed, sent(3)))
      .when(claimBatch('mail', 20))
      .gives('nothing-to-do')
    givenBatch(...claimed)
      .when(sent(3, 2))
      .gives('nothing-to-do')
    givenBatch(...claimed)
      .when(sent(2))
      .gives('fenced')
  })

  it('X20: a mail server that is away blocks nothing, and is tried again', () => {
    expect(batchAfter(due).state).toBe('completed')
    const later = playBatch(due, claimBatch('mail', 7), {
      type: 'FailMail',
      ...mail(3),
      error: 'connection refused',
      retryAt: t(30),
      ...by(8),
    })
    givenBatch(...later)
      .when(claimBatch('mail', 20))
      .gives('nothing-to-do')
    expect(givenBatch(...later).when(claimBatch('mail', 30)).events).toMatchObject([{ type: 'StepClaimed' }])
  })

  it('one that may have been sent is not sent again', () => {
    const sending = playBatch(due, claimBatch('mail', 7), { type: 'StartMail', ...mail(3), ...by(7) })
    const { events, state } = givenBatch(...sending).when({ type: 'ExpireClaim', ...by(30) })
    expect(events).toMatchObject([
      { type: 'ClaimExpired' },
      { type: 'MailFailed', data: { uncertain: true, retryAt: null } },
    ])
    expect(state?.mails).toEqual([])
    expect(givenBatch(...sending).when({ type: 'StartMail', ...mail(3), ...by(7) }).events).toEqual([])
    expect(givenBatch(...sending).when(claimBatch('mail', 30)).events).toMatchObject([
      { type: 'ClaimExpired' },
      { type: 'MailFailed' },
    ])
  })

  it('one that was claimed and not begun is sent by the next', () => {
    const dead = playBatch(due, claimBatch('mail', 7), { type: 'ExpireClaim', ...by(30) })
    expect(givenBatch(...dead).when(claimBatch('mail', 31)).events).toMatchObject([{ type: 'StepClaimed' }])
  })

  it('one that is being sent is not failed by an earlier holder that gives its claim back late', () => {
    const release = (fence: number): BatchCommand => ({
      type: 'ReleaseClaim',
      fence,
      reason: 'it lives',
      ...by(33),
    })
    const dead = playBatch(due, claimBatch('mail', 7), { type: 'ExpireClaim', ...by(30) })
    const sending = playBatch(dead, claimBatch('mail', 31), { type: 'StartMail', ...mail(4), ...by(32) })
    expect(givenBatch(...sending).when(release(3)).events).toMatchObject([{ type: 'ClaimReleased' }])
    expect(givenBatch(...sending).when(release(4)).events).toMatchObject([
      { type: 'ClaimReleased' },
      { type: 'MailFailed', data: { fence: 4, uncertain: true } },
    ])
  })

  it('mails go out while ingest is paused', () => {
    expect(givenBatch(...due).when(claimBatch('mail', 7, { all: 'disk' })).events).toHaveLength(1)
  })

  it('I16: a batch is not swept before its depositor was told', () => {
    givenBatch(...due)
      .when(sweep())
      .gives('mail-due')
  })
})
