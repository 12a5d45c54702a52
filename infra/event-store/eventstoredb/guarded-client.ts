import { convertToCommandError, type EventStoreDBClient } from '@eventstore/db-client'
import {
  type CallOptions,
  InterceptingCall,
  type Interceptor,
  Metadata,
  type StatusObject,
  status,
} from '@grpc/grpc-js'
import { errorMessage } from '../../../src/async/errors.ts'
import { withTimeout } from '../../waiting/timeout.ts'
import { TimedOut } from './failures.ts'

/*
 * @eventstore/db-client throws where nobody can catch it: in callbacks of gRPC and in promises that it drops. Such a
 * throw would end the process; here it ends the one call.
 */

/** Private fields of each client. */
interface Inside {
  callArguments: (base: object, options?: CallOptions) => [Metadata, CallOptions]
  handleError: (client: unknown, error: Error) => Promise<void>
}

export const guarded = (client: EventStoreDBClient): EventStoreDBClient => {
  const inside = client as unknown as Inside
  const { callArguments, handleError } = inside
  inside.callArguments = (base, options) => callArguments(base, { ...options, interceptors: [guardCall] })
  // Nobody waits for it. It fails where the next server cannot be found: the next call tells.
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
 * A status of which the client can make an error. Servers send a stream's name raw, so that its trailer is lost where it
 * ends in a space; callers know the name. Where another trailer is missing, the error is left with its code alone.
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

/** A message that the client cannot decode. */
class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

type Done = (error?: Error | null, item?: unknown) => void
interface Decoding {
  _transform(message: unknown, encoding: unknown, done: Done): unknown
}

/** Lets a stream of the client's fail where decoding a message throws. */
export const guardStream = (stream: object): void => {
  const decoding = stream as Partial<Decoding>
  const decode = decoding._transform
  if (!decode) return
  decoding._transform = (message, encoding, done) => {
    const fail = (cause: unknown) =>
      done(new Unreadable(`the server sent what cannot be read: ${errorMessage(cause)}`, { cause }))
    try {
      const decoded = decode.call(stream, message, encoding, done)
      // Subscriptions decode in a promise that nobody waits for.
      if (decoded instanceof Promise) decoded.catch(fail)
    } catch (error) {
      fail(error)
    }
  }
}

/** The client leaves a call open for ever where the server's answer says neither yes nor no. Throws `TimedOut` then. */
export const inTime = <A>(call: Promise<A>, timeoutMillis: number): Promise<A> =>
  withTimeout(call, timeoutMillis + 1_000, () => {
    throw new TimedOut('the call has no answer')
  })
