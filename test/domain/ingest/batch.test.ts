import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import type { BatchCommand } from '#src/domain/ingest/batch/commands.ts'
import type { BatchEvent } from '#src/domain/ingest/batch/events.ts'
import { jobFacts } from '#src/domain/ingest/batch/job-facts.ts'
import { type BatchState, batchMoves } from '#src/domain/ingest/transitions.ts'
import {
  batchAfter,
  batchId,
  by,
  claimBatch,
  givenBatch,
  moves,
  note,
  number,
  object,
  openBatch,
  opened,
  playBatch,
  profile,
  read,
  reason,
  reported,
  reporting,
  saveReport,
  submission,
  submit,
  submitted,
  t,
} from './samples.ts'

const person = (type: 'HoldBatch' | 'ReleaseBatch' | 'UpdateReport', minutes = 8): BatchCommand => ({
  type,
  ...reason,
  ...by(minutes),
})
const remove = (confirmed = true): BatchCommand => ({ type: 'DeleteBatch', confirmed, ...reason, ...by(8) })
const sweep = (who: 'admin' | 'system' = 'system'): BatchCommand => ({
  type: 'SweepBatch',
  by: who,
  ...reason,
  ...by(60),
})
const held = playBatch(submitted, person('HoldBatch', 0))
const reading = playBatch(submitted, claimBatch('open'))
const endListing = (count: number): BatchCommand => ({
  type: 'EndListing',
  fence: 1,
  count,
  payloadType: 'file',
  ...by(1),
})
const listing = (from: number, ...objects: number[]): BatchCommand => ({
  type: 'ListObjects',
  fence: 1,
  from,
  objects: objects.map(object),
  ...by(1),
})
const broken: BatchCommand = { type: 'FailPayload', fence: 1, message: 'no row', ...by(1) }
const unreadable = playBatch(reading, broken)
/** Failed; its job was resumed and has ended well; a person wants a new report. */
const updating = playBatch(
  reported('failed'),
  note(0, 'open', 11),
  note(0, 'completed', 20),
  person('UpdateReport'),
)
const mail = (fence: number, report = 1): { mail: 'report'; report: number; fence: number } => ({
  mail: 'report',
  report,
  fence,
})
const sent = (fence: number, report = 1): BatchCommand => ({
  type: 'RecordMail',
  ...mail(fence, report),
  to: ['curator@example.org'],
  ...by(9),
})
const told = playBatch(reported('completed'), claimBatch('mail', 7), sent(3))
const only = <Type extends BatchEvent['type']>(events: readonly BatchEvent[], type: Type) =>
  events.find((event) => event.type === type)?.data as Extract<BatchEvent, { type: Type }>['data'] | undefined

