import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import type { BatchCommand } from '#src/domain/ingest/batch/commands.ts'
import type { BatchEvent } from '#src/domain/ingest/batch/events.ts'
import { jobFacts } from '#src/domain/ingest/batch/job-facts.ts'
import { type BatchState, batchMoves } from '#src/domain/ingest/transitions.ts'
import {
  broken,
  endListing,
  held,
  listing,
  person,
  reading,
  remove,
  sweep,
  told,
  unreadable,
  updating,
} from './batch-samples.ts'
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
    ['N20', unreadable, { type: 'ResumeBatch', ...reason, ...by(30) } as const, ['failed → pending N20']],
    [
      'N21',
      playBatch(
        reporting('completed'),
        claimBatch('report', 5),
        { type: 'ExpireClaim', maxDeaths: 2, ...by(30) },
        claimBatch('report', 35),
      ),
      { type: 'ExpireClaim', maxDeaths: 2, ...by(60) } as const,
      ['reporting → failed N21'],
    ],
  ] as const)('%s', (_, history, command, made) => {
    expect(moves(givenBatch(...history).when(command).events)).toEqual(made)
  })

  it('none is forgotten', () => {
    // Claims (I2, I8, I12) are no moves.
    const rows = [1, 3, 4, 5, 6, 7, 9, 10, 11, 13, 14, 15, 16].map((row) => `I${row}`)
    expect([...new Set(batchMoves.map(({ row }) => row))].sort()).toEqual(
      [...rows, 'N6', 'N20', 'N21'].sort(),
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
      .when(listing(1, 1, 2))
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

  it('I18: an ARK of the whole submission names its one object; of many it would name none. A stranger’s jobs are a stranger’s', () => {
    const primary = 'ark:/99999/fk4abc'
    const batch = { ...batchAfter(read(2)), submission: { ...submission, primary, foreign: true } }
    const alone = { ...batch, read: { ...batch.read!, count: 1 } }
    const made = (of: Parameters<typeof jobFacts>[0]['batch']) =>
      jobFacts({ id: batchId, batch: of, firstJob: 12 }, 0, object(0))
    expect(made(alone)).toMatchObject({ primary, foreign: true })
    expect(made(batch)).not.toHaveProperty('primary')
    expect(made({ ...batch, submission })).not.toHaveProperty('foreign')
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
      /curator@example\.org will not be notified.*"confirmed": true/,
    )
  })
})

describe('N15: all jobs of a batch that have not ended', () => {
  const failJobs = (confirmed = true): BatchCommand => ({ type: 'FailJobs', confirmed, ...reason, ...by(30) })
  const two = playBatch(opened(3), note(1, 'completed', 9))

  it('are to fail: the event says how many, and the batch is where it was until it knows of their ends', () => {
    const asked = givenBatch(...two).when(failJobs())
    asked.gives([{ type: 'JobsForceFailed', data: { ...reason, open: 2, at: t(30) } }])
    expect(asked.state).toMatchObject({ state: 'processing', jobs: { counts: { open: 2 } } })
  })

  it('also while somebody works on the batch', () => {
    const mailing = playBatch(reported('failed'), note(0, 'open', 11), claimBatch('mail', 29))
    expect(givenBatch(...mailing).when(failJobs()).events).toMatchObject([{ data: { open: 1 } }])
  })

  it('need a second word: those at work, and the submitter, will not be told', () => {
    const { result } = givenBatch(...two).when(failJobs(false))
    expect(result).toMatchObject({
      left: {
        code: 'unconfirmed',
        message: expect.stringMatching(
          /^2 of the 3 jobs of batch 7 will fail: .*bob@example\.org is not notified/,
        ),
      },
    })
  })

  it.each([
    [
      'pending',
      submitted,
      /batch 7 is pending: it has no jobs yet; ingest\.hold-batch, then ingest\.delete-batch/,
    ],
    ['being opened', read(2), /batch 7 is pending: it has no jobs yet/],
    ['unreadable', unreadable, /batch 7 is failed: it has no jobs$/],
    ['completed', told, /batch 7 is completed: none of its jobs is open/],
    ['failed', reported('failed'), /batch 7 is failed: none of its jobs is open/],
    ['deleted', playBatch(held, remove()), /batch 7 is deleted/],
    [
      'deleted with an open job',
      playBatch(reported('failed'), note(0, 'open', 11), remove()),
      /batch 7 is deleted: none of its jobs is open/,
    ],
  ] as const)('are none of a batch that is %s', (_, history, message) => {
    expect(givenBatch(...history).when(failJobs()).result).toMatchObject({
      left: { code: 'nothing-to-do', message: expect.stringMatching(message) },
    })
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
