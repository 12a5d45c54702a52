import { isUtf8 } from 'node:buffer'
import type { IHeaders, KafkaMessage } from 'kafkajs'
import type { BrokerRecord, ProducerRecord, RawKeyAndHeaders } from '../../../src/ports/broker.ts'

const noValue = Buffer.alloc(0)

export const createRecordReader = (
  topic: string,
  partition: number,
): ((message: KafkaMessage) => BrokerRecord) => {
  // Records that Kafka took together share their time: most conversions are the last one again.
  let millis = ''
  let timestamp = ''
  return (message) => {
    if (message.timestamp !== millis) {
      millis = message.timestamp
      timestamp = isoOf(Number(millis))
    }
    const { key, headers = {} } = message
    const raw = isText(key, headers) ? undefined : rawOf(key, headers)
    return {
      topic,
      partition,
      offset: BigInt(message.offset),
      key: key === null ? null : key.toString(),
      headers: headersOf(headers),
      // A tombstone is a record without a value: to us it is an empty one.
      value: message.value ?? noValue,
      ...(raw && { raw }),
      timestamp,
    }
  }
}

/** -1 is Kafka's word for a time it does not know; beyond ±8.64e15 there is no date. */
const isoOf = (millis: number): string => new Date(Math.abs(millis) <= 8.64e15 ? millis : 0).toISOString()

const headersOf = (headers: IHeaders): Readonly<Record<string, string>> => {
  const texts: Record<string, string> = {}
  for (const name in headers) texts[name] = valuesOf(headers[name]).at(-1)?.toString() ?? ''
  return texts
}

/**
 * Kafka allows a name more than once and a header without a value: as text the last one counts, and no value is an empty
 * one. kafkajs puts what every object inherits (`constructor`) before the first value of a header of that name.
 */
const valuesOf = (value: IHeaders[string] | null): readonly Buffer[] => {
  if (Buffer.isBuffer(value)) return [value]
  const values: readonly unknown[] = Array.isArray(value) ? value : [value ?? noValue]
  return values.flatMap((one) => {
    if (one === null) return [noValue]
    if (typeof one === 'string') return [Buffer.from(one)]
    return Buffer.isBuffer(one) ? [one] : []
  })
}

/** True where text says all, so that it can be sent again as it came. An object takes no name `__proto__`. */
const isText = (key: Buffer | null, headers: IHeaders): boolean => {
  if (key !== null && !isUtf8(key)) return false
  for (const name in headers) {
    const values = valuesOf(headers[name])
    if (values.length !== 1 || !isUtf8(values[0]!) || name === '__proto__') return false
  }
  return true
}

const rawOf = (key: Buffer | null, headers: IHeaders): RawKeyAndHeaders => ({
  key,
  headers: Object.entries(headers).flatMap(([name, value]) =>
    valuesOf(value).map((one) => ({ name, value: one })),
  ),
})

export const keyAndHeaders = ({
  key,
  headers,
  raw,
}: ProducerRecord): { key: string | Buffer | null; headers: IHeaders } => {
  if (!raw) return { key, headers }
  const byName = Map.groupBy(raw.headers, ({ name }) => name)
  return {
    key: raw.key && Buffer.from(raw.key),
    headers: Object.fromEntries(
      Array.from(byName, ([name, some]) => [name, some.map(({ value }) => Buffer.from(value))]),
    ),
  }
}

/** Byte values are copied: the producer may use its buffer again once its call was made. */
export const copyOf = (value: string | Uint8Array): string | Buffer =>
  typeof value === 'string' ? value : Buffer.from(value)

/** What a record takes at most beside key, headers and value: its lengths, and the head of the batch it is in. */
const overhead = 100
const headerOverhead = 10

/** Bytes that a record takes in Kafka, at most. */
export const bytesOf = ({ key, headers, value, raw }: ProducerRecord): number => {
  let bytes = overhead + sizeOf((raw ? raw.key : key) ?? '') + sizeOf(value)
  const add = (name: string, one: string | Uint8Array) => {
    bytes += headerOverhead + sizeOf(name) + sizeOf(one)
  }
  if (raw) for (const header of raw.headers) add(header.name, header.value)
  else for (const name in headers) add(name, headers[name]!)
  return bytes
}

const sizeOf = (value: string | Uint8Array): number =>
  typeof value === 'string' ? Buffer.byteLength(value) : value.byteLength
