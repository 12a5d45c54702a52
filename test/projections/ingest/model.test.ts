import fc from 'fast-check'
import { expect, it } from 'vitest'
import { batchDecider } from '#src/domain/ingest/batch/decide.ts'
import type { Batch } from '#src/domain/ingest/batch/state.ts'
import { batchStream, jobStream } from '#src/domain/ingest/ids.ts'
import { jobDecider } from '#src/domain/ingest/job/decide.ts'
import { arkOf, type Job } from '#src/domain/ingest/job/state.ts'
import { isWorkState } from '#src/domain/ingest/transitions.ts'
import { batches, jobs, orderOf } from '#src/domain/ingest/views.ts'
import type { DomainEvent } from '#src/domain/kernel/event.ts'
import { is, row } from '#src/domain/kernel/read-views.ts'
import { findings } from '#src/projections/ingest/questions/audit.ts'
import { batchId, object } from '../../domain/ingest/samples.ts'
import { runs } from '../../runs.ts'
import { foldAll, openIngest } from './folding.ts'
import { type IngestLog, ingestLog } from './log.ts'

const reason = 'so they say'
const arkOfJob = (job: number) => `ark:/99999/fk4${job}`
const retryAt = '2026-01-31T13:00:00.000Z'

/** What may come next; the deciders refuse what does not fit. What has happened is told to the batch at once or much later. */
const steps: Readonly<Record<string, (log: IngestLog, job: number) => unknown>> = {
  claim: (log, job) => log.claim(job),
  complete: (log, job) => log.finish(job, arkOfJob(job)),
  giveBack: (log, job) => log.finish(job, arkOfJob(job), true),
  toTheEnd: (log, job) => {
    log.claim(job)
    for (let i = 0; i < 8; i++) log.finish(job, arkOfJob(job))
  },
  fail: (log, job) => log.fail(job),
  failAgain: (log, job) => {
    log.claim(job)
    log.fail(job)
  },
  failForGood: (log, job) => {
    log.claim(job)
    log.fail(job, 'it is not what was said', true)
  },
  putOff: (log, job) =>
    log.job(job, { type: 'ReleaseClaim', fence: log.fenceOf(job), reason, until: retryAt }),
  expire: (log, job) => log.job(job, { type: 'ExpireClaim' }),
  hold: (log, job) => log.job(job, { type: 'HoldJob', reason }),
  release: (log, job) => log.job(job, { type: 'ReleaseJob', reason }),
  resume: (log, job) => log.job(job, { type: 'ResumeJob', reason }),
  delete: (log, job) => log.job(job, { type: 'DeleteJob', reason, confirmed: true }),
  forceFail: (log, job) => log.job(job, { type: 'ForceFail', reason, confirmed: true }),
  clean: (log, job) => log.job(job, { type: 'NoteFolderCleaned' }),
  note: (log) => log.noteAll(batchId, [12, 13, 14]),
  report: (log) => log.report(batchId),
  mailSent: (log) =>
    log.mail(batchId, (sending) => ({ type: 'RecordMail', ...sending, to: ['bob@example.org'] })),
  mailFailed: (log) =>
    log.mail(batchId, (sending) => ({ type: 'FailMail', ...sending, error: 'no server', retryAt })),
  updateReport: (log) => log.batch(batchId, { type: 'UpdateReport', reason }),
  deleteBatch: (log) => {
    log.batch(batchId, { type: 'DeleteBatch', reason, confirmed: true })
    for (const job of [12, 13, 14]) log.job(job, { type: 'DeleteWithBatch', row: 'I15' })
  },
  wait: (log) => log.wait(11),
}

/** Jobs are worked on more often than anything else happens to them. */
const step = fc.tuple(
  fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...Object.keys(steps)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'claim',
        'complete',
        'giveBack',
        'toTheEnd',
        'failAgain',
        'resume',
        'note',
        'report',
      ),
    },
  ),
  fc.constantFrom(12, 13, 14),
)

const isRefused = (error: unknown): boolean => error instanceof Error && /^\w+: [a-z-]+: /.test(error.message)

/** What a stream says of its thing. */
const stateOf = <S>(
  decider: { initial: S | undefined; evolve: unknown },
  log: IngestLog,
  stream: string,
): S => {
  const evolve = decider.evolve as (state: S | undefined, event: DomainEvent) => S
  return log.events.filter((event) => event.stream === stream).reduce(evolve, decider.initial)!
}

const nextTask = (state: string, open: number, mails: number) => {
  if (state.endsWith('reporting') && open === 0) return 'report'
  return mails > 0 ? 'mail' : null
}

it('whatever happens, in whatever order: rows say what the streams say, and the audit finds nothing', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 30, maxLength: 90, size: 'max' }),
      fc.integer({ min: 1, max: 20 }),
      (taken, batch) => {
        const log = ingestLog()
        log.open({ objects: [object(0), object(1), object(2)] })
        for (const [what, job] of taken)
          try {
            steps[what]!(log, job)
          } catch (error) {
            if (!isRefused(error)) throw error
          }
        const { viewStore, generation } = openIngest()
        foldAll(viewStore, generation, log.events, batch)

        for (const number of [12, 13, 14]) {
          const job = stateOf<Job>(jobDecider, log, jobStream(number))
          const found = row(viewStore, jobs, is('job', number))
          if (job.state === 'deleted' && job.cleaned) {
            expect(found).toBeUndefined()
            continue
          }
          const { lease, notBefore = '' } = job.claims
          expect(found).toMatchObject({
            state: job.state,
            lastSuccessfulStatus: job.lastSuccessful,
            retryCount: job.retries,
            failedIn: job.failedIn ?? null,
            permanent: job.permanent ? 1 : 0,
            priority: job.priority,
            order: orderOf(job.priority, number),
            holder: lease?.holder ?? null,
            heldUntil: lease?.deadline ?? null,
            available: isWorkState(job.state) ? (lease?.deadline ?? notBefore) : null,
            version: job.found.version ?? null,
            folder: job.cleaned ? 0 : 1,
          })
          if (arkOf(job) !== undefined) expect(found?.ark).toBe(arkOf(job))
        }
        const whole = stateOf<Batch>(batchDecider, log, batchStream(batchId))
        const found = row(viewStore, batches, is('batch', batchId))
        expect(found).toMatchObject({
          state: whole.state,
          holder: whole.claims.lease?.holder ?? null,
          mails: JSON.parse(JSON.stringify(whole.mails)),
          task: nextTask(whole.state, Number(found?.open), whole.mails.length),
          reports: whole.lastReport?.report ?? 0,
        })
        // What only time can mend is no finding of this moment.
        const late = new Set(['claim-overdue', 'not-reported'])
        expect(findings(viewStore, log.now()).filter(({ rule }) => !late.has(rule))).toEqual([])
      },
    ),
    { numRuns: runs(100) },
  )
})
