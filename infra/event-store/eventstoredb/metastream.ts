import {
  ANY,
  BACKWARDS,
  END,
  type JSONEventData,
  NO_STREAM,
  type ResolvedEvent,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { v7 as uuid } from 'uuid'
import type { StreamMetadata } from '../../../src/ports/event-store.ts'
import type { Connection } from './connection.ts'
import { isMissing } from './failures.ts'
import { settled } from './guarded-client.ts'
import { collect } from './pull.ts'

/*
 * What EventStoreDB knows about stream `x` is the last event of stream `$$x`. Read and written here as it stands: the
 * client's own functions for it would lose numbers beyond 2^53, and give a position out for a revision.
 */

/** The log's name is kept where nobody reads events: with a stream that has none. */
const identityStream = 'fonds'
const identityKey = 'log'

/** Throw what the client throws. */
export const metastreams = ({ client, credentials, patience }: Connection) => {
  const read = async (stream: string): Promise<StreamMetadata> => {
    const reading = client.readStream(`$$${stream}`, { fromRevision: END, direction: BACKWARDS, maxCount: 1 })
    try {
      const [last] = await collect<ResolvedEvent>(reading, () => reading.cancel(), patience)
      const data: unknown = last?.event?.data
      return typeof data === 'object' && data !== null ? { ...data } : {}
    } catch (error) {
      if (isMissing(error)) return {}
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
    const options = { ...credentials, deadline: patience, expectedRevision: expected }
    await settled(client.appendToStream(`$$${stream}`, event, options), patience)
  }

  let identity: string | undefined

  return {
    read,
    write,
    keepLatest: async (stream: string, count: number): Promise<void> => {
      const metadata = await read(stream)
      if (metadata.$maxCount === count) return
      // Soft-deleted: nothing of it is to be kept, and its number would not survive being written again.
      if (Number(metadata.$tb) > Number.MAX_SAFE_INTEGER) return
      await write(stream, { ...metadata, $maxCount: count }, ANY)
    },

    identity: async (): Promise<string> => {
      while (identity === undefined) {
        const known = (await read(identityStream))[identityKey]
        if (typeof known === 'string') identity = known
        else
          await write(identityStream, { [identityKey]: uuid() }, NO_STREAM).catch((error: unknown) => {
            // Another process named it first.
            if (!(error instanceof WrongExpectedVersionError)) throw error
          })
      }
      return identity
    },
  }
}
