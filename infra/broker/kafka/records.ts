import type { IHeaders, KafkaMessage } from 'kafkajs'
import type { BrokerRecord, ProducerRecord } from '../../../src/ports/broker.ts'

const noHeaders: Readonly<Record<string, string>> = Object.freeze({})
const noValue = Buffer.alloc(0)

/** Turns what Kafka hands over into records of one partition. */
export const recordReader = (topic: string, partition: number): ((message: KafkaMessage) => BrokerRecord) => {
  // Records that Kafka took together share their time: most conversions are the last one again.
  let millis = ''
  let timestamp = ''
  return (message) => {
    if (message.timestamp !== millis) {
      millis = message.timestamp
      timestamp = isoOf(Number(millis))
    }
    return {
      topic,
      partition,
      offset: BigInt(message.offset),
      key: message.key === null ? null : message.key.toString(),
      headers: message.headers === undefined ? noHeaders : headersOf(message.headers),
      // A tombstone is a record without a value: to us it is an empty one.
      value: message.value ?? noValue,
      timestamp,
    }
  }
}

/** -1 is Kafka's word for a time it does not know; beyond ±8.64e15 there is no date. */
const isoOf = (millis: number): string => new Date(Math.abs(millis) <= 8.64e15 ? millis : 0).toISOString()

const headersOf = (headers: IHeaders): Readonly<Record<string, string>> => {
  const texts: Record<string, string> = {}
  for (const name in headers) texts[name] = textOf(headers[name])
  return texts
}

/** Kafka allows a name more than once and a header without a value: the last one counts, and no value is an empty one. */
const textOf = (value: IHeaders[string] | null): string =>
  Array.isArray(value) ? textOf(value.at(-1)) : (value?.toString() ?? '')

/** Byte values are copied: the producer may use its buffer again once its call was made. */
export const copyOf = (value: string | Uint8Array): string | Buffer =>
  typeof value === 'string' ? value : Buffer.from(value)

/** What a record takes at most beside key, headers and value: its lengths, and the head of the batch it is in. */
const overhead = 100
const headerOverhead = 10

/** Bytes that a record takes in Kafka, at most. */
export const bytesOf = ({ key, headers, value }: ProducerRecord): number => {
  let bytes = overhead + sizeOf(key ?? '') + sizeOf(value)
  for (const name in headers) bytes += headerOverhead + sizeOf(name) + sizeOf(headers[name]!)
  return bytes
}

const sizeOf = (value: string | Uint8Array): number =>
  typeof value === 'string' ? Buffer.byteLength(value) : value.byteLength
