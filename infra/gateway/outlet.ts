import type streams from '@eventstore/db-client/generated/streams_pb.js'
import type { ServerWritableStream } from '@grpc/grpc-js'

/** Where the answers of a read go. */
export interface Outlet {
  write(response: streams.ReadResp): void
  /** Resolves once the client has taken what was written, or has gone. */
  drained(): Promise<void>
  /** Aborts when the client goes. */
  readonly gone: AbortSignal
}

export const outletOf = (call: ServerWritableStream<streams.ReadReq, streams.ReadResp>): Outlet => {
  const gone = new AbortController()
  let resume = () => {}
  const leave = () => {
    gone.abort()
    resume()
  }
  call.on('drain', () => resume())
  call.on('cancelled', leave)
  call.on('close', leave)
  return {
    gone: gone.signal,
    write: (response) => {
      if (!gone.signal.aborted) call.write(response)
    },
    drained: async () => {
      if (call.writableNeedDrain && !gone.signal.aborted)
        await new Promise<void>((resolve) => {
          resume = resolve
        })
    },
  }
}
