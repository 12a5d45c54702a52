import type { AllStreamResolvedEvent, JSONEventData, Position, ResolvedEvent } from '@eventstore/db-client'
import type { NewEvent, RecordedEvent } from '../../../src/domain/kernel/event.ts'
import { metadataOf, originalTime } from '../foreign-metadata.ts'

/** An event as the client sends it, and the bytes that the server counts for it. */
export interface EncodedEvent {
  readonly event: JSONEventData
  readonly bytes: number
}

/**
 * Metadata are stored whole, and beside them the two names by which EventStoreDB's own tools follow a conversation.
 * Throws where data are not JSON: a bug, as in any store.
 */
export const encodeEvent = ({ id, type, data = null, metadata }: NewEvent): EncodedEvent => {
  const stored = {
    ...metadata,
    $correlationId: metadata.correlationId,
    $causationId: metadata.causationId,
  }
  const text = JSON.stringify(data)
  if (text === undefined) throw new TypeError(`the data of ${type} cannot be written as JSON`)
  return {
    event: {
      id,
      type,
      contentType: 'application/json',
      data: data as JSONEventData['data'],
      metadata: stored,
    },
    // The server counts type names in UTF-16.
    bytes: Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(stored)) + 2 * type.length,
  }
}

/** No log has more bytes. */
const farthest = 2n ** 63n - 1n

/** EventStoreDB 24.10 says 2^64−1 for "nowhere yet". Whoever took that for a place would skip all that comes. */
export const isPlace = (position: bigint): boolean => position <= farthest

/** Place in the whole log of whatever was read, shown or not; undefined for a link that leads nowhere. */
export const positionOf = ({ event, link, commitPosition }: AllStreamResolvedEvent | ResolvedEvent) => {
  const position = event?.position?.commit ?? commitPosition ?? link?.position?.commit
  return position !== undefined && isPlace(position) ? position : undefined
}

/** A position as the client takes it. */
export const placeAt = (position: bigint): Position => {
  const place = position < farthest ? position : farthest
  return { commit: place, prepare: place }
}

/** Undefined for the server's own events, which are nobody's business. Never throws, whoever wrote the event. */
export const decodeEvent = (resolved: AllStreamResolvedEvent | ResolvedEvent): RecordedEvent | undefined => {
  const { event } = resolved
  const position = positionOf(resolved)
  if (!event || position === undefined || event.streamId.startsWith('$') || event.type.startsWith('$'))
    return undefined
  const stored = isObject(event.metadata) ? event.metadata : {}
  return {
    id: event.id,
    type: event.type,
    stream: event.streamId,
    revision: event.revision,
    position,
    recordedAt: timeOf(stored[originalTime]) ?? creationTime(event.created),
    data: event.isJson ? event.data : dataOf(event.data),
    metadata: metadataOf(stored),
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Bytes that are not declared to be JSON may be nonetheless. */
const dataOf = (data: unknown): unknown => {
  if (!(data instanceof Uint8Array)) return data
  try {
    return JSON.parse(utf8.decode(data))
  } catch {
    return { $base64: Buffer.from(data).toString('base64') }
  }
}

const canonicalTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/** Undefined for what is no time, or not written as ours are. */
const timeOf = (value: unknown): string | undefined =>
  typeof value === 'string' && canonicalTime.test(value) && !Number.isNaN(Date.parse(value))
    ? new Date(value).toISOString()
    : undefined

const creationTime = (created: Date): string =>
  Number.isNaN(created.getTime()) ? new Date(0).toISOString() : created.toISOString()

/** Metadata that are no JSON object, as bytes, say nothing to us. */
const isObject = (stored: unknown): stored is Readonly<Record<string, unknown>> =>
  typeof stored === 'object' && stored !== null && !(stored instanceof Uint8Array)
