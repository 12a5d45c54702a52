import {
  BACKWARDS,
  END,
  FORWARDS,
  type ResolvedEvent,
  START,
  StreamDeletedError,
} from '@eventstore/db-client'
import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import type { Connection } from './connection.ts'
import { decodeEvent } from './event-coding.ts'
import { isMissing } from './failures.ts'
import { collect, readAhead } from './pull.ts'
import type { Reader } from './read.ts'
import { createSettle } from './settle.ts'

export const createStreamReader = (connection: Connection): Reader['read'] => {
  const { client, timeoutMillis } = connection
  const settle = createSettle(connection)

  const fetch = async (
    stream: string,
    from: bigint | 'start' | 'end',
    direction: 'forward' | 'backward',
    limit: number,
  ): Promise<readonly RecordedEvent[]> => {
    const read = client.readStream(
      stream,
      {
        fromRevision: from === 'start' ? START : from === 'end' ? END : from,
        direction: direction === 'forward' ? FORWARDS : BACKWARDS,
        maxCount: limit,
      },
      { highWaterMark: readAhead },
    )
    const events = await collect<ResolvedEvent>(read, () => read.cancel(), timeoutMillis)
    return events.map(decodeEvent).filter((event) => event !== undefined)
  }

  return async (stream, from, direction, limit) => {
    const isBelow = typeof from === 'bigint' && from < 0n
    if (limit <= 0 || (isBelow && direction === 'backward')) return []
    try {
      if (from === 'end') return await fetch(stream, from, 'backward', direction === 'forward' ? 1 : limit)
      return await fetch(stream, isBelow ? 'start' : from, direction, limit)
    } catch (error) {
      if (isMissing(error)) return []
      if ((await settle(stream, error)) === 'deleted') throw StreamDeletedError.fromStreamName(stream)
      throw error
    }
  }
}
