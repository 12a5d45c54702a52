import {
  AccessDeniedError,
  ANY,
  DeadlineExceededError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { Metadata, type ServiceError, status } from '@grpc/grpc-js'
import type { NotWritten } from './batch-messages.ts'

/** As gRPC's own errors. */
export const callError = (code: status, details: string): ServiceError =>
  Object.assign(new Error(details), { code, details, metadata: new Metadata() })

/** The error that the client would throw of this; undefined where the server took no appends at all. */
export const errorOf = (stream: string, { type, message, actual, limit }: NotWritten): Error | undefined => {
  switch (type) {
    case 'WrongExpectedVersion':
      return new WrongExpectedVersionError(undefined, {
        streamName: stream,
        current: actual ?? 'no_stream',
        expected: ANY,
      })
    case 'StreamDeleted':
      return StreamDeletedError.fromStreamName(stream)
    case 'AccessDenied':
      return new AccessDeniedError(callError(status.PERMISSION_DENIED, message))
    case 'Timeout':
      return new DeadlineExceededError(callError(status.DEADLINE_EXCEEDED, message))
    case 'MaximumAppendSizeExceeded':
      return new MaxAppendSizeExceededError(undefined, limit ?? 0)
    case 'BadRequest':
      return callError(status.INVALID_ARGUMENT, message)
    case 'Unknown':
    case 'InvalidTransaction':
      return callError(status.UNKNOWN, message)
    default:
      return undefined
  }
}
