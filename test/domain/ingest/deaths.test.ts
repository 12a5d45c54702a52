import { describe, expect, it } from 'vitest'
import type { BatchCommand } from '#src/domain/ingest/batch/commands.ts'
import type { BatchEvent } from '#src/domain/ingest/batch/events.ts'
import type { JobEvent } from '#src/domain/ingest/job/events.ts'
import { person, reading, unreadable, updating } from './batch-samples.ts'
import {
  batchAfter,
  by,
  claimBatch,
  claimJob,
  complete,
  findings,
  givenBatch,
  givenJob,
  jobAfter,
  jobIn,
  moves,
  playBatch,
  playJob,
  reason,
  reported,
  reporting,
  resume,
} from './samples.ts'

/* X22: a holder that died counts as a failure. `claimJob` and `claimBatch` hold for ten minutes. */

const maxDeaths = 3
const expire = (minutes: number) => ({ type: 'ExpireClaim', maxDeaths, ...by(minutes) }) as const

/** The job is claimed and its holder dies, so many times. */
const diedOf = (history: readonly JobEvent[], times: number): readonly JobEvent[] =>
  Array.from({ length: times }, (_, i) => 20 * (i + 1)).reduce(
    (events, minutes) => playJob(events, claimJob('downloading', minutes), expire(minutes + 15)),
    history,
  )
const batchDiedOf = (history: readonly BatchEvent[], task: 'open' | 'report' | 'mail', times: number) =>
  Array.from({ length: times }, (_, i) => 20 * (i + 1)).reduce(
    (events, minutes) => playBatch(events, claimBatch(task, minutes), expire(minutes + 15)),
    history,
  )
const last = <A>(events: readonly A[]) => events.at(-1)

describe('a job that its holders die of', () => {
  it('fails after the third in the same step, says so, and can be resumed', () => {
    expect(jobAfter(diedOf(jobIn('downloading'), 2))).toMatchObject({
      state: 'downloading',
      claims: { deaths: 2 },
    })
    const died = diedOf(jobIn('downloading'), 3)
    expect(last(died)).toMatchObject({
      type: 'JobMoved',
      data: {
        from: 'downloading',
        to: 'failed',
        cause: 'I28',
        message: expect.stringMatching(
          /^3 processes in a row that worked on it died in this step; the last: worker-1/,
        ),
      },
    })
    const resumed = playJob(died, resume())
    expect(jobAfter(resumed)).toMatchObject({ state: 'downloading', permanent: false, claims: {} })
    expect(jobAfter(resumed).claims.deaths).toBeUndefined()
  })

  it('fails at the second at the earliest: the first process may have died of another one that it had in hand', () => {
    const expireOfOne = (minutes: number) => ({ ...expire(minutes), maxDeaths: 1 })
    const once = playJob(jobIn('downloading'), claimJob('downloading', 20), expireOfOne(35))
    expect(jobAfter(once)).toMatchObject({ state: 'downloading', claims: { deaths: 1 } })
    const twice = playJob(once, claimJob('downloading', 40), expireOfOne(55))
    expect(jobAfter(twice)).toMatchObject({ state: 'failed', failedIn: 'downloading' })
  })

  it('fails also where the next claim comes before the ticker, which is granted nothing', () => {
    const twice = playJob(diedOf(jobIn('downloading'), 2), claimJob('downloading', 60))
    const { events, result } = givenJob(...twice).when({ ...claimJob('downloading', 90), maxDeaths } as never)
    expect(moves(events)).toEqual(['downloading → failed I28'])
    expect(events.map(({ type }) => type)).toEqual(['ClaimExpired', 'JobMoved'])
    expect(result).toMatchObject({ right: expect.not.objectContaining({ result: expect.anything() }) })
  })

  it('begins anew with each step: a long job is not failed for as many restarts', () => {
    const twice = playJob(diedOf(jobIn('downloading'), 2), claimJob('downloading', 60))
    const on = playJob(twice, complete('downloading', 4, findings('downloading')))
    expect(jobAfter(on).claims.deaths).toBeUndefined()
    expect(jobAfter(on).claims.lease?.fence).toBe(4)
  })

  it('is not counted for a worker that was stopped, nor for older events', () => {
    const stopped = playJob(diedOf(jobIn('downloading'), 2), claimJob('downloading', 60), {
      type: 'ReleaseClaim',
      fence: 4,
      reason: 'the worker was stopped',
      ...by(61),
    })
    expect(jobAfter(stopped)).toMatchObject({ state: 'downloading', claims: { deaths: 2 } })
    const older = { type: 'ClaimExpired', data: { fence: 1, at: by(30).at } } as const
    expect(jobAfter([...jobIn('downloading', true), older]).claims.deaths).toBeUndefined()
  })

  it('a holder that lives and had lost the log takes its death back, whoever has the job by then', () => {
    const lost = diedOf(jobIn('downloading'), 2)
    const word = { type: 'ReleaseClaim', fence: 3, reason: 'the claim ran out', ...by(70) } as const
    expect(jobAfter(playJob(lost, word)).claims).toEqual({ lastFence: 3, deaths: 1 })
    const others = playJob(lost, claimJob('downloading', 65, 'worker-2'), word)
    expect(jobAfter(others).claims).toMatchObject({ deaths: 1, lease: { holder: 'worker-2', fence: 4 } })
    // Its word counts once.
    givenJob(...others)
      .when(word)
      .gives('fenced')
  })

  it('is at once free when the process of its holder has ended, and not before for another one', () => {
    const held = jobIn('downloading', true)
    givenJob(...held)
      .when({ ...expire(2), endedHolder: 'worker-2' })
      .gives([])
    const { events } = givenJob(...held).when({ ...expire(2), endedHolder: 'worker-1' })
    expect(events).toMatchObject([{ type: 'ClaimExpired', data: { deaths: 1 } }])
  })
})

