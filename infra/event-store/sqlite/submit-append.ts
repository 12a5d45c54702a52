import type { Either } from 'fp-ts/lib/Either.js'
import type { Appended, AppendFailure } from '../../../src/ports/event-store.ts'
import type { GroupCommit } from '../../sqlite/group-commit.ts'
import type { Appender } from './append.ts'
import type { EncodedEvent } from './encoding.ts'
import { isKnownId } from './repeats.ts'

/** Runs an append of these events in the next group commit. Rejects with what the commit rejects with. */
export const submitAppend = (
  commit: GroupCommit,
  appender: Appender,
  stream: string,
  events: readonly EncodedEvent[],
  append: () => Either<AppendFailure, Appended>,
): Promise<Either<AppendFailure, Appended>> =>
  commit.submit(append).catch((error: unknown) => {
    if (!isKnownId(error)) throw error
    return commit.submit(() => appender.resolveRepeat(stream, events))
  })
