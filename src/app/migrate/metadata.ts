import { isDeepStrictEqual } from 'node:util'
import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import { orThrow, UnavailableError } from '../../async/unavailable.ts'
import type { EventStore, StreamMetadata } from '../../ports/event-store.ts'
import type { Contents } from './contents.ts'
import { firstRevision } from './contents.ts'
import { type WrittenMeanwhile, writtenMeanwhile } from './deletions.ts'

/**
 * Copies the metadata of streams, and returns of how many they were written. It comes after all events, as `$acl` may
 * forbid us to write more. On a server a deletion replaces metadata: those of deleted streams are not copied. Throws
 * `UnavailableError`.
 */
export const copyMetadata = async (
  source: EventStore,
  target: EventStore,
  { metadata }: Contents,
): Promise<Either<WrittenMeanwhile, number>> => {
  let written = 0
  for (const [stream, known] of metadata) {
    const first = await firstRevision(source, stream)
    if (typeof first === 'string') continue
    const wanted = truncatedAt(first, known)
    if (isDeepStrictEqual(wanted, await orThrow(target.metadata(stream)))) continue
    const result = await target.setMetadata(stream, wanted)()
    if (!isLeft(result)) written++
    else if (result.left.kind !== 'TooLarge') return writtenMeanwhile(result.left, stream)
    else throw new UnavailableError(`the target does not accept metadata as large as those of ${stream}`)
  }
  return right(written)
}

/** A stream that was deleted and written again is truncated; not every store puts that into its metadata. */
const truncatedAt = (first: bigint, known: StreamMetadata): StreamMetadata =>
  first > 0n && known.$tb === undefined ? { ...known, $tb: Number(first) } : known
