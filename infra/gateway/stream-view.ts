import type { DatabaseSync } from 'node:sqlite'
import {
  createMetadataReader,
  isMetastream,
  originalOf,
  rulesOf,
} from '../event-store/sqlite/stream-metadata.ts'
import { createStreamFinder, softDeleted, tombstoned } from '../event-store/sqlite/streams.ts'

/** The part of a stream that can be read now. */
export interface StreamView {
  readonly id: number
  readonly name: string
  /** The last revision. */
  readonly last: number
  /** The first revision that still reads; above `last` if none does. */
  readonly first: number
  /** Events recorded before this time (epoch milliseconds) no longer read. */
  readonly notBefore: number
}

/** Returns `none` for a missing or soft-deleted stream. */
type FindView = (name: string) => StreamView | 'none' | 'tombstoned'

export const createViewFinder = (db: DatabaseSync, clock: () => number): FindView => {
  const findStream = createStreamFinder(db)
  const metadataOf = createMetadataReader(db)

  const notBefore = (name: string): number => {
    const { maxAge } = rulesOf(metadataOf(name))
    return maxAge === null ? 0 : clock() - maxAge * 1000
  }

  return (name) => {
    const isMetadata = isMetastream(name)
    if (isMetadata && findStream(originalOf(name))?.state === tombstoned) return 'tombstoned'
    const stream = findStream(name)
    if (!stream) return 'none'
    const { id, revision: last, state, truncatedBefore, maxCount } = stream
    if (state === tombstoned) return 'tombstoned'
    if (state === softDeleted || last < 0) return 'none'
    // Only the newest metadata event is read.
    const count = isMetadata ? 1 : maxCount
    return {
      id,
      name,
      last,
      first: Math.max(truncatedBefore, count === null ? 0 : last - count + 1),
      notBefore: isMetadata ? 0 : notBefore(name),
    }
  }
}
