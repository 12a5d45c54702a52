import { isDeepStrictEqual } from 'node:util'
import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import { orThrow, UnavailableError } from '../../async/unavailable.ts'
import type { EventStore, StreamMetadata } from '../../ports/event-store.ts'
import type { Contents } from './contents.ts'
import { firstRevision, type WrittenMeanwhile, writtenMeanwhile } from './deletions.ts'

/**
 * Makes the metadata of streams the same, and returns of how many they were written. It comes behind all events, as
 * `$acl` may shut us out. A deletion replaces them on a server, so those of deleted streams are not copied. Throws
 * `UnavailableError`.
 */
export const copyMetadata = async (
  source: EventStore,
  target: EventStore,
  { metadata }: Contents,
): Promise<Either<WrittenMeanwhile, number>> => {
  let written = 0
  for (const [stream, said] of metadata) {
    const first = await firstRevision(source, stream)
    if (typeof first === 'string') continue
    const wanted = truncatedAt(first, said)
    if (isDeepStrictEqual(wanted, await orThrow(target.metadata(stream)))) continue
    const result = await target.setMetadata(stream, wanted)()
    if (!isLeft(result)) written++
    else if (result.left.kind !== 'TooLarge') return writtenMeanwhile(result.left, stream)
    else throw new UnavailableError(`the target takes no metadata as large as those of ${stream}`)
  }
  return right(written)
}

/** A stream that was deleted and written again is truncated, which its metadata do not always say. */
const truncatedAt = (first: bigint, said: StreamMetadata): StreamMetadata =>
  first > 0n && said.$tb === undefined ? { ...said, $tb: Number(first) } : said
