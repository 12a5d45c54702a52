import {
  ANY,
  type AppendExpectedRevision,
  type AppendResult,
  NO_STREAM,
  STREAM_EXISTS,
  StreamDeletedError,
} from '@eventstore/db-client'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Appended, AppendFailure, EventStore, Expected } from '../../../src/ports/event-store.ts'
import { unfit } from '../unfit.ts'
import type { Connection } from './connection.ts'
import { encodeEvent, isPosition } from './event-coding.ts'
import { actualOf, appendFailure } from './failures.ts'
import { inTime } from './guarded-client.ts'
import type { Reader } from './read.ts'
import { createSettle } from './settle.ts'

/** The server's own limit is 1 MiB of data, metadata and type names. */
export const defaultMaxAppendSize = 1024 * 1024 - 1024

export const createAppend = (
  connection: Connection,
  reader: Reader,
  maxAppendSize: number,
): EventStore['append'] => {
  const { client, name, timeoutMillis, credentials } = connection
  const settle = createSettle(connection)

  const send = async (
    stream: string,
    expected: Expected,
    encoded: readonly ReturnType<typeof encodeEvent>[],
  ) => {
    const events = encoded.map(({ event }) => event)
    const options = { ...credentials, deadline: timeoutMillis, expectedRevision: toClient(expected) }
    try {
      return await inTime(client.appendToStream(stream, events, options), timeoutMillis)
    } catch (error) {
      const settled = await settle(stream, error)
      // A stream that never was would be a conflict, which an append is told in a message.
      const isDeletedSoftly = settled === 'none' && expected === 'exists'
      if (settled === 'deleted' || isDeletedSoftly) throw StreamDeletedError.fromStreamName(stream)
      throw error
    }
  }

  return (stream, expected, events) => {
    const reason = unfit(stream, events)
    if (reason !== undefined) return TE.left({ kind: 'Refused', stream, reason })
    const encoded = events.map(encodeEvent)
    const count = encoded.length
    const bytes = encoded.reduce((sum, one) => sum + one.bytes, 0)
    if (bytes > maxAppendSize) return TE.left({ kind: 'TooLarge', bytes, limit: maxAppendSize })
    const attempt = <A>(work: () => Promise<A>) =>
      TE.tryCatch(work, (error) => appendFailure(name, stream, bytes, error))
    return pipe(
      attempt(() => send(stream, expected, encoded)),
      TE.chain((result): TE.TaskEither<AppendFailure, Appended> => {
        const revision = result.nextExpectedRevision
        if (!result.success) return TE.left({ kind: 'Conflict', stream, actual: actualOf(revision) })
        const position = positionIn(result)
        return position !== undefined && count > 0
          ? TE.right({ revision, position })
          : attempt(() => lookUp(reader, stream, revision, count))
      }),
    )
  }
}

const toClient = (expected: Expected): AppendExpectedRevision =>
  expected === 'any'
    ? ANY
    : expected === 'exists'
      ? STREAM_EXISTS
      : expected === 'none' || expected < 0n
        ? NO_STREAM
        : expected

const positionIn = ({ position }: AppendResult): bigint | undefined =>
  position && isPosition(position.commit) ? position.commit : undefined

/** The server does not say where it found the events of a repeated append, nor where an empty one ended. */
const lookUp = async (reader: Reader, stream: string, revision: bigint, count: number): Promise<Appended> => {
  const [last] =
    count === 0
      ? await reader.read(stream, 'end', 'backward', 1)
      : await reader.read(stream, revision, 'forward', 1)
  return { revision: count === 0 ? (last?.revision ?? -1n) : revision, position: last?.position ?? -1n }
}
