import { isUtf8 } from 'node:buffer'
import type { IHeaders, KafkaMessage } from 'kafkajs'
import type { BrokerRecord, ProducerRecord, RawKeyAndHeaders } from '../../../src/ports/broker.ts'

const noValue = Buffer.alloc(0)

export const createRecordReader = (
  topic: string,
  partition: number,
): ((message: KafkaMessage) => BrokerRecord) => {
  // Records that were appended together share their time, so the last conversion is kept.
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
      // A tombstone is a record without a value. Here its value is empty.
      value: message.value ?? noValue,
      ...(raw && { raw }),
      timestamp,
    }
  }
}

/** Kafka gives -1 for an unknown time; beyond ±8.64e15 there is no date. */
const isoOf = (millis: number): string => new Date(Math.abs(millis) <= 8.64e15 ? millis : 0).toISOString()

const headersOf = (headers: IHeaders): Readonly<Record<string, string>> => {
  const texts: Record<string, string> = {}
  for (const name in headers) {
    const last = valuesOf(headers[name]).at(-1)
    if (last) texts[name] = last.toString()
  }
  return texts
}

/**
 * Kafka allows a name more than once, of which the last one counts as text; and a header without a value, which is none:
 * kafkajs cannot write it. kafkajs puts an object's inherited property (`constructor`) before the first value of a header
 * of that name.
 */
const valuesOf = (value: IHeaders[string] | null): readonly Buffer[] => {
  if (Buffer.isBuffer(value)) return [value]
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.flatMap((one) => {
    if (typeof one === 'string') return [Buffer.from(one)]
    return Buffer.isBuffer(one) ? [one] : []
  })
}

/** True where the record can be sent again from its text alone. An object cannot have a key `__proto__`. */
const isText = (key: Buffer | null, headers: IHeaders): boolean => {
  if (key !== null && !isUtf8(key)) return false
  for (const name in headers) {
    const values = valuesOf(headers[name])
    if (values.length > 1 || name === '__proto__') return false
    if (values.length === 1 && !isUtf8(values[0]!)) return false
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

/** Bytes of a record beside key, headers and value, at most: its lengths, and the header of its batch. */
const overhead = 100
const headerOverhead = 10

/** Bytes of a record in Kafka, at most. */
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
