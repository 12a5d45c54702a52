import protobuf from 'protobufjs/minimal.js'

/*
 * Decodes a `ReadResp`; the numbers are those of the message's fields. This is the hot path of reading a log: the client's
 * own decoding makes an object of each field and takes most of the time.
 */

/** An event as it is stored; `created` in ticks of 100 ns since 1970. */
export interface StoredEvent {
  readonly id: string
  readonly stream: string
  readonly revision: bigint
  readonly position: bigint
  readonly type: string
  readonly contentType: string
  readonly created: string
  /** Text if the content type is JSON. */
  readonly data: string | Uint8Array
  /** Empty if there are none. Bytes that are not UTF-8 are not JSON, either. */
  readonly metadata: string
}

/** An event, with the link that led to it. */
export interface Resolved {
  readonly event: StoredEvent | undefined
  readonly link: StoredEvent | undefined
  readonly position: bigint | undefined
}

/** Messages of the server between events, in order with them. */
export type Marker =
  | { readonly says: 'confirmed' | 'notFound' }
  /** The log was searched up to here: all matching events came before. */
  | { readonly says: 'checkpoint'; readonly position: bigint }
  /** Nothing more was waiting. Older servers (22.10) never send it. */
  | { readonly says: 'caughtUp' }
  /**
   * More events came than the reader consumed while it was live: they are sent from the log again. Only 24.10 sends it.
   */
  | { readonly says: 'fellBehind' }
  | { readonly says: 'other' }

export type Answer = Resolved | Marker

/** Throws if the bytes are no valid response, or an event lacks its id or its stream. */
export const decodeAnswer = (bytes: Uint8Array): Answer => {
  const reader = protobuf.Reader.create(bytes)
  let answer: Answer = { says: 'other' }
  eachField(reader, reader.len, (field, type) => {
    if (field === 1) answer = readResolved(reader, endOf(reader))
    else if (field === 3) answer = { says: 'checkpoint', position: readPosition(reader, endOf(reader)) }
    else {
      if (field === 2) answer = { says: 'confirmed' }
      if (field === 4) answer = { says: 'notFound' }
      if (field === 8) answer = { says: 'caughtUp' }
      if (field === 9) answer = { says: 'fellBehind' }
      reader.skipType(type)
    }
  })
  return answer
}

/** Returns the end of a message that begins here with its length. */
export const endOf = (reader: protobuf.Reader): number => reader.uint32() + reader.pos

/** Calls `take` at each field up to `end`; it must read the field or skip it. */
export const eachField = (
  reader: protobuf.Reader,
  end: number,
  take: (field: number, type: number) => void,
): void => {
  while (reader.pos < end) {
    const tag = reader.uint32()
    take(tag >>> 3, tag & 7)
  }
}

/** Reads an unsigned 64-bit number. */
export const readWhole = (reader: protobuf.Reader): bigint => {
  const bits: number | { readonly low: number; readonly high: number } = reader.uint64()
  if (typeof bits === 'number') return BigInt(bits)
  const low = BigInt(bits.low >>> 0)
  return bits.high === 0 ? low : (BigInt(bits.high >>> 0) << 32n) | low
}

/** Reads the first field: the commit position. */
const readPosition = (reader: protobuf.Reader, end: number): bigint => {
  let position = 0n
  eachField(reader, end, (field, type) => {
    if (field === 1) position = readWhole(reader)
    else reader.skipType(type)
  })
  return position
}

const readResolved = (reader: protobuf.Reader, end: number): Resolved => {
  let event: StoredEvent | undefined
  let link: StoredEvent | undefined
  let position: bigint | undefined
  while (reader.pos < end) {
    const tag = reader.uint32()
    if (tag === 10) event = readEvent(reader, endOf(reader))
    else if (tag === 18) link = readEvent(reader, endOf(reader))
    else if (tag === 24) position = readWhole(reader)
    else reader.skipType(tag & 7)
  }
  return { event, link, position }
}

const json = 'application/json'

const readEvent = (reader: protobuf.Reader, end: number): StoredEvent => {
  let id: string | undefined
  let stream: string | undefined
  let revision = 0n
  let position = 0n
  let type = '<no-event-type-provided>'
  let contentType = 'application/octet-stream'
  let created = ''
  let metadata = ''
  let dataAt: number | undefined
  while (reader.pos < end) {
    const tag = reader.uint32()
    switch (tag >>> 3) {
      case 1:
        id = readText(reader, 2)
        break
      case 2:
        stream = readText(reader, 3) ?? ''
        break
      case 3:
        revision = readWhole(reader)
        break
      case 5:
        position = readWhole(reader)
        break
      case 6: {
        const header = readHeader(reader, endOf(reader))
        if (header.name === 'type') type = header.value
        else if (header.name === 'content-type') contentType = header.value
        else if (header.name === 'created') created = header.value
        break
      }
      case 7:
        metadata = reader.string()
        break
      case 8:
        // Read once the content type is known.
        dataAt = reader.pos
        reader.skipType(2)
        break
      default:
        reader.skipType(tag & 7)
    }
  }
  if (id === undefined) throw new Error('an event has no id')
  if (stream === undefined) throw new Error('an event has no stream')
  const data = readData(reader, dataAt, contentType === json)
  reader.pos = end
  return { id, stream, revision, position, type, contentType, created, data, metadata }
}

const readData = (reader: protobuf.Reader, at: number | undefined, isText: boolean): string | Uint8Array => {
  if (at === undefined) return isText ? '' : new Uint8Array()
  reader.pos = at
  return isText ? reader.string() : reader.bytes()
}

/** Reads the text in a field of a message. */
const readText = (reader: protobuf.Reader, wanted: number): string | undefined => {
  const end = endOf(reader)
  let text: string | undefined
  while (reader.pos < end) {
    const tag = reader.uint32()
    if (tag >>> 3 === wanted) text = reader.string()
    else reader.skipType(tag & 7)
  }
  return text
}

const readHeader = (
  reader: protobuf.Reader,
  end: number,
): { readonly name: string; readonly value: string } => {
  let name = ''
  let value = ''
  while (reader.pos < end) {
    const tag = reader.uint32()
    if (tag === 10) name = reader.string()
    else if (tag === 18) value = reader.string()
    else reader.skipType(tag & 7)
  }
  return { name, value }
}
