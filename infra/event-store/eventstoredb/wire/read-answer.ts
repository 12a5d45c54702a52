import { ProtobufReader } from '../../../protobuf/reader.ts'

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
  /** Text if the content type is JSON and no bytes were asked for. */
  readonly data: string | Uint8Array
  /** Empty if there are none. Bytes that are not UTF-8 are not JSON, either. */
  readonly metadata: string
  /** As they came; undefined unless asked for. */
  readonly bytes: { readonly data: Uint8Array; readonly metadata: Uint8Array } | undefined
}

/** An event, with the link that led to it. */
export interface Resolved {
  readonly event: StoredEvent | undefined
  readonly link: StoredEvent | undefined
  readonly position: bigint | undefined
}

/** Messages of the server between events, in order with them. */
export type Marker =
  | { readonly kind: 'confirmed' | 'notFound' }
  /** The log was searched up to here: all matching events came before. */
  | { readonly kind: 'checkpoint'; readonly position: bigint }
  /** Nothing more was waiting. Older servers (22.10) never send it. */
  | { readonly kind: 'caughtUp' }
  /**
   * More events came than the reader consumed while it was live: they are sent from the log again. Only 24.10 sends it.
   */
  | { readonly kind: 'fellBehind' }
  | { readonly kind: 'other' }

export type Answer = Resolved | Marker

/** Throws if the bytes are no valid response, or an event lacks its id or its stream. */
export const decodeAnswer = (bytes: Uint8Array): Answer => answerIn(bytes, false)

/** The same, with the bytes of data and metadata. */
export const decodeStoredAnswer = (bytes: Uint8Array): Answer => answerIn(bytes, true)

const answerIn = (bytes: Uint8Array, withBytes: boolean): Answer => {
  const reader = new ProtobufReader(bytes)
  let answer: Answer = { kind: 'other' }
  reader.each(undefined, (field, tag) => {
    if (field === 1) answer = readResolved(reader, reader.end(), withBytes)
    else if (field === 3) answer = { kind: 'checkpoint', position: readPosition(reader, reader.end()) }
    else {
      if (field === 2) answer = { kind: 'confirmed' }
      if (field === 4) answer = { kind: 'notFound' }
      if (field === 8) answer = { kind: 'caughtUp' }
      if (field === 9) answer = { kind: 'fellBehind' }
      reader.skip(tag)
    }
  })
  return answer
}

/** Reads the first field: the commit position. */
const readPosition = (reader: ProtobufReader, end: number): bigint => {
  let position = 0n
  reader.each(end, (field, tag) => {
    if (field === 1) position = reader.integer()
    else reader.skip(tag)
  })
  return position
}

const readResolved = (reader: ProtobufReader, end: number, withBytes: boolean): Resolved => {
  let event: StoredEvent | undefined
  let link: StoredEvent | undefined
  let position: bigint | undefined
  while (reader.isBefore(end)) {
    const tag = reader.tag()
    if (tag === 10) event = readEvent(reader, reader.end(), withBytes)
    else if (tag === 18) link = readEvent(reader, reader.end(), false)
    else if (tag === 24) position = reader.integer()
    else reader.skip(tag)
  }
  return { event, link, position }
}

export const json = 'application/json'
const nothing = Buffer.alloc(0)

const readEvent = (reader: ProtobufReader, end: number, withBytes: boolean): StoredEvent => {
  let id: string | undefined
  let stream: string | undefined
  let revision = 0n
  let position = 0n
  let type = '<no-event-type-provided>'
  let contentType = 'application/octet-stream'
  let created = ''
  let metadata = ''
  let metadataBytes: Buffer = nothing
  let data: Buffer = nothing
  while (reader.isBefore(end)) {
    const tag = reader.tag()
    switch (tag >>> 3) {
      case 1:
        id = readText(reader, 2)
        break
      case 2:
        stream = readText(reader, 3) ?? ''
        break
      case 3:
        revision = reader.integer()
        break
      case 5:
        position = reader.integer()
        break
      case 6: {
        const header = readHeader(reader, reader.end())
        if (header.name === 'type') type = header.value
        else if (header.name === 'content-type') contentType = header.value
        else if (header.name === 'created') created = header.value
        break
      }
      case 7:
        if (withBytes) metadataBytes = reader.bytes()
        else metadata = reader.text()
        break
      case 8:
        // Decoded once the content type is known.
        data = reader.bytes()
        break
      default:
        reader.skip(tag)
    }
  }
  if (id === undefined) throw new Error('an event has no id')
  if (stream === undefined) throw new Error('an event has no stream')
  const event = { id, stream, revision, position, type, contentType, created }
  if (withBytes)
    return { ...event, data, metadata: metadataBytes.toString(), bytes: { data, metadata: metadataBytes } }
  return { ...event, data: contentType === json ? data.toString() : data, metadata, bytes: undefined }
}

/** Reads the text in a field of a message. */
const readText = (reader: ProtobufReader, wanted: number): string | undefined => {
  const end = reader.end()
  let text: string | undefined
  while (reader.isBefore(end)) {
    const tag = reader.tag()
    if (tag >>> 3 === wanted) text = reader.text()
    else reader.skip(tag)
  }
  return text
}

const readHeader = (
  reader: ProtobufReader,
  end: number,
): { readonly name: string; readonly value: string } => {
  let name = ''
  let value = ''
  while (reader.isBefore(end)) {
    const tag = reader.tag()
    if (tag === 10) name = reader.text()
    else if (tag === 18) value = reader.text()
    else reader.skip(tag)
  }
  return { name, value }
}
