import * as E from 'fp-ts/lib/Either.js'
import type { Job, JobOutcome } from '../../domain/indexing/outcome.ts'
import { growing, isYoung, statFile, withFile } from './file-stat.ts'
import { endedBefore, type JobTools, type JobWatch } from './job-tools.ts'

/** Compares two files of one name. Throws when `signal` aborts. */
export const compareJob = async (
  { place, copy }: Extract<Job, { kind: 'compare' }>,
  { pool, remote, clock, graceMillis }: JobTools,
  watch: JobWatch,
): Promise<JobOutcome> => {
  const [one, other] = [await statFile(place, remote, watch), await statFile(copy, remote, watch)]
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
  return withFile(first, remote, watch, (a) =>
    withFile(second, remote, watch, async (b) => {
      const isSame = await haveSameBytes([a, b], pool, watch)
      return isSame
        ? compared('same', 'their bytes are the same')
        : compared('different', `${first.path} and ${second.path} have other bytes`)
    }),
  )
}

const haveSameBytes = async (
  paths: readonly [string, string],
  pool: JobTools['pool'],
  watch: JobWatch,
): Promise<boolean> => {
  const outcome = await pool.run({ kind: 'compare', paths }, watch)
  if (outcome.status === 'compared') return outcome.isSame
  watch.signal.throwIfAborted()
  throw endedBefore(outcome)
}

const compared = (
  verdict: Extract<JobOutcome, { status: 'compared' }>['verdict'],
  because: string,
): JobOutcome => ({ status: 'compared', verdict, because })
