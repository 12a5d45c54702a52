import type { AllStreamResolvedEvent, JSONEventData, Position, ResolvedEvent } from '@eventstore/db-client'
import type { NewEvent, RecordedEvent } from '../../../src/domain/kernel/event.ts'
import { decodeUtf8 } from '../../../src/domain/kernel/json-text.ts'
import { metadataOf, originalTimeOf } from '../foreign-metadata.ts'

/** An event as the client sends it, and the bytes that the server counts for it. */
interface EncodedEvent {
  readonly event: JSONEventData
  readonly bytes: number
}

/**
 * Metadata are stored whole, with the two names by which EventStoreDB's own tools follow a conversation. Throws where
 * data cannot be written as JSON, which is a bug.
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
const maxPosition = 2n ** 63n - 1n

/** EventStoreDB 24.10 says 2^64−1 for "nowhere yet". As a position it would skip all events to come. */
export const isPosition = (position: bigint): boolean => position <= maxPosition

/** In the whole log, whether the event is shown or not; undefined for a link that leads nowhere. */
export const positionOf = ({ event, link, commitPosition }: AllStreamResolvedEvent | ResolvedEvent) => {
  const position = event?.position?.commit ?? commitPosition ?? link?.position?.commit
  return position !== undefined && isPosition(position) ? position : undefined
}

/** A position as the client takes it. */
export const clientPosition = (position: bigint): Position => {
  const known = position < maxPosition ? position : maxPosition
  return { commit: known, prepare: known }
}

/** Undefined for the server's own events. Never throws, whoever wrote the event. */
export const decodeEvent = (resolved: AllStreamResolvedEvent | ResolvedEvent): RecordedEvent | undefined => {
  const { event } = resolved
  const position = positionOf(resolved)
  if (!event || position === undefined || event.streamId.startsWith('$') || event.type.startsWith('$'))
    return undefined
  // Metadata in bytes are no JSON object.
  const stored = event.metadata instanceof Uint8Array ? undefined : event.metadata
  return {
    id: event.id,
    type: event.type,
    stream: event.streamId,
    revision: event.revision,
    position,
    recordedAt: originalTimeOf(stored) ?? creationTime(event.created),
    data: event.isJson ? event.data : dataOf(event.data),
    metadata: metadataOf(stored),
  }
}

/** Bytes that are not declared to be JSON may be nonetheless. */
const dataOf = (data: unknown): unknown => {
  if (!(data instanceof Uint8Array)) return data
  try {
    return JSON.parse(decodeUtf8(data) ?? '')
  } catch {
    return { $base64: Buffer.from(data).toString('base64') }
  }
}

const creationTime = (created: Date): string =>
  Number.isNaN(created.getTime()) ? new Date(0).toISOString() : created.toISOString()
