import { describe, expect, it } from 'vitest'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import { ruleNames } from '#src/projections/ingest/questions/audit.ts'
import { auditQuestion } from '#src/projections/ingest/questions/audit-question.ts'
import { batchId, object, t } from '../../domain/ingest/samples.ts'
import { areaWith, asked } from './asking.ts'
import { foldAll, openIngest } from './folding.ts'
import { type IngestLog, ingestLog } from './log.ts'

/** A life with everything in it; nothing of it is odd. */
const life = (): IngestLog => {
  const log = ingestLog()
  log.open({ objects: [object(0), object(1), object(2), object(3)] })
  log.walk(12, 'completed')
  log.claim(13)
  log.fail(13)
  log.job(14, { type: 'HoldJob', reason: 'wait' })
  log.walk(15, 'provisioning')
  log.claim(15)
  return log
}

/** What the audit finds where events are missing from the log, or are others. */
const auditOf = async (
  log: IngestLog,
  change: (events: readonly RecordedEvent[]) => readonly RecordedEvent[] = (events) => events,
  now = log.now(),
  area = areaWith(),
) => {
  const { viewStore, generation } = openIngest()
  foldAll(viewStore, generation, change(log.events))
  return asked(auditQuestion, viewStore, now, {}, area)
}

const withoutFirst =
  (type: string, stream = '') =>
  (events: readonly RecordedEvent[]) => {
    const found = events.find((event) => event.type === type && event.stream.startsWith(stream))
    if (!found) throw new Error(`no ${type}`)
    return events.filter((event) => event !== found)
  }

const rulesIn = async (...args: Parameters<typeof auditOf>): Promise<readonly unknown[]> =>
  [...new Set((await auditOf(...args)).rows.map(({ rule }) => rule))].sort()

describe('the audit', () => {
  it('finds nothing in what the deciders made', async () => {
    const { nothing, rows, alarm } = await auditOf(life())
    expect(rows).toEqual([])
    expect(nothing).toBe('all is as it must be')
    expect(alarm).toBeUndefined()
  })

  it('I25: a job that can never fit the work volume, with what it needs and what there is', async () => {
    const log = life()
    const volume = (total: number) => areaWith({ workVolume: async () => ({ total, used: 0 }) })
    const found = async (area: ReturnType<typeof areaWith>) =>
      (await auditOf(log, undefined, log.now(), area)).rows
    expect(await found(volume(2000))).toEqual([])
    expect(await found(volume(1000))).toMatchObject([
      {
        rule: 'never-fits',
        subject: 'job 15',
        says: expect.stringMatching(
          /^it can never fit: it needs 1000 B, and the work volume has 1000 B in all, of which 800 B \(80 %\) may be used: have FONDS_INGEST_WORK/,
        ),
      },
    ])
  })

  it('a batch without a number, after a while', async () => {
    const log = ingestLog()
    log.batch(batchId, {
      type: 'SubmitBatch',
      submission: { profile: 'p', submitter: 'b', payload: { url: 'file:///a' }, mode: 'add' },
      profile: { name: 'p' },
    })
    expect(await rulesIn(log)).toEqual([])
    expect(await rulesIn(log, undefined, t(10))).toEqual(['batch-without-number'])
  })

  it('a number that two batches have', async () => {
    const log = life()
    log.submit({ id: '6c1d7f4e-8a4d-4f0e-9d59-3a1f0c9d7e22', number: 7 })
    expect(await rulesIn(log)).toEqual(['number-twice'])
  })

  it('X24: jobs without their batch', async () => {
    const found = await rulesIn(life(), (events) =>
      events.filter(({ stream }) => !stream.startsWith('ingestBatch')),
    )
    expect(found).toEqual(['job-without-batch'])
  })

  it('an opened batch without its jobs', async () => {
    expect(await rulesIn(life(), withoutFirst('JobCreated', 'ingestJob-14'))).toEqual(['jobs-missing'])
  })

  it('a batch that counts its jobs otherwise than they are', async () => {
    const log = life()
    const { viewStore, generation } = openIngest()
    foldAll(viewStore, generation, log.events)
    const before = viewStore.checkpoint(generation)
    viewStore.fold(generation, before.position, { ...before, position: before.position + 1n }, (tables) => {
      const row = tables['ingest-jobs']!.get(14)!
      tables['ingest-jobs']!.put({ ...row, state: 'failed' })
    })
    const { rows } = await asked(auditQuestion, viewStore, log.now())
    expect(rows).toMatchObject([
      {
        rule: 'buckets-differ',
        subject: 'batch 7',
        says: 'it counts 2 open jobs, and there are 1; it counts 1 held jobs, and there are 0; it counts 1 failed jobs, and there are 2',
      },
    ])
  })

  it('a batch whose payload was read and that is not opened', async () => {
    const log = ingestLog()
    log.open()
    const found = await auditOf(log, withoutFirst('BatchMoved'), t(60))
    expect(found.rows).toMatchObject([{ rule: 'not-opened', severity: 'warning' }])
  })

  it('I7: a batch whose jobs have all ended and that is not reported', async () => {
    const log = ingestLog()
    log.open()
    log.walk(12, 'completed')
    expect(await rulesIn(log)).toEqual([])
    expect(await rulesIn(log, undefined, t(90))).toEqual(['not-reported'])
  })

  it('X24: jobs that are in no queue, or in one that is not theirs, or at another place', async () => {
    const log = life()
    const { viewStore, generation } = openIngest()
    foldAll(viewStore, generation, log.events)
    const before = viewStore.checkpoint(generation)
    viewStore.fold(generation, before.position, { ...before, position: before.position + 1n }, (tables) => {
      const change = (job: number, columns: object) => {
        const row = tables['ingest-jobs']!.get(job)!
        tables['ingest-jobs']!.put({ ...row, ...columns })
      }
      change(12, { available: '' })
      change(15, { available: null })
      change(13, { order: '07-0000000000000013' })
    })
    const { rows } = await asked(auditQuestion, viewStore, log.now())
    expect(rows.map(({ rule, subject, says }) => [rule, subject, says])).toEqual([
      ['queues-differ', 'job 15', 'it is in no queue'],
      ['queues-differ', 'job 12', 'it is completed, and in a queue'],
      ['place-differs', 'job 13', 'its place in the queue is not that of priority 5'],
    ])
  })

  it('a claim that ran out and was not given back', async () => {
    const log = life()
    const { rows } = await auditOf(log, undefined, t(60))
    expect(rows).toMatchObject([{ rule: 'claim-overdue', subject: 'job 15' }])
  })

  it('is a warning for the first hour, then a failure, which alarms', async () => {
    const log = ingestLog()
    log.submit()
    log.submit({ id: '6c1d7f4e-8a4d-4f0e-9d59-3a1f0c9d7e22', number: 7 })
    const early = await auditOf(log)
    expect(early.rows.map(({ severity }) => severity)).toEqual(['warning', 'warning'])
    expect(early.alarm).toBeUndefined()
    const late = await auditOf(log, undefined, t(120))
    expect(late.rows.map(({ severity }) => severity)).toEqual(['failure', 'failure'])
    expect(late.alarm?.message).toBe('2 findings for more than an hour')
  })

  it('a claim and a job that say otherwise; a job that stored two versions', async () => {
    const log = life()
    const { viewStore, generation } = openIngest()
    foldAll(viewStore, generation, log.events)
    const before = viewStore.checkpoint(generation)
    viewStore.fold(generation, before.position, { ...before, position: before.position + 1n }, (tables) => {
      const claim = tables['ingest-claims']!.get('job', '15')!
      tables['ingest-claims']!.put({ ...claim, id: '12' })
      tables['ingest-claims']!.delete('job', '15')
      const version = tables['ingest-versions']!.get('ark:/99999/fk4abc', 1)!
      tables['ingest-versions']!.put({ ...version, version: 2 })
    })
    const { rows } = await asked(auditQuestion, viewStore, log.now())
    expect(rows.map(({ rule, subject }) => [rule, subject])).toEqual([
      ['claim-differs', 'job 12'],
      ['claim-differs', 'job 15'],
      ['stored-twice', 'job 12'],
    ])
  })

  it('names its rules', () => {
    expect(ruleNames).toHaveLength(15)
    expect(auditQuestion.description).toContain('buckets-differ')
  })
})

