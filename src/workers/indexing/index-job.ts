import * as E from 'fp-ts/lib/Either.js'
import type { IndexingTask } from '../../domain/indexing/indexing-task.ts'
import type { Job, JobOutcome } from '../../domain/indexing/outcome.ts'
import type { JobTools, JobWatch } from './job-tools.ts'
import { growing, isYoung, lookAt } from './look.ts'

/**
 * Reads one file, and writes its lines as a run, all or none (W16): the index has them when the outcome was taken (W17). Undefined where
 * the claim was lost meanwhile: there is nothing to report then. Throws when `signal` aborts, and where the index takes nothing.
 */
export const indexJob = async (
  { file, confirm }: IndexingTask,
  { place, fileKind, salvages }: Extract<Job, { kind: 'index' }>,
  { pool, runs, format, clock, graceMillis }: JobTools,
  watch: JobWatch,
): Promise<JobOutcome | undefined> => {
  const look = await lookAt(place.location)
  if (E.isLeft(look)) return look.left
  if (isYoung(look.right, clock.now(), graceMillis)) return growing(look.right)
  const { path } = look.right
  const job = {
    kind: 'index',
    path,
    name: file.name,
    fileKind,
    ...(salvages && { salvages }),
    runs,
    format,
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
      }
    }
    case 'unreadable':
      return unreadable(outcome.failure, place.location)
    default:
      watch.signal.throwIfAborted()
      throw new Error('reason' in outcome ? outcome.reason : 'it was ended before its end')
  }
}

const unreadable = async (
  { code, reason, offset }: { readonly code: string; readonly reason: string; readonly offset?: number },
  location: string,
): Promise<JobOutcome> => {
  if (code !== 'growing')
    return {
      status: 'failed',
      code: code as Extract<JobOutcome, { status: 'failed' }>['code'],
      reason,
      ...(offset !== undefined && { offset }),
    }
  const look = await lookAt(location)
  return E.isLeft(look) ? look.left : growing(look.right)
}
