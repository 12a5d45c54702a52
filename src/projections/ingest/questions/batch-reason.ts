import * as t from 'io-ts'
import { count } from '../../../domain/kernel/amounts.ts'
import { WhyReason } from './why-answer.ts'

/** Why a batch is not done, or what some of its jobs wait for. */
export const BatchReason = t.intersection([
  WhyReason,
  t.type({
    /** The first job of which it is true; null: the batch itself. */
    job: t.union([t.number, t.null]),
    /** Number of its jobs of which it is true, as far as they were looked at. */
    ofJobs: t.number,
  }),
])
export type BatchReason = t.TypeOf<typeof BatchReason>

/** A sentence: which jobs, and why. */
export const reasonLine = ({ job, ofJobs, says }: Pick<BatchReason, 'job' | 'ofJobs' | 'says'>): string =>
  job === null ? says : `job ${job}${ofJobs > 1 ? ` and ${count(ofJobs - 1)} more` : ''}: ${says}`