describe('each row of the table is one event', () => {
  it('I1: a submission is pending, with its profile as it is now', () => {
    givenBatch()
      .when(submit)
      .gives([{ type: 'BatchSubmitted', data: { submission, profile, at: t(0) } }])
    givenBatch(...submitted)
      .when(submit)
      .gives([])
    givenBatch(...submitted)
      .when({ ...submit, submission: { ...submission, mode: 'update' } } as BatchCommand)
      .gives('exists')
  })

  it('X1: an unknown profile is refused, and there is no batch', () => {
    givenBatch()
      .when({ type: 'SubmitBatch', submission, profile: undefined, ...by() })
      .gives('unknown')
  })

  it.each([
    ['I3', submitted, claimBatch('open', 1, { collection: 'moving' }), ['pending → held I3']],
    ['I3, by a person', submitted, person('HoldBatch'), ['pending → held I3']],
    ['I4', read(2), openBatch, ['pending → processing I4']],
    ['I5', held, person('ReleaseBatch'), ['held → pending I5']],
    ['I6', held, remove(), ['held → deleted I6']],
    ['I7', opened(1), note(0, 'completed', 9), ['processing → reporting I7']],
    [
      'I9',
      playBatch(reporting('completed'), claimBatch('report', 5)),
      saveReport(),
      ['reporting → completed I9'],
    ],
    [
      'I10',
      playBatch(reporting('failed'), claimBatch('report', 5)),
      saveReport(),
      ['reporting → failed I10'],
    ],
    ['I11', reported('failed'), person('UpdateReport'), ['failed → update-reporting I11']],
    [
      'I13',
      playBatch(updating, claimBatch('report', 9)),
      saveReport(3),
      ['update-reporting → completed I13'],
    ],
    [
      'I14',
      playBatch(reported('failed'), person('UpdateReport'), claimBatch('report', 9)),
      saveReport(3),
      ['update-reporting → failed I14'],
    ],
    ['I15', reported('failed'), remove(), ['failed → deleted I15']],
    ['I16', told, sweep(), ['completed → deleted I16']],
    ['N6', reading, broken, ['pending → failed N6']],
  ] as const)('%s', (_, history, command, made) => {
    expect(moves(givenBatch(...history).when(command).events)).toEqual(made)
  })

  it('none is forgotten', () => {
    // Claims (I2, I8, I12) are no moves.
    expect([...new Set(batchMoves.map(({ row }) => row))].sort()).toEqual(
      ['I1', 'I3', 'I4', 'I5', 'I6', 'I7', 'I9', 'I10', 'I11', 'I13', 'I14', 'I15', 'I16', 'N6'].sort(),
    )
  })
})

describe('opening', () => {
  it('I2: only a numbered batch is read, and by one at a time', () => {
    givenBatch(...playBatch([], submit))
      .when(claimBatch('open'))
      .gives('nothing-to-do')
    givenBatch(...reading)
      .when(claimBatch('open', 2))
      .gives('held')
    givenBatch(...submitted)
      .when({ ...number, number: 8 } as BatchCommand)
      .gives([])
  })

  it('while all ingest is paused none is read', () => {
    givenBatch(...submitted)
      .when(claimBatch('open', 1, { all: 'disk' }))
      .gives('paused')
  })

  it('C7: it is pending until all of its jobs exist, and nobody reads it again', () => {
    expect(batchAfter(read(2)).state).toBe('pending')
    givenBatch(...read(2))
      .when(claimBatch('open', 30))
      .gives('nothing-to-do')
    givenBatch(...read(2))
      .when(person('HoldBatch'))
      .gives('not-allowed')
    givenBatch(...reading)
      .when(openBatch)
      .gives('not-allowed')
    givenBatch(...opened(2))
      .when(openBatch)
      .gives('not-allowed')
  })

  it('a listing of another claim is void', () => {
    const late = playBatch(reading, listing(0, 0, 1), claimBatch('open', 20))
    givenBatch(...late)
      .when(listing(2, 2))
      .gives('fenced')
    givenBatch(...late)
      .when({ ...endListing(2), fence: 2 } as BatchCommand)
      .gives('incomplete')
    givenBatch(...late)
      .when({ ...listing(0, 0), fence: 2 } as BatchCommand)
      .gives([{ type: 'ObjectsListed', data: { fence: 2, from: 0, objects: [object(0)] } }])
  })

  it('a page that was listed is not listed again, and none is left out', () => {
    const listed = playBatch(reading, listing(0, 0, 1))
    givenBatch(...listed)
      .when(listing(0, 0, 1))
      .gives([])
    givenBatch(...listed)
      .when(listing(3, 3))
      .gives('incomplete')
    givenBatch(...listed)
      .when(endListing(3))
      .gives('incomplete')
    expect(givenBatch(...listed).when(endListing(2)).events).toMatchObject([{ type: 'PayloadRead' }])
  })

  it('C10: a payload that lists nothing fails the batch, which can only be deleted', () => {
    expect(moves(givenBatch(...reading).when(endListing(0)).events)).toEqual(['pending → failed N6'])
    givenBatch(...unreadable)
      .when(person('UpdateReport'))
      .gives('not-allowed')
    givenBatch(...unreadable)
      .when(claimBatch('report', 20))
      .gives('not-allowed')
    expect(moves(givenBatch(...unreadable).when(remove()).events)).toEqual(['failed → deleted I15'])
  })

  it('C8: a released batch is looked at anew', () => {
    const released = playBatch(held, person('ReleaseBatch'))
    expect(
      moves(givenBatch(...released).when(claimBatch('open', 9, { collection: 'still' })).events),
    ).toEqual(['pending → held I3'])
    expect(givenBatch(...released).when(claimBatch('open', 9)).events).toMatchObject([
      { type: 'StepClaimed' },
    ])
  })

  it('X25: nobody moves a batch that is being worked on', () => {
    givenBatch(...reading)
      .when(person('HoldBatch', 2))
      .gives('held')
    expect(
      givenBatch(...reading)
        .when(person('HoldBatch', 20))
        .events.map(({ type }) => type),
    ).toEqual(['ClaimExpired', 'BatchMoved'])
  })

  it('I18: a job has the words of its object, else those of the submission', () => {
    const batch = {
      ...batchAfter(read(2)),
      submission: { ...submission, localIds: ['all'], description: { who: 'A', what: 'B' } },
    }
    const made = jobFacts({ id: batchId, batch, firstJob: 12 }, 1, {
      ...object(1),
      description: { what: 'C' },
    })
    expect(made).toMatchObject({
      job: 13,
      index: 1,
      batchNumber: 7,
      collection: 'letters',
      localIds: ['loc1'],
      priority: 5,
      description: { who: 'A', what: 'C' },
    })
    const alone = { ...batch, read: { ...batch.read!, count: 1 } }
    expect(
      jobFacts({ id: batchId, batch: alone, firstJob: 12 }, 0, { ...object(0), localIds: [] }).localIds,
    ).toEqual(['all'])
    expect(
      jobFacts({ id: batchId, batch, firstJob: 12 }, 0, { ...object(0), localIds: [] }).localIds,
    ).toEqual([])
  })
})

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

  it('mails go out while ingest is paused', () => {
    expect(givenBatch(...due).when(claimBatch('mail', 7, { all: 'disk' })).events).toHaveLength(1)
  })

  it('I16: a batch is not swept before its depositor was told', () => {
    givenBatch(...due)
      .when(sweep())
      .gives('mail-due')
  })
})

