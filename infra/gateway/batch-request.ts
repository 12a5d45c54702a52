import streams from '@eventstore/db-client/generated/streams_pb.js'
import { ProtobufReader } from '../protobuf/reader.ts'

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
  const reader = new ProtobufReader(bytes)
  let patience: number | undefined
  reader.each(undefined, (field, tag) => {
    if (field !== optionsField) reader.skip(tag)
    else
      reader.each(reader.end(), (option, optionTag) => {
        if (option === durationField) patience = readMillis(reader)
        else reader.skip(optionTag)
      })
  })
  return patience
}

const readMillis = (reader: ProtobufReader): number => {
  let millis = 0
  reader.each(reader.end(), (field, tag) => {
    if (field === secondsField) millis += Number(BigInt.asIntN(64, reader.integer())) * 1000
    else if (field === nanosField) millis += Number(BigInt.asIntN(32, reader.integer())) / 1e6
    else reader.skip(tag)
  })
  return millis
}
