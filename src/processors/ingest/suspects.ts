import type { MaxDeaths } from '../../domain/ingest/claim.ts'
import type { JobTask } from '../../domain/ingest/tasks.ts'
import { jobs } from '../../domain/ingest/views.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { Offered } from '../runtime/claim.ts'

type JobRow = Pick<RowOf<typeof jobs>, 'job' | 'fence' | 'deaths'>

interface SuspectsDependencies extends MaxDeaths {
  readonly viewStore: Pick<ViewStore, 'query'>
}

export interface Suspects {
  oneAtATime(row: JobRow, claim: () => Promise<Offered<JobTask>>): Promise<Offered<JobTask>>
}

/**
 * A process that dies ends all of its jobs' attempts, and one of the jobs may be the cause. A process holds jobs that
 * the next death would fail one at a time: so it is clear which of them it was, and no job fails for another one.
 */
export const suspectsInProgress = ({ viewStore, maxDeaths }: SuspectsDependencies): Suspects => {
  let current: { readonly job: number; readonly fence: number } | undefined

  /** True until the view shows that its step is done, or its claim over. */
  const isInProgress = (): boolean => {
    if (!current) return false
    const [row] = rowsIfFolded(viewStore, jobs, { where: [is('job', current.job)], limit: 1 })
    const isBehind = (row?.fence ?? 0) < current.fence
    if (row && !isBehind && (row.holder === null || row.fence !== current.fence || row.deaths === 0))
      current = undefined
    return current !== undefined
  }

  return {
    oneAtATime: async ({ job, fence, deaths }, claim) => {
      if (deaths === 0 || maxDeaths === undefined || deaths < maxDeaths - 1) return claim()
      if (isInProgress()) return 'refused'
      const wanted = { job, fence: (fence ?? 0) + 1 }
      current = wanted
      let offered: Offered<JobTask> = 'refused'
      try {
        offered = await claim()
        return offered
      } finally {
        if (typeof offered !== 'object' && current === wanted) current = undefined
      }
    },
  }
}
