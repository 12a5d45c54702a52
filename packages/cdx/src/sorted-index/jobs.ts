import type { Run } from './manifest.ts'
import { type Merged, type MergeJob, mergeParts, mergeRuns } from './merge-runs.ts'
import { deleteRun } from './run-files.ts'
import { createRunOutput, type RunBody } from './run-output.ts'
import { sortLines } from './sort-lines.ts'
import { type Verified, verifyRun } from './verify-run.ts'

/** A job that blocks for long. */
export type IndexJob =
  /** Sorts lines in any order into a run. */
  | { readonly kind: 'sort'; readonly folder: string; readonly batch: Uint8Array; readonly name: string }
  | {
      readonly kind: 'join'
      readonly folder: string
      readonly parts: readonly string[]
      readonly name: string
    }
  | { readonly kind: 'merge'; readonly merge: MergeJob }
  /** Verifies all of a run. */
  | { readonly kind: 'verify'; readonly folder: string; readonly run: Run }

export type JobResult =
  | { readonly kind: 'written'; readonly body: RunBody }
  | { readonly kind: 'merged'; readonly merged: Merged }
  | { readonly kind: 'verified'; readonly verified: Verified }

/** Runs jobs. */
export interface IndexThreads {
  /** Rejects with the job's error, including all of its fields. */
  run(job: IndexJob): Promise<JobResult>
  close(): Promise<void>
}

/** Runs jobs in the calling thread, which they block. */
export const inThisThread: IndexThreads = { run: async (job) => runJob(job), close: async () => {} }

/** Throws the disk's errors, and `RangeError` for bytes that are not lines; leaves nothing behind then. */
export const runJob = (job: IndexJob): JobResult => {
  if (job.kind === 'merge') return { kind: 'merged', merged: mergeRuns(job.merge) }
  if (job.kind === 'verify') return { kind: 'verified', verified: verifyRun(job.folder, job.run) }
  const { folder, name } = job
  try {
    const body =
      job.kind === 'sort' ? writeSorted(folder, name, job.batch) : mergeParts(folder, job.parts, name)
    return { kind: 'written', body }
  } catch (error) {
    deleteRun(folder, name)
    throw error
  }
}

const writeSorted = (folder: string, name: string, batch: Uint8Array): RunBody => {
  const bytes = Buffer.from(batch.buffer, batch.byteOffset, batch.byteLength)
  const output = createRunOutput(folder, name, false)
  try {
    sortLines(bytes, (start, end) => {
      output.put(bytes, start, end)
      output.commit(0)
    })
    return output.finish()
  } finally {
    output.close()
  }
}
