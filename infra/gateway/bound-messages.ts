import protobuf from 'google-protobuf'
import { ProtobufReader } from '../protobuf/reader.ts'

const lengthDelimited = 2
let isBounded = false

/**
 * Makes google-protobuf refuse a message that is longer than the bytes that hold it; the caller of `deserializeBinary`
 * gets a RangeError. Version 3.21.4 believes the length, and reads behind the bytes for as long as it says. Changes the
 * library for the whole process, once.
 */
export const boundMessages = (): void => {
  if (isBounded) return
  isBounded = true
  const reading = protobuf.BinaryReader.prototype
  const { readMessage } = reading
  reading.readMessage = function (...message) {
    new ProtobufReader(this.getBuffer().subarray(this.getCursor())).skip(lengthDelimited)
    readMessage.apply(this, message)
  }
}
