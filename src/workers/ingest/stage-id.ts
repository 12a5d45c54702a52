/* Names of the bytes that storage holds for a job before their version. */

export interface JobOfBatch {
  readonly job: number
  /** A log that was restored counts jobs anew from where it stood: the number alone may mean two. Absent: of an older program. */
  readonly batch?: string
}

export const stageIdOf = ({ job, batch }: Required<JobOfBatch>): string => `job-${job}-${batch}`

/** Undefined if another piece of work is meant. */
export const jobOfStage = (id: string): JobOfBatch | undefined => {
  const [, job, batch] = /^job-(\d+)(?:-([0-9a-f-]+))?$/.exec(id) ?? []
  return job === undefined ? undefined : { job: Number(job), ...(batch !== undefined && { batch }) }
}
