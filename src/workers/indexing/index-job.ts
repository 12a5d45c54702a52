import * as E from 'fp-ts/lib/Either.js'
import type { IndexingTask } from '../../domain/indexing/indexing-task.ts'
import type { Job, JobOutcome } from '../../domain/indexing/outcome.ts'
import { growing, isYoung, statFile, withFile } from './file-stat.ts'
import { endedBefore, type JobTools, type JobWatch } from './job-tools.ts'
import type { JobFile } from './threads/messages.ts'

/**
 * Reads one file, and writes its lines as a run, all or none (W16): they enter the index once the outcome is accepted
 * (W17). Returns undefined if the claim was lost meanwhile: then there is nothing to report. Throws when `signal`
 * aborts, and if the index cannot be written.
 */
export const indexJob = async (
  task: IndexingTask,
  job: IndexFile,
  tools: JobTools,
  watch: JobWatch,
): Promise<JobOutcome | undefined> => {
  const { clock, graceMillis, elsewhere } = tools
  const read = await statFile(job.place, elsewhere, watch)
  if (E.isLeft(read)) return read.left
  const file = read.right
  if (isYoung(file, clock.now(), graceMillis)) return growing(file)
  const outcome = await withFile(file, elsewhere, watch, (opened) =>
    indexFile(opened, task, job, tools, watch),
  )
  // The date of a local copy is meaningless.
  return outcome?.status === 'indexed' && (file.remote ?? file.stream)
    ? { ...outcome, modifiedAt: file.modifiedAt }
    : outcome
}

type IndexFile = Extract<Job, { kind: 'index' }>

const indexFile = async (
  opened: JobFile,
  { file, confirm }: IndexingTask,
  { place, fileKind, salvages }: IndexFile,
  { pool, elsewhere, runs, format, requestKeys }: JobTools,
  watch: JobWatch,
): Promise<JobOutcome | undefined> => {
  const job = {
    kind: 'index',
    file: opened,
    name: file.name,
    fileKind,
    ...(salvages && { salvages }),
    runs,
    format,
    ...(requestKeys && { requestKeys }),
  } as const
  const outcome = await pool.run(job, watch)
  switch (outcome.status) {
    case 'written': {
      if (!(await confirm())) return undefined
      const { run, size, modifiedAt, warnings, loss } = outcome
      const { lines, sha256: digest, ...place } = run
      return {
        status: 'indexed',
        files: 1,
        lines,
        digest,
        run: place,
        size,
        modifiedAt,
        warnings: [...warnings],
        ...(loss && { loss }),
        ...(requestKeys && { requestKeys }),
      }
    }
    case 'unreadable': {
      const { failure } = outcome
      if (failure.code !== 'growing') return failed(failure.code, failure)
      const found = await statFile(place, elsewhere, watch)
      return E.isLeft(found) ? found.left : growing(found.right)
    }
    default:
      watch.signal.throwIfAborted()
      throw endedBefore(outcome)
  }
}

type Failed = Extract<JobOutcome, { status: 'failed' }>

const failed = (code: Failed['code'], { reason, offset }: Pick<Failed, 'reason' | 'offset'>): Failed => ({
  status: 'failed',
  code,
  reason,
  ...(offset !== undefined && { offset }),
})
