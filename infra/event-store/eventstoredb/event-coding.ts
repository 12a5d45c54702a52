import type { NewEvent, RecordedEvent } from '../../../src/domain/kernel/event.ts'
import { metadataOf, originalTimeOf } from '../../../src/domain/kernel/foreign-metadata.ts'
import { decodeUtf8 } from '../../../src/domain/kernel/json-text.ts'
import { withReservedNames } from '../../../src/domain/kernel/proof/own-metadata.ts'
import {
  type StoredBytes,
  type StoredContent,
  type StoredEvent,
  sizeOfStored,
  storedText,
} from '../../../src/domain/kernel/stored-event.ts'
import type { EventBytes } from '../../../src/ports/event-store.ts'
import { type Answer, decodeAnswer, decodeStoredAnswer, json, type Resolved } from './wire/read-answer.ts'

/** An event as it is sent. */
export interface EncodedEvent {
  readonly id: string
  readonly type: string
  readonly data: StoredBytes
  readonly metadata: StoredBytes
  readonly isJson: boolean
  /** Size that the server counts for it. */
  readonly bytes: number
}

/** Metadata are stored whole, with the two names by which EventStoreDB's own tools follow a correlation. */
export const storedMetadata = (metadata: NewEvent['metadata']) => ({
  ...metadata,
  $correlationId: metadata.correlationId,
  $causationId: metadata.causationId,
})

/** Throws if the data cannot be encoded as JSON, which is a bug. */
export const encodeEvent = ({ id, type, data = null, json, metadata }: NewEvent): EncodedEvent => {
  const text = json ?? JSON.stringify(data)
  if (text === undefined) throw new TypeError(`the data of ${type} cannot be written as JSON`)
  const stored = JSON.stringify(storedMetadata(metadata))
  // The server counts type names in UTF-16.
  const bytes = Buffer.byteLength(text) + Buffer.byteLength(stored) + 2 * type.length
  return { id, type, data: text, metadata: stored, isJson: true, bytes }
}

/** Encodes an event of another log. */
export const encodeStored = (event: StoredContent): EncodedEvent => {
  const text = storedText(event.metadata)
  const metadata = text === undefined ? event.metadata : withReservedNames(text)
  return { ...event, metadata, bytes: sizeOfStored({ data: event.data, metadata }) + 2 * event.type.length }
}

/** A log has fewer bytes. */
const maxPosition = 2n ** 63n - 1n

/** EventStoreDB 24.10 sends 2^64−1 for "no position yet". As a position it would skip all later events. */
export const isPosition = (position: bigint): boolean => position <= maxPosition

/** Limits a position to those that the server accepts. */
export const knownPosition = (position: bigint): bigint => (position < maxPosition ? position : maxPosition)

/**
 * Returns the position in the whole log, whether the event is shown or not; undefined for a link to a missing event.
 */
export const positionOf = ({ event, link, position: ownPosition }: Resolved): bigint | undefined => {
  const position = event?.position ?? ownPosition ?? link?.position
  return position !== undefined && isPosition(position) ? position : undefined
}

/** Returns undefined for the server's own events. Never throws, whoever wrote the event. */
export const decodeEvent = (resolved: Resolved): RecordedEvent | undefined => {
  const shown = shownIn(resolved)
  if (!shown) return undefined
  const { event, stored, place } = shown
  return { ...place, data: decodeData(event), metadata: metadataOf(stored) }
}

/** The same, from an answer that has the bytes. */
const decodeStored = (resolved: Resolved): StoredEvent | undefined => {
  const shown = shownIn(resolved)
  if (!shown?.event.bytes) return undefined
  const { event, place } = shown
  return { ...place, ...event.bytes!, isJson: event.contentType === json }
}

/** How answers are read. */
export interface Coding<A> {
  readonly answer: (bytes: Uint8Array) => Answer
  readonly event: (resolved: Resolved) => A | undefined
}

export const decodedEvents: Coding<RecordedEvent> = { answer: decodeAnswer, event: decodeEvent }
export const storedEvents: Coding<StoredEvent> = { answer: decodeStoredAnswer, event: decodeStored }
export const eventsWithBytes: Coding<RecordedEvent & { readonly bytes: EventBytes }> = {
  answer: decodeStoredAnswer,
  event: (resolved) => {
    const bytes = resolved.event?.bytes
    const event = bytes && decodeEvent(asDecoded(resolved, bytes))
    return event && { ...event, bytes }
  },
}

/** As an answer without bytes has it: data that are declared as JSON are text. */
const asDecoded = (resolved: Resolved, { data }: { readonly data: Uint8Array }): Resolved => {
  const { event } = resolved
  return event?.contentType === json
    ? { ...resolved, event: { ...event, data: Buffer.from(data).toString() } }
    : resolved
}

const shownIn = (resolved: Resolved) => {
  const { event } = resolved
  const position = positionOf(resolved)
  if (!event || position === undefined || event.stream.startsWith('$') || event.type.startsWith('$'))
    return undefined
  const { id, type, stream, revision } = event
  const stored = event.metadata === '' ? undefined : parsed(event.metadata, () => undefined)
  const recordedAt = originalTimeOf(stored) ?? creationTime(event.created)
  return { event, stored, place: { id, type, stream, revision, position, recordedAt } }
}

/** Bytes that are not declared as JSON may be JSON nonetheless; declared JSON may be invalid. */
export const decodeData = ({ data }: { readonly data: string | Uint8Array }): unknown =>
  typeof data === 'string'
    ? parsed(data, () => data)
    : parsed(decodeUtf8(data) ?? '', () => ({ $base64: Buffer.from(data).toString('base64') }))

const parsed = (text: string, otherwise: () => unknown): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise()
  }
}

/** The events of an append have the same creation time. */
let lastCreation = { created: '', time: new Date(0).toISOString() }

/** Converts ticks of 100 ns since 1970. */
const creationTime = (created: string): string => {
  if (created !== lastCreation.created) {
    const time = new Date(Number(created.slice(0, -4)))
    lastCreation = { created, time: (Number.isNaN(time.getTime()) ? new Date(0) : time).toISOString() }
  }
  return lastCreation.time
}
