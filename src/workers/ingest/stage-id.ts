/* Names of the bytes that storage holds for a job before their version. */

const before = 'job-'

export const stageIdOf = (job: number): string => `${before}${job}`

/** Undefined if another piece of work is meant. */
export const jobOfStage = (id: string): number | undefined =>
  new RegExp(`^${before}\\d+$`).test(id) ? Number(id.slice(before.length)) : undefined
