import { get } from '../../../api/client.ts'
import { count, plural } from '../../../parts/words.ts'
import { batchAt } from '../../ingest/addresses.ts'
import { jobsIn } from '../../ingest/job-numbers.tsx'
import { inFewWords, type Reason } from '../../ingest/reasons.tsx'
import { maxNeeds, type Need, type Report, type Workflow } from '../report.ts'

export const ingest: Workflow = {
  name: 'ingest',
  title: 'What became of what was handed in?',
  page: '/ingest',
  ask: async (signal) => {
    const [{ data: standing, at }, { data: waiting }, { data: holds }] = await Promise.all([
      get('/api/v1/ingest/lanes', { query: { each: 1 } }, signal),
      get('/api/v1/ingest/waiting', { query: { limit: maxNeeds } }, signal),
      get('/api/v1/views/ingest-holds', { query: { order: ['since'], limit: maxNeeds } }, signal),
    ])
    const needing = waiting.batches.filter(({ needsPerson }) => needsPerson)
    const { lanes } = standing
    const [open, completed] = [jobsIn(lanes, 'open'), jobsIn(lanes, 'completed')]
    const isPaused = holds.rows.some(({ scope }) => scope === 'all')
    return {
      ...conditionOf(isPaused, {
        needing,
        waiting: waiting.batches.length - needing.length,
        holds: holds.rows.length,
        failed: jobsIn(lanes, 'failed'),
        open,
        all: lanes.reduce((sum, lane) => sum + lane.count, 0),
      }),
      amount: { value: count(completed), of: completed === 1 ? 'job completed' : 'jobs completed' },
      facts: [
        ['Under way', count(open)],
        ['Failed', count(jobsIn(lanes, 'failed'))],
        ['Held', count(jobsIn(lanes, 'held'))],
      ],
      needs: [
        ...needing.map(
          ({ batch, number, title, submittedAt, reasons }): Need => ({
            since: reasons.flatMap(({ since }) => since ?? []).toSorted()[0] ?? submittedAt,
            subject: `Batch ${number ?? batch}${called(title)}`,
            is: reasons.every(({ kind }) => kind === 'held') ? 'held' : 'wrong',
            says: reasons.map(reasonInWords).join('; '),
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
      hasMoreNeeds: waiting.more || holds.more,
    }
  },
}

const called = (title: string | null): string => (title === null ? '' : ` (${title})`)

/** Which jobs, and why. */
const reasonInWords = (reason: Reason): string =>
  reason.job === null
    ? inFewWords(reason)
    : `job ${reason.job}${reason.ofJobs > 1 ? ` and ${count(reason.ofJobs - 1)} more` : ''} ${inFewWords(reason)}`

interface Amounts {
  readonly needing: readonly { readonly state: string; readonly failed: number }[]
  /** Batches that go on by themselves, once what they wait for is there. */
  readonly waiting: number
  readonly holds: number
  readonly failed: number
  readonly open: number
  readonly all: number
}

const conditionOf = (
  isPaused: boolean,
  { needing, waiting, holds, failed, open, all }: Amounts,
): Pick<Report, 'is' | 'says'> => {
  if (isPaused) return { is: 'held', says: 'ingest is paused' }
  if (failed > 0) return { is: 'wrong', says: `${plural(failed, 'job')} failed` }
  const unread = needing.filter(({ state }) => state === 'failed').length
  if (unread > 0) return { is: 'wrong', says: `${plural(unread, 'batch', 'batches')} failed` }
  if (needing.length > 0)
    return {
      is: 'needs somebody',
      says: `${plural(needing.length, 'batch waits', 'batches wait')} for a person`,
    }
  if (holds > 0) return { is: 'needs somebody', says: plural(holds, 'hold') }
  if (waiting > 0)
    return { is: 'needs somebody', says: `${plural(waiting, 'batch was', 'batches were')} put off` }
  if (all === 0) return { is: 'idle', says: 'nothing was submitted yet' }
  return open > 0
    ? { is: 'under way', says: 'jobs are under way, none failed' }
    : { is: 'well', says: 'nothing waits, nothing failed' }
}
