import { status } from '@grpc/grpc-js'
import type { Connection } from './connection.ts'
import { readEvents } from './read-events.ts'

/*
 * EventStoreDB (23.10, 24.10) answers a conflict of a deletion, and everything about a tombstone, with the stream's name in
 * a trailer, as it is. A trailer holds printable ASCII alone: beyond that the web server below it makes an HTTP 500 of the
 * answer, without a gRPC status. What happened is then found out by asking.
 */

/** `unknown`: nothing is known of the stream by this error. Else its last revision, `none` where it reads as empty. */
type StateAfter = 'deleted' | 'unknown' | bigint | 'none'

const printable = /^[\x20-\x7e]*$/

/** Read to see whether the server answers: its name is ASCII, and it need not be there. */
const anyStream = 'fonds'

/** Never throws. */
export const createStateAfterError = (connection: Pick<Connection, 'calls' | 'timeoutMillis' | 'turns'>) => {
  const lastOf = async (stream: string): Promise<bigint | 'none' | 'unreadable'> => {
    try {
      const [last] = await readEvents(connection, stream, 'end', 'backward', 1)
      return last?.event?.revision ?? 'none'
    } catch (error) {
      if (isUnreadable(error) && stream !== anyStream) return 'unreadable'
      throw error
    }
  }

  return async (stream: string, error: unknown): Promise<StateAfter> => {
    if (!isUnreadable(error) || printable.test(stream)) return 'unknown'
    try {
      // A proxy answers 500, too, and one with several servers may do so every other time: hence in this order.
      await lastOf(anyStream)
      const last = await lastOf(stream)
      if (last !== 'unreadable') return last
      const again = await lastOf(stream)
      if (again !== 'unreadable') return again
      await lastOf(anyStream)
      return 'deleted'
    } catch {
      return 'unknown'
    }
  }
}

export type StateAfterError = ReturnType<typeof createStateAfterError>

const isUnreadable = (error: unknown): boolean =>
  error instanceof Error &&
  (error as { readonly code?: unknown }).code === status.UNKNOWN &&
  /HTTP status code 500/.test(error.message)
