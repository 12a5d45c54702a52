import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { unavailable } from '../../async/unavailable.ts'
import type { AppendFailure, EventStore } from '../../ports/event-store.ts'
import type { Contents } from './contents.ts'
import { firstRevision } from './contents.ts'

/** Somebody else writes this stream at the target. */
export interface WrittenMeanwhile {
  readonly kind: 'Conflict'
  readonly stream: string
}

/** Throws `UnavailableError`. */
export const writtenMeanwhile = (
  failure: Exclude<AppendFailure, { kind: 'TooLarge' }>,
  stream: string,
): Either<WrittenMeanwhile, never> => {
  if (failure.kind === 'Unavailable' || failure.kind === 'Refused') throw unavailable(failure)
  return left({ kind: 'Conflict', stream })
}

/** Left as it is where it reads as empty already; Right tells whether it was deleted now. */
export const removeSoftly = async (
  target: EventStore,
  stream: string,
  last: bigint,
): Promise<Either<WrittenMeanwhile, boolean>> => {
  if (typeof (await firstRevision(target, stream)) === 'string') return right(false)
  return removed(await target.deleteStream(stream, last, 'soft')(), stream)
}

const removed = (result: Either<AppendFailure, void>, stream: string): Either<WrittenMeanwhile, boolean> => {
  if (!isLeft(result)) return right(true)
  if (result.left.kind === 'TooLarge') throw new Error('a deletion has no size')
  return result.left.kind === 'StreamDeleted' ? right(false) : writtenMeanwhile(result.left, stream)
}

export const repeatDeletions = async (
  source: EventStore,
  target: EventStore,
  { streams }: Contents,
): Promise<Either<WrittenMeanwhile, number>> => {
  let count = 0
  for (const [stream, revision] of streams) {
    const state = await firstRevision(source, stream)
    if (typeof state === 'bigint') continue
    const result =
      state === 'empty'
        ? await removeSoftly(target, stream, revision)
        : removed(await target.deleteStream(stream, 'any', 'tombstone')(), stream)
    if (isLeft(result)) return result
    if (result.right) count++
  }
  return right(count)
}
