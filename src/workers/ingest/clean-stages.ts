import type { Job } from '../../domain/ingest/job/state.ts'
import type { Stages } from '../../ports/object-store.ts'
import { jobOfStage } from './stage-id.ts'

interface Tools {
  readonly stages: Pick<Stages, 'ids' | 'remove'>
  /** The job as the log has it. */
  readonly job: (job: number) => Promise<Job | undefined>
}

/** A job that is resumed brings its bytes again, so that failed ones hold no room and leave no strays. */
const over: readonly string[] = ['completed', 'failed', 'deleted']

/** Removes bytes that storage took in for jobs that have ended since. Any number of processes may do it at a time. */
export const cleanStages = async ({ stages, job }: Tools): Promise<void> => {
  for (const id of await stages.ids()) {
    const number = jobOfStage(id)
    const state = number === undefined ? undefined : (await job(number))?.state
    if (state !== undefined && over.includes(state)) await stages.remove(id)
  }
}
