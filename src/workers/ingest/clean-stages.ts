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

/**
 * Removes bytes that storage took in for jobs that have ended since. Returns the number of their stages. Any number of
 * processes may do it at a time.
 */
export const cleanStages = async ({ stages, job }: Tools): Promise<number> => {
  let cleaned = 0
  for (const id of await stages.ids()) {
    const of = jobOfStage(id)
    const found = of && (await job(of.job))
    if (!found || (of.batch ?? found.facts.batch) !== found.facts.batch) continue
    if (over.includes(found.state) && (await stages.remove(id))) cleaned += 1
  }
  return cleaned
}
