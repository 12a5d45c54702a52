import { type JobState, JobState as JobStates } from '../../../domain/ingest/transitions.ts'
import { jobs } from '../../../domain/ingest/views.ts'
import { is, narrowRows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'

/** A job that hands in what its depositor calls so. */
export interface CalledJob {
  readonly job: number
  readonly state: JobState
  readonly title: string | null
  readonly batchNumber: number
  readonly localId: string
}

/** Jobs of a state that are looked at: no index leads from a local id to a job. */
const maxOfState = 500

/** A completed job has its object, which the view of local ids has; a deleted one is of no more use. */
const states = (Object.keys(JobStates.keys) as JobState[]).filter(
  (state) => state !== 'completed' && state !== 'deleted',
)

/**
 * Jobs that are not at their end, and that hand in something whose local id `fits`: it means no object before a job has
 * found or made one. The failed ones come first. `isAll` is false if a state has more jobs than are looked at.
 */
export const jobsCalled = (
  views: Pick<Views, 'query'>,
  fits: (localId: string) => boolean,
): { readonly jobs: readonly CalledJob[]; readonly isAll: boolean } => {
  let isAll = true
  const found = ['failed' as const, ...states.filter((state) => state !== 'failed')].flatMap((state) => {
    const rows = narrowRows(views, jobs, ['job', 'state', 'title', 'batchNumber', 'localIds'], {
      where: [is('state', state)],
      orderBy: [{ column: 'available' }, { column: 'order' }, { column: 'site' }],
      limit: maxOfState + 1,
    })
    isAll &&= rows.length <= maxOfState
    return rows.flatMap(({ localIds, ...row }): readonly CalledJob[] => {
      const localId = localIds?.find(fits)
      return localId === undefined ? [] : [{ ...row, localId }]
    })
  })
  return { jobs: found, isAll }
}
