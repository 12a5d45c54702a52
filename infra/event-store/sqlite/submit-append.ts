import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import type { Appended, AppendFailure, Expected } from '../../../src/ports/event-store.ts'
import type { GroupCommit } from '../../sqlite/group-commit.ts'
import type { Appender } from './append.ts'
import type { EncodedEvent } from './encoding.ts'
import { isKnownId } from './repeats.ts'
import type { LogEnd } from './write-events.ts'

/** An append whose events are ready to be written. */
export interface EncodedAppend {
  readonly stream: string
  readonly expected: Expected
  readonly events: readonly EncodedEvent[]
}

type Answer = Either<AppendFailure, Appended>

/** Runs an append of these events in the next group commit. Rejects with what the commit rejects with. */
export const submitAppend = (
  commit: GroupCommit,
  appender: Appender,
  stream: string,
  events: readonly EncodedEvent[],
  append: () => Answer,
): Promise<Answer> =>
  commit.submit(append).catch((error: unknown) => {
    if (!isKnownId(error)) throw error
    return commit.submit(() => appender.resolveRepeat(stream, events))
  })

/** The result of appends that were written in one transaction. */
export interface Written {
  /** One for each append, in the same order. */
  readonly answers: readonly Answer[]
  /** End of the log before them. */
  readonly end: LogEnd
}

/**
 * Runs many appends, each by itself, in one piece of work. An append that cannot be written gets its failure.
 * `onWritten` is called before any listener is notified of the change.
 */
export const submitAppends = (
  commit: GroupCommit,
  appender: Appender,
  appends: readonly Either<AppendFailure, EncodedAppend>[],
  onWritten: (written: Written) => void,
): Promise<readonly Answer[]> => {
  const append = ({ stream, expected, events }: EncodedAppend, at?: number): Answer =>
    appender.append(stream, expected, events, at)
  const appendAll = (): Written => {
    const end = appender.end()
    return { answers: appends.map((one) => (isLeft(one) ? one : append(one.right, end.at))), end }
  }
  const appendAlone = (one: EncodedAppend) =>
    submitAppend(commit, appender, one.stream, one.events, () => append(one))
  const written = commit.submit(appendAll, appends.length, onWritten).then(({ answers }) => answers)
  return written.catch((error: unknown) => {
    if (!isKnownId(error)) throw error
    return Promise.all(appends.map((one) => (isLeft(one) ? one : appendAlone(one.right))))
  })
}