describe('what somebody will not be told needs a second word', () => {
  it.each([
    ['I6', held],
    ['I15', reported('failed', 'completed')],
  ] as const)('%s', (_, history) => {
    const { result } = givenBatch(...history).when(remove(false))
    expect(isLeft(result) && result.left).toMatchObject({ code: 'unconfirmed' })
    expect(isLeft(result) && result.left.message).toMatch(
      /curator@example\.org will not be told.*confirmed: true/,
    )
  })
})

describe('whatever is not listed is refused by name of both states', () => {
  const histories: Readonly<Record<BatchState, readonly BatchEvent[]>> = {
    pending: submitted,
    held,
    processing: opened(1),
    reporting: reporting('completed'),
    'update-reporting': updating,
    completed: told,
    failed: reported('failed'),
    deleted: playBatch(held, remove()),
  }

  it.each(Object.keys(histories) as BatchState[])('%s', (state) => {
    const refused = (command: BatchCommand) => {
      const { result } = givenBatch(...histories[state]).when(command)
      expect(isLeft(result), command.type).toBe(true)
      if (isLeft(result)) {
        expect(result.left.code).toBe('not-allowed')
        expect(result.left.message).toContain(state)
      }
    }
    if (state !== 'pending') refused(person('HoldBatch', 30))
    if (state !== 'held') refused(person('ReleaseBatch', 30))
    if (state !== 'held' && state !== 'failed') refused(remove())
    if (state !== 'failed') refused(person('UpdateReport', 30))
    if (state !== 'completed') refused(sweep())
    if (state !== 'pending') refused(claimBatch('open', 30))
    if (state !== 'reporting' && state !== 'update-reporting') refused(claimBatch('report', 30))
  })
})
