import streamServices from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type streams from '@eventstore/db-client/generated/streams_pb.js'
import {
  credentials,
  type handleClientStreamingCall,
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServerWritableStream,
} from '@grpc/grpc-js'

type Read = ServerWritableStream<streams.ReadReq, streams.ReadResp>

/** Calls that are answered otherwise; the rest goes to the gateway. */
export interface Otherwise {
  /** True where it has answered. */
  readonly read?: (call: Read) => boolean
  /** What is sent for a message of the gateway's. */
  readonly told?: (answer: streams.ReadResp, asked: streams.ReadReq) => readonly streams.ReadResp[]
  readonly append?: handleClientStreamingCall<streams.AppendReq, streams.AppendResp>
  readonly remove?: handleUnaryCall<streams.DeleteReq, streams.DeleteResp>
}

/**
 * A server that differs from the gateway behind it. Clients do without the list of features, which it does not have.
 */
export const inFront = async (port: number, { read, told, append, remove }: Otherwise) => {
  const behind = new streamServices.StreamsClient(`127.0.0.1:${port}`, credentials.createInsecure())
  const server = new Server()
  server.addService(
    { read: streamServices.StreamsService.read },
    {
      read: (call: Read) => {
        if (read?.(call)) return
        const answers = behind.read(call.request)
        call.on('cancelled', () => answers.cancel())
        answers.on('error', (error) => call.emit('error', error))
        answers.on('end', () => call.end())
        answers.on('data', (answer: streams.ReadResp) => {
          for (const one of told?.(answer, call.request) ?? [answer]) call.write(one)
        })
      },
    },
  )
  const passAppend: NonNullable<Otherwise['append']> = (call, callback) => {
    const asked = behind.append((error, answer) => callback(error, answer))
    call.on('data', (part) => asked.write(part))
    call.on('end', () => asked.end())
  }
  server.addService({ append: streamServices.StreamsService.append }, { append: append ?? passAppend })
  const passRemove: NonNullable<Otherwise['remove']> = (call, callback) => {
    behind.delete(call.request, callback)
  }
  server.addService({ delete: streamServices.StreamsService.delete }, { delete: remove ?? passRemove })
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    )
  })
  return {
    address: `esdb://127.0.0.1:${bound}?tls=false`,
    close: () => {
      server.forceShutdown()
      behind.close()
    },
  }
}
