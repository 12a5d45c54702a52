import { BatchState } from '../../domain/ingest/transitions.ts'
import { batches, holds, jobs } from '../../domain/ingest/views.ts'
import { is, row, tally } from '../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { Amounts } from '../workflow.ts'

/** States in which the files of a job are on the work volume, or are arriving there. */
const inProcess = ['downloading', 'processing', 'storing', 'recording', 'notify'] as const

/** Counts batches and jobs by state, and the bytes in process, for monitoring (reference ingest §6.3). */
export const ingestAmounts = (viewStore: Pick<ViewStore, 'shape' | 'query' | 'tally'>): Amounts => {
  if (!viewStore.shape(jobs.name)) return { inState: [], bytesInProcess: 0 }
  const ends = ['open', 'held', 'completed', 'failed'] as const
  const byState = tally(viewStore, batches, { by: ['state'], sum: [...ends] })
  const ofJobs = (end: (typeof ends)[number]) => byState.reduce((sum, row) => sum + Number(row[end]), 0)
  return {
    isPaused: row(viewStore, holds, is('scope', 'all')) !== undefined,
    inState: [
      ...Object.keys(BatchState.keys).map((state) => ({
        what: 'batches',
        state,
        count: byState.find((row) => row.state === state)?.count ?? 0,
      })),
      // Batches count their jobs: a million rows of jobs need not be scanned.
      ...ends.map((state) => ({ what: 'jobs', state, count: ofJobs(state) })),
    ],
    bytesInProcess: inProcess.reduce((sum, state) => {
      const [row] = tally(viewStore, jobs, { by: [], sum: ['spaceNeeded'], where: [is('state', state)] })
      return sum + Number(row?.spaceNeeded ?? 0)
    }, 0),
  }
}