describe('a batch that its holders die of', () => {
  it('N6, N20: one that is being read fails, and a person has it read again', () => {
    const died = batchDiedOf(reading.slice(0, -1), 'open', 3)
    expect(last(died)).toMatchObject({
      type: 'BatchMoved',
      data: { cause: 'N6', to: 'failed', mail: 'failed' },
    })
    const again = givenBatch(...died).when({ type: 'ResumeBatch', ...reason, ...by(99) })
    expect(moves(again.events)).toEqual(['failed → pending N20'])
    expect(givenBatch(...died, ...again.events).when(claimBatch('open', 100)).events).toMatchObject([
      { type: 'StepClaimed' },
    ])
  })

  it('N20: what could not be read is read again, too; a batch with jobs is not', () => {
    const again: BatchCommand = { type: 'ResumeBatch', ...reason, ...by(30) }
    expect(moves(givenBatch(...unreadable).when(again).events)).toEqual(['failed → pending N20'])
    givenBatch(...reported('failed'))
      .when(again)
      .gives('not-allowed')
  })

  it.each([
    ['reporting', reporting('completed')],
    ['update-reporting', updating],
  ] as const)(
    'N21: a report that kills its process: %s → failed, and a person asks for another',
    (from, history) => {
      const died = batchDiedOf(history, 'report', 3)
      expect(moves(died).at(-1)).toBe(`${from} → failed N21`)
      expect(moves(givenBatch(...died).when(person('UpdateReport', 99)).events)).toEqual([
        'failed → update-reporting I11',
      ])
    },
  )

  it('a mail that was never begun is given up after the third', () => {
    const died = batchDiedOf(reported('failed'), 'mail', 3)
    expect(last(died)).toMatchObject({
      type: 'MailFailed',
      data: { mail: 'report', report: 1, retryAt: null, uncertain: false },
    })
    expect(batchAfter(died).mails).toEqual([])
  })
})

describe('what was put off by a clock that ran a day ahead', () => {
  const tomorrow = 24 * 60

  it('keeps no job waiting', () => {
    const off = playJob(jobIn('storing', true), {
      type: 'ReleaseClaim',
      fence: 1,
      reason: 'its object is held',
      until: by(tomorrow + 5).at,
      ...by(tomorrow),
    })
    expect(givenJob(...off).when(claimJob('storing', 10)).events).toMatchObject([{ type: 'StepClaimed' }])
    givenJob(...off)
      .when(claimJob('storing', tomorrow + 1))
      .gives('not-yet')
  })

  it('keeps no mail waiting', () => {
    const failed: BatchCommand = {
      type: 'FailMail',
      mail: 'report',
      report: 1,
      fence: 3,
      error: 'away',
      retryAt: by(tomorrow + 5).at,
      ...by(tomorrow),
    }
    const off = playBatch(reported('failed'), claimBatch('mail', 7), failed)
    expect(givenBatch(...off).when(claimBatch('mail', 10)).events).toMatchObject([{ type: 'StepClaimed' }])
    givenBatch(...off)
      .when(claimBatch('mail', tomorrow + 1))
      .gives('nothing-to-do')
  })
})
