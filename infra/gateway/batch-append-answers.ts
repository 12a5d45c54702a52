import code from '@eventstore/db-client/generated/code_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import statuses from '@eventstore/db-client/generated/status_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import any from 'google-protobuf/google/protobuf/any_pb.js'
import empty from 'google-protobuf/google/protobuf/empty_pb.js'
import type { Appended } from '../../src/ports/event-store.ts'
import { type Refusal, Refused } from './refused.ts'
import { streamIdentifier, uuidText } from './responses.ts'

/** Clients find the stream's name in every answer, and cannot do without it in one that refuses. */
const answerTo = (id: string, stream: string): streams.BatchAppendResp => {
  const response = new streams.BatchAppendResp()
  response.setCorrelationId(uuidText(id))
  response.setStreamIdentifier(streamIdentifier(stream))
  return response
}

export const appendedAnswer = (
  id: string,
  stream: string,
  { revision, position }: Appended,
): streams.BatchAppendResp => {
  const success = new streams.BatchAppendResp.Success()
  if (revision < 0n) success.setNoStream(new empty.Empty())
  else success.setCurrentRevision(revision.toString())
  if (position < 0n) success.setNoPosition(new empty.Empty())
  else {
    const place = new shared.AllStreamPosition()
    place.setCommitPosition(position.toString())
    place.setPreparePosition(position.toString())
    success.setPosition(place)
  }
  const response = answerTo(id, stream)
  response.setSuccess(success)
  return response
}

export const refusedAnswer = (id: string, stream: string, refusal: Refusal): streams.BatchAppendResp => {
  const [number, type, bytes] = detailsOf(refusal)
  const details = new any.Any()
  details.pack(bytes, `event_store.client.${type}`)
  const status = new statuses.Status()
  status.setCode(number)
  status.setMessage(new Refused(refusal).message)
  status.setDetails(details)
  const response = answerTo(id, stream)
  response.setError(status)
  return response
}

/** The client reads the details' type, whatever it is: a status without them would break it. */
const detailsOf = (refusal: Refusal): [code: code.Code, type: string, details: Uint8Array] => {
  switch (refusal.kind) {
    case 'Conflict':
      return [code.Code.ALREADY_EXISTS, 'WrongExpectedVersion', wrongVersion(refusal).serializeBinary()]
    case 'StreamDeleted': {
      const deleted = new shared.StreamDeleted()
      deleted.setStreamIdentifier(streamIdentifier(refusal.stream))
      return [code.Code.FAILED_PRECONDITION, 'StreamDeleted', deleted.serializeBinary()]
    }
    case 'TooLarge': {
      const large = new shared.MaximumAppendSizeExceeded()
      large.setMaxappendsize(refusal.limit)
      return [code.Code.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', large.serializeBinary()]
    }
    case 'AccessDenied':
    case 'Unauthenticated':
      return [code.Code.PERMISSION_DENIED, 'AccessDenied', new shared.AccessDenied().serializeBinary()]
    case 'Invalid': {
      const bad = new shared.BadRequest()
      bad.setMessage(refusal.reason)
      return [code.Code.INVALID_ARGUMENT, 'BadRequest', bad.serializeBinary()]
    }
    case 'Unavailable':
      return [code.Code.DEADLINE_EXCEEDED, 'Timeout', new shared.Timeout().serializeBinary()]
    case 'Failed':
      return [code.Code.INTERNAL, 'Unknown', new shared.Unknown().serializeBinary()]
  }
}

const wrongVersion = ({ expected, actual }: Extract<Refusal, { kind: 'Conflict' }>) => {
  const wrong = new shared.WrongExpectedVersion()
  if (actual === 'none') wrong.setCurrentNoStream(new empty.Empty())
  else wrong.setCurrentStreamRevision(actual.toString())
  if (expected === 'none') wrong.setExpectedNoStream(new empty.Empty())
  else if (expected === 'any') wrong.setExpectedAny(new empty.Empty())
  else if (expected === 'exists') wrong.setExpectedStreamExists(new empty.Empty())
  else wrong.setExpectedStreamPosition(expected.toString())
  return wrong
}
