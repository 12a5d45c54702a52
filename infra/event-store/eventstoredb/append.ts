import {
  ANY,
  type AppendExpectedRevision,
  type ExpectedRevision,
  NO_STREAM,
  STREAM_EXISTS,
} from '@eventstore/db-client'
import * as either from 'fp-ts/lib/Either.js'
import type { NewEvent } from '../../../src/domain/kernel/event.ts'
import type { Appended, AppendFailure, EventStore, Expected } from '../../../src/ports/event-store.ts'
import type { Connection } from './connection.ts'
import { encodeEvent, isPlace } from './event-coding.ts'
import { actualOf, appendFailure } from './failures.ts'
import { settled } from './guarded-client.ts'
import type { Reader } from './read.ts'

/** The server's own limit is 1 MiB of data, metadata and type names. */
export const defaultMaxAppendSize = 1024 * 1024 - 1024

const toServer = (expected: Expected): AppendExpectedRevision =>
  expected === 'any'
    ? ANY
    : expected === 'exists'
      ? STREAM_EXISTS
      : expected === 'none' || expected < 0n
        ? NO_STREAM
        : expected

type Appender = Pick<EventStore, 'append' | 'deleteStream'>

export const appender = (connection: Connection, reader: Reader, maxAppendSize: number): Appender => {
  const { client, name, patience, credentials } = connection
  const call = { ...credentials, deadline: patience }

  const send = async (stream: string, expected: Expected, encoded: ReturnType<typeof encodeEvent>[]) => {
    const events = encoded.map(({ event }) => event)
    const options = { ...call, expectedRevision: toServer(expected) }
    return settled(client.appendToStream(stream, events, options), patience)
  }

  /** The server does not say where it found the events of a repeated append, nor where an empty one ended. */
  const lookUp = async (stream: string, revision: bigint, count: number): Promise<Appended> => {
    const [last] =
      count === 0
        ? await reader.read(stream, 'end', 'backward', 1)
        : await reader.read(stream, revision, 'forward', 1)
    return { revision: count === 0 ? (last?.revision ?? -1n) : revision, position: last?.position ?? -1n }
  }

  const append = async (
    stream: string,
    expected: Expected,
    encoded: ReturnType<typeof encodeEvent>[],
    bytes: number,
  ): Promise<either.Either<AppendFailure, Appended>> => {
    try {
      const { success, nextExpectedRevision: revision, position } = await send(stream, expected, encoded)
      if (!success) return either.left({ kind: 'Conflict', stream, actual: actualOf(revision) })
      if (position && isPlace(position.commit) && encoded.length > 0)
        return either.right({ revision, position: position.commit })
      return either.right(await lookUp(stream, revision, encoded.length))
    } catch (error) {
      return either.left(appendFailure(name, stream, bytes, error))
    }
  }

  /** Asked whether a stream exists, the client's deletion knows no such question: the last event tells. */
  const deleteExisting = async (stream: string): Promise<either.Either<AppendFailure, void>> => {
    for (;;) {
      const [last] = await reader.read(stream, 'end', 'backward', 1)
      if (!last) return either.left({ kind: 'Conflict', stream, actual: 'none' })
      const result = await remove(stream, last.revision, 'soft')
      if (either.isRight(result) || result.left.kind !== 'Conflict') return result
    }
  }

  const remove = async (
    stream: string,
    expected: Exclude<Expected, 'exists'>,
    mode: 'soft' | 'tombstone',
  ): Promise<either.Either<AppendFailure, void>> => {
    const expectedRevision: ExpectedRevision =
      expected === 'any' ? ANY : expected === 'none' ? NO_STREAM : expected
    try {
      const options = { ...call, expectedRevision }
      const asked =
        mode === 'soft' ? client.deleteStream(stream, options) : client.tombstoneStream(stream, options)
      await settled<unknown>(asked, patience)
      return either.right(undefined)
    } catch (error) {
      return either.left(appendFailure(name, stream, 0, error))
    }
  }

  return {
    append: (stream: string, expected: Expected, events: readonly NewEvent[]) => {
      const encoded = events.map(encodeEvent)
      const bytes = encoded.reduce((sum, one) => sum + one.bytes, 0)
      return async () =>
        bytes > maxAppendSize
          ? either.left({ kind: 'TooLarge', bytes, limit: maxAppendSize })
          : append(stream, expected, encoded, bytes)
    },
    deleteStream: (stream, expected, mode) => async () => {
      if (expected !== 'exists') return remove(stream, expected, mode)
      try {
        return await deleteExisting(stream)
      } catch (error) {
        return either.left(appendFailure(name, stream, 0, error))
      }
    },
  }
}
