import * as E from 'fp-ts/lib/Either.js'
import type { Job, JobOutcome } from '../../domain/indexing/outcome.ts'
import { growing, isYoung, statFile, withFile } from './file-stat.ts'
import { endedBefore, type JobTools, type JobWatch } from './job-tools.ts'
import type { JobFile } from './threads/messages.ts'

/** Compares two files of one name. Throws when `signal` aborts. */
export const compareJob = async (
  { place, copy }: Extract<Job, { kind: 'compare' }>,
  { pool, elsewhere, clock, graceMillis }: JobTools,
  watch: JobWatch,
): Promise<JobOutcome> => {
  const [one, other] = [await statFile(place, elsewhere, watch), await statFile(copy, elsewhere, watch)]
  if (E.isLeft(other)) {
    const { code, reason } = other.left
    return code === 'not-found' ? compared('copy-gone', reason) : other.left
  }
  if (E.isLeft(one)) {
    const { code, reason } = one.left
    return code === 'not-found' ? compared('moved', reason) : one.left
  }
  const [first, second] = [one.right, other.right]
  if (first.identity === second.identity) return compared('same', 'both are one file')
  if (isYoung(second, clock.now(), graceMillis)) return growing(second)
  if (first.size !== second.size)
    return compared('different', `${first.size} bytes are at ${first.path}, ${second.size} at ${second.path}`)
  return withFile(first, elsewhere, watch, (a) =>
    withFile(second, elsewhere, watch, async (b) => {
      const same = await compareBytes([a, b], pool, watch)
      if (E.isLeft(same)) return same.left
      return same.right
        ? compared('same', 'their bytes are the same')
        : compared('different', `${first.path} and ${second.path} have other bytes`)
    }),
  )
}

/** Left: one of them cannot be read any more, or changed. */
const compareBytes = async (
  files: readonly [JobFile, JobFile],
  pool: JobTools['pool'],
  watch: JobWatch,
): Promise<E.Either<JobOutcome, boolean>> => {
  const outcome = await pool.run({ kind: 'compare', files }, watch)
  if (outcome.status === 'compared') return E.right(outcome.isSame)
  watch.signal.throwIfAborted()
  if (outcome.status !== 'unreadable') throw endedBefore(outcome)
  const { code, reason } = outcome.failure
  return E.left({ status: 'failed', code: code === 'growing' ? 'unreadable' : code, reason })
}

const compared = (
  verdict: Extract<JobOutcome, { status: 'compared' }>['verdict'],
  because: string,
): JobOutcome => ({ status: 'compared', verdict, because })
