import { get } from '../../../api/client.ts'
import { bytes, count, plural } from '../../../parts/words.ts'
import { batchAt } from '../../ingest/addresses.ts'
import { inFewWords, type Reason } from '../../ingest/reasons.tsx'
import { maxNeeds, type Need, type Report, type Workflow } from '../report.ts'

/** Jobs in these states are done with. */
const ended = ['completed', 'failed', 'deleted']

export const ingest: Workflow = {
  name: 'ingest',
  title: 'What became of what was handed in?',
  page: '/ingest',
  ask: async (signal) => {
    const [{ data: summary, at }, { data: waiting }, { data: holds }] = await Promise.all([
      get('/api/v1/ingest/summary', { query: { limit: 1000 } }, signal),
      get('/api/v1/ingest/waiting', { query: { limit: maxNeeds } }, signal),
      get('/api/v1/views/ingest-holds', { query: { order: ['since'], limit: maxNeeds } }, signal),
    ])
    const needing = waiting.batches.filter(({ needsPerson }) => needsPerson)
    const jobs = (isWanted: (state: string) => boolean) =>
      summary.summary.filter(({ state }) => isWanted(state)).reduce((sum, one) => sum + one.jobs, 0)
    const size = summary.summary.reduce((sum, one) => sum + one.bytes, 0)
    const open = jobs((state) => !ended.includes(state))
    const isPaused = holds.rows.some(({ scope }) => scope === 'all')
    return {
      ...conditionOf(isPaused, {
        needing,
        waiting: waiting.batches.length - needing.length,
        holds: holds.rows.length,
        failed: jobs((state) => state === 'failed'),
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
