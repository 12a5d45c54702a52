import { convertToCommandError, type EventStoreDBClient } from '@eventstore/db-client'
import {
  type CallOptions,
  InterceptingCall,
  type Interceptor,
  Metadata,
  type StatusObject,
  status,
} from '@grpc/grpc-js'
import { withTimeout } from '../../../src/async/with-timeout.ts'
import { TimedOut } from './failures.ts'

/*
 * @eventstore/db-client throws where nobody can catch it: in callbacks of gRPC and in promises that it drops. That would
 * end the process. Guarded, it ends the one call.
 */

/** Private fields of the client. */
interface Inside {
  callArguments: (base: object, options?: CallOptions) => [Metadata, CallOptions]
  handleError: (client: unknown, error: Error) => Promise<void>
}

export const guarded = (client: EventStoreDBClient): EventStoreDBClient => {
  const inside = client as unknown as Inside
  const { callArguments, handleError } = inside
  inside.callArguments = (base, options) => callArguments(base, { ...options, interceptors: [guardCall] })
  // Nobody waits for this promise. It rejects where the next server cannot be found, and then the next call fails, too.
  inside.handleError = (failed, error) => handleError(failed, error).catch(() => {})
  return client
}

const guardCall: Interceptor = (options, nextCall) => {
  let call: ReturnType<typeof nextCall>
  try {
    call = nextCall(options)
  } catch (error) {
    // The connection was closed between two steps of the client, because another call found it broken.
    return endedCall((error as Error).message)
  }
  return new InterceptingCall(call, {
    start: (metadata, _listener, next) =>
      next(metadata, { onReceiveStatus: (received, pass) => pass(understandable(received)) }),
  })
}

/**
 * A status that the client can turn into an error. Servers do not encode a stream's name, so that its trailer is lost
 * where it ends in a space; callers know the name. Where another trailer is missing, the error has its code alone.
 */
const understandable = (received: StatusObject): StatusObject => {
  if (received.code === status.OK) return received
  const metadata = received.metadata.clone()
  if (metadata.get('stream-name').length === 0) metadata.set('stream-name', '')
  const mended = { ...received, metadata }
  try {
    convertToCommandError(Object.assign(new Error(received.details), mended))
  } catch {
    metadata.remove('exception')
  }
  return mended
}

/** A call that could not be made. */
const endedCall = (details: string): InterceptingCall =>
  new InterceptingCall({
    start: (_metadata, listener) =>
      queueMicrotask(() =>
        listener?.onReceiveStatus?.({ code: status.UNAVAILABLE, details, metadata: new Metadata() }),
      ),
    sendMessageWithContext: ({ callback }) => callback?.(),
    sendMessage: () => {},
    startRead: () => {},
    halfClose: () => {},
    cancelWithStatus: () => {},
    getPeer: () => '',
    getAuthContext: () => null,
  })

/** Rejects with `TimedOut` where a call does not end: the client leaves some open when the server's answer has no outcome. */
export const inTime = <A>(call: Promise<A>, timeoutMillis: number): Promise<A> =>
  withTimeout(call, timeoutMillis + 1_000, () => {
    throw new TimedOut('the call has no answer')
  })
