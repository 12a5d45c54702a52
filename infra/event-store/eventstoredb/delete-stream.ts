import {
  ANY,
  type ExpectedRevision,
  NO_STREAM,
  StreamDeletedError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { AppendFailure, EventStore, Expected } from '../../../src/ports/event-store.ts'
import type { Connection } from './connection.ts'
import { appendFailure } from './failures.ts'
import { inTime } from './guarded-client.ts'
import { isSoftlyDeleted, type Metastreams } from './metastream.ts'
import type { Reader } from './read.ts'
import { createStateAfterError } from './state-after-error.ts'

export const createDeleteStream = (
  connection: Connection,
  reader: Reader,
  metadata: Pick<Metastreams, 'read'>,
): EventStore['deleteStream'] => {
  const { client, name, timeoutMillis, credentials } = connection
  const stateAfter = createStateAfterError(connection)

  const remove = (
    stream: string,
    expected: Exclude<Expected, 'exists'>,
    mode: 'soft' | 'tombstone',
  ): TE.TaskEither<AppendFailure, void> => {
    const expectedRevision: ExpectedRevision =
      expected === 'any' ? ANY : expected === 'none' ? NO_STREAM : expected
    const options = { ...credentials, deadline: timeoutMillis, expectedRevision }
    return TE.tryCatch(
      async () => {
        const call =
          mode === 'soft' ? client.deleteStream(stream, options) : client.tombstoneStream(stream, options)
        try {
          await inTime<unknown>(call, timeoutMillis)
        } catch (error) {
          const state = await stateAfter(stream, error)
          if (state === 'deleted') throw StreamDeletedError.fromStreamName(stream)
          if (state !== 'unknown' && isConflict(expected, state)) throw conflict(stream, state)
          throw error
        }
      },
      (error) => appendFailure(name, stream, 0, error),
    )
  }

  const notThere = (stream: string): TE.TaskEither<AppendFailure, void> =>
    pipe(
      TE.tryCatch(
        () => metadata.read(stream),
        (error) => appendFailure(name, stream, 0, error),
      ),
      TE.chain((found) =>
        TE.left<AppendFailure>(
          isSoftlyDeleted(found)
            ? { kind: 'StreamDeleted', stream }
            : { kind: 'Conflict', stream, actual: 'none' },
        ),
      ),
    )

  /** The client has no `exists` here: the stream is deleted at its last revision, and again where another writer was faster. */
  const removeExisting = (stream: string, mode: 'soft' | 'tombstone'): TE.TaskEither<AppendFailure, void> =>
    pipe(
      TE.tryCatch(
        () => reader.read(stream, 'end', 'backward', 1),
        (error) => appendFailure(name, stream, 0, error),
      ),
      TE.chain(([last]) => (last ? remove(stream, last.revision, mode) : notThere(stream))),
      TE.orElse((failure) =>
        failure.kind === 'Conflict' && failure.actual !== 'none'
          ? removeExisting(stream, mode)
          : TE.left(failure),
      ),
    )

  return (stream, expected, mode) =>
    expected === 'exists' ? removeExisting(stream, mode) : remove(stream, expected, mode)
}

/** Is this the reason why a deletion was refused? One of any revision is refused where the stream never was. */
const isConflict = (expected: Exclude<Expected, 'exists'>, last: bigint | 'none'): boolean =>
  expected === 'any' ? last === 'none' : expected !== last

const conflict = (stream: string, last: bigint | 'none'): WrongExpectedVersionError =>
  new WrongExpectedVersionError(undefined, {
    streamName: stream,
    current: last === 'none' ? NO_STREAM : last,
    expected: ANY,
  })