describe('jobs of a node that may be gone', () => {
  const site = 'node-1/00000000000000aa'
  const submission = { profile: 'p', submitter: 'b', payload: { url: 'file:///a' }, mode: 'add' } as const
  const waiting = (of: object): IngestLog => {
    const log = ingestLog()
    log.batch(batchId, {
      type: 'SubmitBatch',
      submission: { ...submission, ...of },
      profile: { name: 'p' },
    })
    log.batch(batchId, { type: 'NumberBatch', number: 1 })
    return log
  }
  const later = '2999-01-01T00:00:00.000Z'
  const ofSite = async (log: IngestLog, now: string) =>
    (await auditOf(log, (events) => events, now)).rows.filter(({ rule }) => rule === 'site-away')

  it('are named with their site, once nothing of it has moved for an hour, and with what to do', async () => {
    const log = waiting({ site })
    expect(await ofSite(log, log.now())).toEqual([])
    expect(await ofSite(log, later)).toMatchObject([
      { subject: `site ${site}`, says: expect.stringMatching(/^1 batch wait.*gone for good.*delete-batch/) },
    ])
  })

  it('are named by their batch, which is failed at once', async () => {
    const log = ingestLog()
    log.open({ submission: { site } })
    expect(await ofSite(log, later)).toMatchObject([
      {
        says: expect.stringMatching(
          /^1 job wait.*`fonds do ingest\.force-fail batch=7` fails all open jobs of batch 7 \(`job=…` one alone\)$/,
        ),
      },
    ])
  })

  it('are not told where any node may take them', async () => {
    expect(await ofSite(waiting({}), later)).toEqual([])
  })

  it('are not told while somebody works on them, or while all is paused', async () => {
    const claimed = waiting({ site })
    const terms = { holder: 'w', deadline: later, millis: 1000 }
    claimed.batch(batchId, { type: 'ClaimBatch', task: 'open', holds: {}, ...terms })
    expect(await ofSite(claimed, later)).toEqual([])
    const paused = waiting({ site })
    paused.hold('all', 'SetHold', 'moving area')
    expect(await ofSite(paused, later)).toEqual([])
  })
})
