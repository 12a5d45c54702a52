import featureServices from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import features from '@eventstore/db-client/generated/serverfeatures_pb.js'
import streamServices from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type streams from '@eventstore/db-client/generated/streams_pb.js'
import {
  credentials,
  type handleBidiStreamingCall,
  type handleClientStreamingCall,
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
} from '@grpc/grpc-js'

type Call = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>

interface Behaviour {
  /** Asked of each request before it goes to the gateway: true where it has been answered, or is not to be. */
  readonly otherwise?: (request: streams.BatchAppendReq, call: Call) => boolean
  /** What the server says of its batches; undefined where it says nothing of itself. */
  readonly says?: readonly string[] | undefined
}

/** A server before a gateway, which takes appends and counts the calls that carry them. */
export const batchingServer = async (
  port: number,
  { otherwise, says = ['deadline_duration'] }: Behaviour = {},
) => {
  const behind = new streamServices.StreamsClient(`127.0.0.1:${port}`, credentials.createInsecure())
  const calls = { batched: 0, alone: 0 }

  const batchAppend: handleBidiStreamingCall<streams.BatchAppendReq, streams.BatchAppendResp> = (call) => {
    calls.batched++
    const asked = behind.batchAppend()
    call.on('data', (request) => {
      if (!otherwise?.(request, call)) asked.write(request)
    })
    call.on('end', () => asked.end())
    call.on('cancelled', () => asked.cancel())
    asked.on('data', (answer) => call.write(answer))
    asked.on('error', () => call.end())
    asked.on('end', () => call.end())
  }
  const append: handleClientStreamingCall<streams.AppendReq, streams.AppendResp> = (call, callback) => {
    calls.alone++
    const asked = behind.append((error, answer) => callback(error, answer))
    call.on('data', (part) => asked.write(part))
    call.on('end', () => asked.end())
  }
  const getSupportedMethods: handleUnaryCall<unknown, features.SupportedMethods> = (_, callback) => {
    const method = new features.SupportedMethod()
    method.setServiceName('event_store.client.streams.streams')
    method.setMethodName('batchappend')
    method.setFeaturesList([...says])
    const methods = new features.SupportedMethods()
    methods.setMethodsList([method])
    callback(null, methods)
  }

  const server = new Server()
  const { batchAppend: batching, append: appending } = streamServices.StreamsService
  server.addService({ batchAppend: batching, append: appending }, { batchAppend, append })
  const { getSupportedMethods: telling } = featureServices.ServerFeaturesService
  server.addService({ getSupportedMethods: telling }, { getSupportedMethods })
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, at) =>
      error ? reject(error) : resolve(at),
    )
  })
  return {
    address: `esdb://127.0.0.1:${bound}?tls=false`,
    calls,
    close: () => {
      server.forceShutdown()
      behind.close()
    },
  }
}
