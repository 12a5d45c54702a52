import services from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type streams from '@eventstore/db-client/generated/streams_pb.js'
import type { MethodDefinition } from '@grpc/grpc-js'
import { type BatchRequest, batchRequestOf } from './batch-request.ts'

/** Events come as bytes already. */
export type ReadAnswer = streams.ReadResp | Buffer

const { read, batchAppend } = services.StreamsService

const takingBytes: MethodDefinition<streams.ReadReq, ReadAnswer> = {
  ...read,
  responseSerialize: (answer) => (Buffer.isBuffer(answer) ? answer : read.responseSerialize(answer)),
  responseDeserialize: read.responseDeserialize,
}

const withPatience: MethodDefinition<BatchRequest, streams.BatchAppendResp> = {
  ...batchAppend,
  requestSerialize: ({ chunk }) => batchAppend.requestSerialize(chunk),
  requestDeserialize: batchRequestOf,
}

/** EventStoreDB's service of streams, whose reads may be answered in bytes. */
export const streamsService = { ...services.StreamsService, read: takingBytes, batchAppend: withPatience }
