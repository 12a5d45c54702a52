import type { EventMetadata, NewEvent } from '../../../src/domain/kernel/event.ts'
import { metadataOf, originalTimeOf } from '../../../src/domain/kernel/foreign-metadata.ts'
import { asBytes, type StoredBytes, type StoredContent } from '../../../src/domain/kernel/stored-event.ts'
import { asBuffer, textOf } from '../../utf8.ts'

/*
 * `encoding` of a row of `events`. 0: Fonds wrote it, data and metadata are JSON text. Other programs write any bytes
 * through the gateway and get the same bytes back: their rows have the bit `foreign`, and the other bits where they apply.
 * JSON is stored as the text that was sent, everything else as base64.
 */
const dataIsBase64 = 1
const metadataIsBase64 = 2
const octetStream = 4
const foreign = 8

/** An event encoded before the transaction, so that the writer's lock is held for writing alone. */
export interface EncodedEvent {
  readonly id: string
  readonly type: string
  readonly data: string
  readonly metadata: string
  /** The bits above. */
  readonly encoding: number
}

export const encode = ({ id, type, data, json, metadata }: NewEvent): EncodedEvent => ({
  id,
  type,
  data: json ?? JSON.stringify(data ?? null),
  metadata: JSON.stringify(metadata),
  // Readers decode an original time only from events that have the bit.
  encoding: originalTimeOf(metadata) === undefined ? 0 : foreign,
})

export const sizeOf = (events: readonly EncodedEvent[]): number => {
  let bytes = 0
  for (const event of events) bytes += event.data.length + event.metadata.length
  return bytes
}

/** An event as another program sent it. */
export interface ForeignEvent {
  /** UUID, in lower case. */
  readonly id: string
  readonly type: string
  readonly contentType: 'application/json' | 'application/octet-stream'
  readonly data: Uint8Array
  /** Empty if there are none. */
  readonly metadata: Uint8Array
}

/** Includes the values that a reader decodes from the columns. */
export interface EncodedForeignEvent extends EncodedEvent {
  readonly values: { readonly data: unknown; readonly metadata: unknown }
}

export const encodeForeign = (event: ForeignEvent): EncodedForeignEvent => {
  const isJson = event.contentType === 'application/json'
  const data = (isJson ? asJson(event.data) : undefined) ?? asBase64(event.data)
  const metadata = asJson(event.metadata) ?? asBase64(event.metadata)
  return {
    id: event.id,
    type: event.type,
    data: data.text,
    metadata: metadata.text,
    encoding:
      foreign |
      (data.isJson ? 0 : dataIsBase64) |
      (metadata.isJson ? 0 : metadataIsBase64) |
      (isJson ? 0 : octetStream),
    values: {
      data: isJson && !data.isJson ? asBuffer(event.data).toString('utf8') : data.value,
      metadata: event.metadata.length === 0 ? undefined : metadata.value,
    },
  }
}

/** Encodes an event of another log. Bytes that are JSON are kept as text, however they were declared: servers read them so, too. */
export const encodeStored = ({ id, type, data, metadata, isJson }: StoredContent): EncodedEvent => {
  const contentType = isJson ? 'application/json' : 'application/octet-stream'
  const bytes = asBytes(data)
  const encoded = encodeForeign({ id, type, contentType, data: bytes, metadata: asBytes(metadata) })
  const text = isJson ? undefined : asJson(bytes)?.text
  return text === undefined ? encoded : { ...encoded, data: text, encoding: encoded.encoding & ~dataIsBase64 }
}

interface Column {
  readonly text: string
  readonly isJson: boolean
  readonly value: unknown
}

const asJson = (bytes: Uint8Array): Column | undefined => {
  const text = textOf(bytes)
  if (!text) return undefined
  try {
    return { text, isJson: true, value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

const asBase64 = (bytes: Uint8Array): Column => {
  const text = asBuffer(bytes).toString('base64')
  return { text, isJson: false, value: { $base64: text } }
}

export const isForeign = (encoding: number): boolean => encoding !== 0
export const contentTypeOf = (encoding: number): ForeignEvent['contentType'] =>
  encoding & octetStream ? 'application/octet-stream' : 'application/json'

/** Returns true if the column holds the original text, false if it holds base64. */
export const isDataText = (encoding: number): boolean => !(encoding & dataIsBase64)
export const isMetadataText = (encoding: number): boolean => !(encoding & metadataIsBase64)

/** The bytes of a column, as they were written. */
export const storedColumn = (text: string, isText: boolean): StoredBytes =>
  isText ? text : Buffer.from(text, 'base64')

/** Decodes data. Bytes become `{ "$base64": … }`; data that were declared as JSON but are invalid become text. */
export const dataValue = (data: string, encoding: number): unknown => {
  if (!(encoding & dataIsBase64)) return JSON.parse(data)
  return encoding & octetStream ? { $base64: data } : Buffer.from(data, 'base64').toString('utf8')
}

/** The original time of another program's event, if the log was copied. */
export const foreignTime = (metadata: string, encoding: number): string | undefined =>
  encoding & metadataIsBase64 ? undefined : originalTimeOf(JSON.parse(metadata))

/** Decodes another program's event. `recordedAt`: its original time, if the log was copied. */
export const foreignValues = (
  data: string,
  metadata: string,
  encoding: number,
): { data: unknown; metadata: EventMetadata; recordedAt: string | undefined } => {
  const stored: unknown = encoding & metadataIsBase64 ? undefined : JSON.parse(metadata)
  return { data: dataValue(data, encoding), metadata: metadataOf(stored), recordedAt: originalTimeOf(stored) }
}
