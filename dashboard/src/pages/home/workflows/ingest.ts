import { get } from '../../../api/client.ts'
import { bytes, count, plural } from '../../../parts/words.ts'
import { batchAt, jobAt } from '../../ingest/addresses.ts'
import { maxNeeds, type Need, type Report, type Workflow } from '../report.ts'

/** Jobs in these states are done with. */
const ended = ['completed', 'failed', 'deleted']

export const ingest: Workflow = {
  name: 'ingest',
  title: 'What became of what was handed in?',
  page: '/ingest',
  days: { says: 'Versions stored a day', types: ['VersionStored'] },
  ask: async (signal) => {
    const jobsIn = (state: string) => ({
      query: { where: [`state=${state}`], order: ['lastModified'], limit: maxNeeds },
    })
    const batchesIn = (state: string) => ({
      query: { where: [`state=${state}`], order: ['number'], limit: maxNeeds },
    })
    const [
      { data: summary, at },
      { data: failed },
      { data: held },
      { data: failedBatches },
      { data: heldBatches },
      { data: holds },
    ] = await Promise.all([
      get('/api/v1/ingest/summary', { query: { limit: 1000 } }, signal),
      get('/api/v1/views/ingest-jobs', jobsIn('failed'), signal),
      get('/api/v1/views/ingest-jobs', jobsIn('held'), signal),
      get('/api/v1/views/ingest-batches', batchesIn('failed'), signal),
      get('/api/v1/views/ingest-batches', batchesIn('held'), signal),
      get('/api/v1/views/ingest-holds', { query: { order: ['since'], limit: maxNeeds } }, signal),
    ])
    const jobs = (isWanted: (state: string) => boolean) =>
      summary.summary.filter(({ state }) => isWanted(state)).reduce((sum, one) => sum + one.jobs, 0)
    const size = summary.summary.reduce((sum, one) => sum + one.bytes, 0)
    const open = jobs((state) => !ended.includes(state))
    const isPaused = holds.rows.some(({ scope }) => scope === 'all')
    return {
      ...conditionOf(isPaused, {
        failed: failed.rows.length,
        failedBatches: failedBatches.rows.length,
        holds: held.rows.length + heldBatches.rows.length + holds.rows.length,
        open,
        all: jobs(() => true),
      }),
      amount: {
        value: count(jobs((state) => state === 'completed')),
        of: jobs((state) => state === 'completed') === 1 ? 'job completed' : 'jobs completed',
      },
      facts: [
        ['Size', bytes(size)],
        ['Under way', count(open)],
        ['Failed', count(jobs((state) => state === 'failed'))],
      ],
      needs: [
        ...failed.rows.map(
          ({ job, title, lastModified, message, failedIn }): Need => ({
            since: lastModified ?? at.toISOString(),
            subject: `Job ${job}${called(title)}`,
            is: 'wrong',
            says: `failed${failedIn === null ? '' : ` in ${failedIn}`}: ${message ?? 'it says no reason'}`,
            href: jobAt(job),
            thing: String(job),
            verb: 'See the job',
          }),
        ),
        ...held.rows.map(
          ({ job, title, lastModified }): Need => ({
            since: lastModified ?? at.toISOString(),
            subject: `Job ${job}${called(title)}`,
            is: 'held',
            says: 'is held.',
            href: jobAt(job),
            thing: String(job),
            verb: 'See the job',
          }),
        ),
        ...[...failedBatches.rows, ...heldBatches.rows].map(
          ({ batch, number, title, state, lastModified, message }): Need => ({
            since: lastModified ?? at.toISOString(),
            subject: `Batch ${number ?? batch}${called(title)}`,
            is: state === 'held' ? 'held' : 'wrong',
            says: `is ${state}: ${message ?? 'it says no reason'}`,
            href: batchAt(batch),
            thing: batch,
            verb: 'See the batch',
          }),
        ),
        ...holds.rows.map(
          ({ scope, collection, reason, actor, since }): Need => ({
            since: since ?? at.toISOString(),
            subject: scope === 'all' ? 'All ingest' : `The collection ${collection}`,
            is: 'held',
            says: `is ${scope === 'all' ? 'paused' : 'on hold'} by ${actor}: ${reason}`,
            href: '/ingest',
            verb: 'See the holds',
          }),
        ),
      ],
      hasMoreNeeds: [failed, held, failedBatches, heldBatches, holds].some(({ more }) => more),
    }
  },
}

const called = (title: string | null): string => (title === null ? '' : ` (${title})`)

interface Amounts {
  readonly failed: number
  readonly failedBatches: number
  readonly holds: number
  readonly open: number
  readonly all: number
}

const conditionOf = (
  isPaused: boolean,
  { failed, failedBatches, holds, open, all }: Amounts,
): Pick<Report, 'is' | 'says'> => {
  if (isPaused) return { is: 'held', says: 'ingest is paused' }
  if (failed > 0) return { is: 'wrong', says: `${plural(failed, 'job')} failed` }
  if (failedBatches > 0) return { is: 'wrong', says: `${plural(failedBatches, 'batch', 'batches')} failed` }
  if (holds > 0) return { is: 'needs somebody', says: `${plural(holds, 'hold')}` }
  if (all === 0) return { is: 'idle', says: 'nothing was submitted yet' }
  return open > 0
    ? { is: 'under way', says: 'jobs are under way, none failed' }
    : { is: 'well', says: 'nothing waits, nothing failed' }
}
