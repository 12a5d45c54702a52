import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { contentTypeOf, dataBytes, isForeign, metadataBytes } from '../event-store/sqlite/encoding.ts'
import type { LogRow } from './log.ts'

/** Ticks are 100 nanoseconds since 1970. */
export const ticksOf = (millis: number): string => `${millis}0000`

export const streamIdentifier = (name: string): shared.StreamIdentifier => {
  const identifier = new shared.StreamIdentifier()
  identifier.setStreamName(Buffer.from(name))
  return identifier
}

export const eventResponse = (row: LogRow, uuid: (id: string) => shared.UUID): streams.ReadResp => {
  const [position, stream, revision, id, type, recordedAt, data, metadata, encoding] = row
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
  recorded.setId(uuid(id))
  recorded.setStreamIdentifier(streamIdentifier(stream))
  recorded.setStreamRevision(String(revision))
  recorded.setCommitPosition(String(position))
  recorded.setPreparePosition(String(position))
  const headers = recorded.getMetadataMap()
  headers.set('type', type)
  headers.set('created', ticksOf(recordedAt))
  headers.set('content-type', contentTypeOf(encoding))
  recorded.setData(dataBytes(data, encoding))
  recorded.setCustomMetadata(
    isForeign(encoding) ? metadataBytes(metadata, encoding) : Buffer.from(withReservedNames(metadata)),
  )
  const event = new streams.ReadResp.ReadEvent()
  event.setEvent(recorded)
  event.setCommitPosition(String(position))
  const response = new streams.ReadResp()
  response.setEvent(event)
  return response
}

/** EventStoreDB's tools follow conversations by names of their own. */
const withReservedNames = (metadata: string): string => {
  const { correlationId, causationId } = JSON.parse(metadata)
  return `${metadata.slice(0, -1)},"$correlationId":${JSON.stringify(correlationId)},"$causationId":${JSON.stringify(causationId)}}`
}

export const uuidText = (id: string): shared.UUID => {
  const uuid = new shared.UUID()
  uuid.setString(id)
  return uuid
}

export const uuidHalves = (id: string): shared.UUID => {
  const hex = id.replaceAll('-', '')
  const half = (text: string) => BigInt.asIntN(64, BigInt(`0x${text}`)).toString()
  const halves = new shared.UUID.Structured()
  halves.setMostSignificantBits(half(hex.slice(0, 16)))
  halves.setLeastSignificantBits(half(hex.slice(16)))
  const uuid = new shared.UUID()
  uuid.setStructured(halves)
  return uuid
}

export const confirmation = (id: string): streams.ReadResp => {
  const confirmed = new streams.ReadResp.SubscriptionConfirmation()
  confirmed.setSubscriptionId(id)
  const response = new streams.ReadResp()
  response.setConfirmation(confirmed)
  return response
}

export const checkpoint = (position: number): streams.ReadResp => {
  const reached = new streams.ReadResp.Checkpoint()
  reached.setCommitPosition(String(position))
  reached.setPreparePosition(String(position))
  const response = new streams.ReadResp()
  response.setCheckpoint(reached)
  return response
}

export const caughtUp = (): streams.ReadResp => {
  const response = new streams.ReadResp()
  response.setCaughtUp(new streams.ReadResp.CaughtUp())
  return response
}

export const streamNotFound = (name: string): streams.ReadResp => {
  const missing = new streams.ReadResp.StreamNotFound()
  missing.setStreamIdentifier(streamIdentifier(name))
  const response = new streams.ReadResp()
  response.setStreamNotFound(missing)
  return response
}
