import codes from '@eventstore/db-client/generated/code_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import statuses from '@eventstore/db-client/generated/status_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import any from 'google-protobuf/google/protobuf/any_pb.js'
import empty from 'google-protobuf/google/protobuf/empty_pb.js'
import type { Appended } from '../../src/ports/event-store.ts'
import type { CallFailure } from './call-failure.ts'
import { streamIdentifier, uuidText } from './responses.ts'

const { Code } = codes

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
  const { code, type, message = type, bytes } = errorOf(failure)
  const details = new any.Any()
  details.pack(bytes, `event_store.client.${type}`, 'type.googleapis.com/')
  const status = new statuses.Status()
  status.setCode(code)
  status.setMessage(message)
  status.setDetails(details)
  const response = answerTo(id, stream)
  response.setError(status)
  return response
}

interface BatchError {
  readonly code: number
  readonly type: string
  /** The type's name where this is absent. */
  readonly message?: string
  readonly bytes: Uint8Array
}

/** The client always reads the details' type: a status without details would break it. */
const errorOf = (failure: CallFailure): BatchError => {
  switch (failure.kind) {
    case 'Conflict':
      return {
        code: Code.ALREADY_EXISTS,
        type: 'WrongExpectedVersion',
        bytes: wrongVersion(failure).serializeBinary(),
      }
    case 'StreamDeleted': {
      const deleted = new shared.StreamDeleted()
      deleted.setStreamIdentifier(streamIdentifier(failure.stream))
      return { code: Code.NOT_FOUND, type: 'StreamDeleted', bytes: deleted.serializeBinary() }
    }
    case 'TooLarge': {
      const large = new shared.MaximumAppendSizeExceeded()
      large.setMaxappendsize(failure.limit)
      return {
        code: Code.INVALID_ARGUMENT,
        type: 'MaximumAppendSizeExceeded',
        bytes: large.serializeBinary(),
      }
    }
    case 'Unauthenticated':
      return {
        code: Code.PERMISSION_DENIED,
        type: 'AccessDenied',
        bytes: new shared.AccessDenied().serializeBinary(),
      }
    case 'Invalid': {
      const bad = new shared.BadRequest()
      bad.setMessage(failure.reason)
      // Clients show the message, and not what is in the details.
      return {
        code: Code.INVALID_ARGUMENT,
        type: 'BadRequest',
        message: failure.reason,
        bytes: bad.serializeBinary(),
      }
    }
    case 'DeadlineExceeded':
    case 'Unavailable':
      return { code: Code.DEADLINE_EXCEEDED, type: 'Timeout', bytes: new shared.Timeout().serializeBinary() }
    case 'Unknown':
    case 'Failed':
      return { code: Code.INTERNAL, type: 'Unknown', bytes: new shared.Unknown().serializeBinary() }
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
