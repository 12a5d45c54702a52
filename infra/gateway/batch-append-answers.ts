import code from '@eventstore/db-client/generated/code_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import statuses from '@eventstore/db-client/generated/status_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import any from 'google-protobuf/google/protobuf/any_pb.js'
import empty from 'google-protobuf/google/protobuf/empty_pb.js'
import type { Appended } from '../../src/ports/event-store.ts'
import { CallFailed, type CallFailure } from './call-failure.ts'
import { streamIdentifier, uuidText } from './responses.ts'

/** Clients expect the stream's name in every answer, a failure included. */
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
    const logPosition = new shared.AllStreamPosition()
    logPosition.setCommitPosition(position.toString())
    logPosition.setPreparePosition(position.toString())
    success.setPosition(logPosition)
  }
  const response = answerTo(id, stream)
  response.setSuccess(success)
  return response
}

export const failedAnswer = (id: string, stream: string, failure: CallFailure): streams.BatchAppendResp => {
  const [number, type, bytes] = detailsOf(failure)
  const details = new any.Any()
  details.pack(bytes, `event_store.client.${type}`)
  const status = new statuses.Status()
  status.setCode(number)
  status.setMessage(new CallFailed(failure).message)
  status.setDetails(details)
  const response = answerTo(id, stream)
  response.setError(status)
  return response
}

/** The client always reads the details' type: a status without details would break it. */
const detailsOf = (failure: CallFailure): [code: code.Code, type: string, details: Uint8Array] => {
  switch (failure.kind) {
    case 'Conflict':
      return [code.Code.ALREADY_EXISTS, 'WrongExpectedVersion', wrongVersion(failure).serializeBinary()]
    case 'StreamDeleted': {
      const deleted = new shared.StreamDeleted()
      deleted.setStreamIdentifier(streamIdentifier(failure.stream))
      return [code.Code.FAILED_PRECONDITION, 'StreamDeleted', deleted.serializeBinary()]
    }
    case 'TooLarge': {
      const large = new shared.MaximumAppendSizeExceeded()
      large.setMaxappendsize(failure.limit)
      return [code.Code.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', large.serializeBinary()]
    }
    case 'AccessDenied':
    case 'Unauthenticated':
      return [code.Code.PERMISSION_DENIED, 'AccessDenied', new shared.AccessDenied().serializeBinary()]
    case 'Invalid': {
      const bad = new shared.BadRequest()
      bad.setMessage(failure.reason)
      return [code.Code.INVALID_ARGUMENT, 'BadRequest', bad.serializeBinary()]
    }
    case 'Unavailable':
      return [code.Code.DEADLINE_EXCEEDED, 'Timeout', new shared.Timeout().serializeBinary()]
    case 'Failed':
      return [code.Code.INTERNAL, 'Unknown', new shared.Unknown().serializeBinary()]
  }
}

const wrongVersion = ({ expected, actual }: Extract<CallFailure, { kind: 'Conflict' }>) => {
  const wrong = new shared.WrongExpectedVersion()
  if (actual === 'none') wrong.setCurrentNoStream(new empty.Empty())
  else wrong.setCurrentStreamRevision(actual.toString())
  if (expected === 'none') wrong.setExpectedNoStream(new empty.Empty())
  else if (expected === 'any') wrong.setExpectedAny(new empty.Empty())
  else if (expected === 'exists') wrong.setExpectedStreamExists(new empty.Empty())
  else wrong.setExpectedStreamPosition(expected.toString())
  return wrong
}
