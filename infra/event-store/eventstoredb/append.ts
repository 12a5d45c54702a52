import {
  ANY,
  type AppendExpectedRevision,
  type EventData,
  NO_STREAM,
  STREAM_EXISTS,
  StreamDeletedError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { validate as isUuid } from 'uuid'
import type { NewEvent } from '../../../src/domain/kernel/event.ts'
import type { Appended, AppendFailure, EventStore, Expected } from '../../../src/ports/event-store.ts'
import { invalidReason } from '../invalid-append.ts'
import type { Connection } from './connection.ts'
import { type EncodedEvent, encodeEvent, encodeStored, isPosition } from './event-coding.ts'
import { clientEvent, clientStored } from './event-for-client.ts'
import { appendFailure } from './failures.ts'
import { inTime } from './guarded-client.ts'
import type { Reader } from './read.ts'
import { createStateAfterError } from './state-after-error.ts'
import type { Written } from './wire/batch-messages.ts'

/** The server's own limit is 1 MiB of data, metadata and type names. */
export const defaultMaxAppendSize = 1024 * 1024 - 1024

/** Both ways to append. */
export const createAppends = (
  connection: Connection,
  reader: Reader,
  maxAppendSize: number,
): Pick<EventStore, 'append' | 'appendStored'> => {
  const { client, batches, name, timeoutMillis, credentials } = connection
  const stateAfter = createStateAfterError(connection)

  /** A call of its own, for servers that take no batches of ours. */
  const sendAlone = async (
    stream: string,
    expected: Expected,
    events: () => EventData[],
  ): Promise<Written> => {
    const options = { ...credentials, deadline: timeoutMillis, expectedRevision: toClient(expected) }
    try {
      const sent = client.appendToStream(stream, events(), options)
      const { success, nextExpectedRevision: revision, position } = await inTime(sent, timeoutMillis)
      // Where the address has throwOnAppendFailure=false.
      if (!success) throw wrongVersion(stream, revision)
      return { revision, position: position?.commit }
    } catch (error) {
      const state = await stateAfter(stream, error)
      // A stream that never was would be a conflict, which an append is told in a message.
      const isDeletedSoftly = state === 'none' && expected === 'exists'
      if (state === 'deleted' || isDeletedSoftly) throw StreamDeletedError.fromStreamName(stream)
      throw error
    }
  }

  const send = async (
    stream: string,
    expected: Expected,
    encoded: readonly EncodedEvent[],
    forClient: () => EventData[],
  ): Promise<Written> => {
    // A batch whose ids are none ends the call, and with it all other appends that are under way.
    const batched = encoded.every(({ id }) => isUuid(id)) && (await batches.append(stream, expected, encoded))
    return batched || sendAlone(stream, expected, forClient)
  }

  const appendBy = <A extends Pick<NewEvent, 'id' | 'type'>>(
    stream: string,
    expected: Expected,
    events: readonly A[],
    encode: (event: A) => EncodedEvent,
    forClient: (event: A) => EventData,
  ): TE.TaskEither<AppendFailure, Appended> => {
    const reason = invalidReason(stream, events)
    if (reason !== undefined) return TE.left({ kind: 'Refused', stream, reason })
    const encoded = events.map(encode)
    const count = encoded.length
    const bytes = encoded.reduce((sum, one) => sum + one.bytes, 0)
    if (bytes > maxAppendSize) return TE.left({ kind: 'TooLarge', bytes, limit: maxAppendSize })
    const attempt = <A>(work: () => Promise<A>) =>
      TE.tryCatch(work, (error) => appendFailure(name, stream, bytes, error))
    return pipe(
      attempt(() => send(stream, expected, encoded, () => events.map(forClient))),
      TE.chain(({ revision, position }) =>
        position !== undefined && isPosition(position) && count > 0
          ? TE.right({ revision, position })
          : attempt(() => lookUp(reader, stream, revision, count)),
      ),
    )
  }

  return {
    append: (stream, expected, events) => appendBy(stream, expected, events, encodeEvent, clientEvent),
    appendStored: (stream, expected, events) =>
      appendBy(stream, expected, events, encodeStored, clientStored),
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

const wrongVersion = (stream: string, actual: bigint): WrongExpectedVersionError =>
  new WrongExpectedVersionError(undefined, { streamName: stream, current: actual, expected: ANY })

/** The server does not say where it found the events of a repeated append, nor where an empty one ended. */
const lookUp = async (reader: Reader, stream: string, revision: bigint, count: number): Promise<Appended> => {
  const [last] =
    count === 0
      ? await reader.read(stream, 'end', 'backward', 1)
      : await reader.read(stream, revision, 'forward', 1)
  return { revision: count === 0 ? (last?.revision ?? -1n) : revision, position: last?.position ?? -1n }
}
