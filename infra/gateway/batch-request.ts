import streams from '@eventstore/db-client/generated/streams_pb.js'
import protobuf from 'google-protobuf'

/** A chunk of `Streams.BatchAppend`. */
export interface BatchRequest {
  readonly chunk: streams.BatchAppendReq
  /** Milliseconds from its arrival on that the sender waits; undefined where it names none, or a time of its clock. */
  readonly patience: number | undefined
}

/*
 * Numbers of fields. The generated classes are older than the duration: they know a deadline as a time of the sender's clock
 * alone. Newer clients send a duration to servers that have the feature `deadline_duration`.
 */
const optionsField = 2
const durationField = 7
const secondsField = 1
const nanosField = 2

export const batchRequestOf = (bytes: Uint8Array): BatchRequest => ({
  chunk: streams.BatchAppendReq.deserializeBinary(bytes),
  patience: patienceIn(bytes),
})

const patienceIn = (bytes: Uint8Array): number | undefined => {
  let patience: number | undefined
  eachField(bytes, optionsField, (options) =>
    eachField(options.readBytes(), durationField, (duration) => {
      patience = millisOf(duration.readBytes())
    }),
  )
  return patience
}

const millisOf = (duration: Uint8Array): number => {
  let millis = 0
  eachField(duration, secondsField, (seconds) => {
    millis += seconds.readInt64() * 1000
  })
  eachField(duration, nanosField, (nanos) => {
    millis += nanos.readInt32() / 1e6
  })
  return millis
}

/** Calls `take` with the reader standing at each field of this number. */
const eachField = (bytes: Uint8Array, field: number, take: (reader: protobuf.BinaryReader) => void): void => {
  const reader = new protobuf.BinaryReader(bytes)
  while (reader.nextField() && !reader.isEndGroup()) {
    if (reader.getFieldNumber() === field) take(reader)
    else reader.skipField()
  }
}
