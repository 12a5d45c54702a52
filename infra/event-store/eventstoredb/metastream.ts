import {
  ANY,
  type JSONEventData,
  NO_STREAM,
  StreamDeletedError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { v7 as uuid } from 'uuid'
import type { StreamMetadata } from '../../../src/ports/event-store.ts'
import type { Connection } from './connection.ts'
import { decodeData } from './event-coding.ts'
import { isDeleted } from './failures.ts'
import { inTime } from './guarded-client.ts'
import { readEvents } from './read-events.ts'
import { createStateAfterError } from './state-after-error.ts'

/*
 * The metadata of stream `x` are the last event of stream `$$x`. They are read and written here as events: the client's
 * own functions for metadata lose numbers beyond 2^53, and return a position as the revision.
 */

/** The log's id is stored as metadata of a stream that has no events. */
const identityStream = 'fonds'
const identityKey = 'log'

/** All methods throw the client's errors. A tombstoned stream has no metadata, and accepts none. */
export const createMetastreams = (connection: Connection) => {
  const { client, credentials, timeoutMillis } = connection
  const stateAfter = createStateAfterError(connection)

  const orDeleted = async (metastream: string, error: unknown): Promise<unknown> =>
    (await stateAfter(metastream, error)) === 'deleted'
      ? StreamDeletedError.fromStreamName(metastream)
      : error

  const read = async (stream: string): Promise<StreamMetadata> => {
    try {
      const [last] = await readEvents(connection, `$$${stream}`, 'end', 'backward', 1)
      const data = last?.event && decodeData(last.event)
      return typeof data === 'object' && data !== null ? { ...data } : {}
    } catch (error) {
      if (isDeleted(await orDeleted(`$$${stream}`, error))) return {}
      throw error
    }
  }

  const write = async (stream: string, data: StreamMetadata, expected: typeof ANY | typeof NO_STREAM) => {
    const event: JSONEventData = {
      id: uuid(),
      type: '$metadata',
      contentType: 'application/json',
      data,
      metadata: undefined,
    }
    const options = { ...credentials, deadline: timeoutMillis, expectedRevision: expected }
    try {
      await inTime(client.appendToStream(`$$${stream}`, event, options), timeoutMillis)
    } catch (error) {
      throw await orDeleted(`$$${stream}`, error)
    }
  }

  let identity: string | undefined

  return {
    read,
    write,
    keepLatest: async (stream: string, count: number): Promise<void> => {
      const metadata = await read(stream)
      const { $maxCount, ...others } = metadata
      if (count > 0 ? $maxCount === count : $maxCount === undefined) return
      // None of its events are kept, and writing its `$tb` again would round it.
      if (isSoftlyDeleted(metadata)) return
      // The server reads 0 as no rule at all.
      await write(stream, { ...others, ...(count > 0 && { $maxCount: count }) }, ANY).catch(
        (error: unknown) => {
          // A tombstoned stream keeps no events, either.
          if (!isDeleted(error)) throw error
        },
      )
    },

    identity: async (): Promise<string> => {
      while (identity === undefined) {
        const known = (await read(identityStream))[identityKey]
        if (typeof known === 'string') identity = known
        else
          await write(identityStream, { [identityKey]: uuid() }, NO_STREAM).catch((error: unknown) => {
            // Another process set the id first.
            if (!(error instanceof WrongExpectedVersionError)) throw error
          })
      }
      return identity
    },
  }
}

export type Metastreams = ReturnType<typeof createMetastreams>

/** A soft deletion sets `$tb` to the greatest 64-bit number. */
export const isSoftlyDeleted = ({ $tb }: StreamMetadata): boolean => Number($tb) > Number.MAX_SAFE_INTEGER
