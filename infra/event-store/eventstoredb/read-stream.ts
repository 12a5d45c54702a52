import { StreamDeletedError } from '@eventstore/db-client'
import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import type { Connection } from './connection.ts'
import { decodeEvent } from './event-coding.ts'
import { readEvents } from './read-events.ts'
import { createStateAfterError } from './state-after-error.ts'
import type { Direction, Place } from './wire/read-request.ts'

export type ReadStream = (
  stream: string,
  from: bigint | 'start' | 'end',
  direction: 'forward' | 'backward',
  limit: number,
) => Promise<readonly RecordedEvent[]>

export const createStreamReader = (connection: Connection): ReadStream => {
  const stateAfter = createStateAfterError(connection)

  const fetch = async (
    stream: string,
    from: Place,
    direction: Direction,
    limit: number,
  ): Promise<readonly RecordedEvent[]> =>
    (await readEvents(connection, stream, from, direction, limit))
      .map(decodeEvent)
      .filter((event) => event !== undefined)

  return async (stream, from, direction, limit) => {
    const isBelow = typeof from === 'bigint' && from < 0n
    if (limit <= 0 || (isBelow && direction === 'backward')) return []
    try {
      if (from === 'end') return await fetch(stream, from, 'backward', direction === 'forward' ? 1 : limit)
      return await fetch(stream, isBelow ? 'start' : from, direction, limit)
    } catch (error) {
      if ((await stateAfter(stream, error)) === 'deleted') throw StreamDeletedError.fromStreamName(stream)
      throw error
    }
  }
}
