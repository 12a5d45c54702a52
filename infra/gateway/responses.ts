import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'

/** Ticks are 100 nanoseconds since 1970. */
export const ticksOf = (millis: number): string => `${millis}0000`

export const streamIdentifier = (name: string): shared.StreamIdentifier => {
  const identifier = new shared.StreamIdentifier()
  identifier.setStreamName(Buffer.from(name))
  return identifier
}

export const uuidText = (id: string): shared.UUID => {
  const uuid = new shared.UUID()
  uuid.setString(id)
  return uuid
}

export const confirmation = (id: string): streams.ReadResp => {
  const confirmed = new streams.ReadResp.SubscriptionConfirmation()
  confirmed.setSubscriptionId(id)
  const response = new streams.ReadResp()
  response.setConfirmation(confirmed)
  return response
}

export const checkpointReached = (position: number): streams.ReadResp => {
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

export const firstRevision = (revision: number): streams.ReadResp => {
  const response = new streams.ReadResp()
  response.setFirstStreamPosition(String(revision))
  return response
}

export const lastRevision = (revision: number): streams.ReadResp => {
  const response = new streams.ReadResp()
  response.setLastStreamPosition(String(revision))
  return response
}
