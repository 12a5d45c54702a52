import { convertToCommandError, type EventStoreDBClient } from '@eventstore/db-client'
import {
  type CallOptions,
  InterceptingCall,
  type Interceptor,
  Metadata,
  type StatusObject,
  status,
} from '@grpc/grpc-js'
import { Silent } from './failures.ts'

/*
 * @eventstore/db-client throws in places where nobody can catch it: in callbacks of gRPC and in promises that it does not
 * look at. Such a throw would end the process. Here each ends its one call.
 */

/** What the client keeps to itself; both are fields of each client. */
interface Inside {
  callArguments: (base: object, options?: CallOptions) => [Metadata, CallOptions]
  handleError: (client: unknown, error: Error) => Promise<void>
}

/** The same client, guarded. */
export const guarded = (client: EventStoreDBClient): EventStoreDBClient => {
  const inside = client as unknown as Inside
  const { callArguments, handleError } = inside
  inside.callArguments = (base, options) => callArguments(base, { ...options, interceptors: [guardCall] })
  // Nobody waits for it. It fails where the server that is to be next cannot be found: the next call tells.
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
 * A status of which the client can make an error. Servers send a stream's name raw, so that its trailer is lost where
 * it ends in a space; callers know the name. What else is missing takes the kind of error with it: its code is left.
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

/** A message of which the client can make no event. */
class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

type Done = (error?: Error | null, item?: unknown) => void
interface Decoding {
  _transform(message: unknown, encoding: unknown, done: Done): unknown
}

/** A stream of the client's which fails where decoding a message throws. */
export const guardStream = (stream: object): void => {
  const decoding = stream as Partial<Decoding>
  const decode = decoding._transform
  if (!decode) return
  decoding._transform = (message, encoding, done) => {
    const fail = (cause: unknown) =>
      done(new Unreadable(`the server sent what cannot be read: ${messageOf(cause)}`, { cause }))
    try {
      const decoded = decode.call(stream, message, encoding, done)
      // Subscriptions decode in a promise that nobody looks at.
      if (decoded instanceof Promise) decoded.catch(fail)
    } catch (error) {
      fail(error)
    }
  }
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** The client leaves a call open for ever where the server's answer says neither yes nor no. Throws `Silent` then. */
export const settled = async <A>(call: Promise<A>, patience: number): Promise<A> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Silent('the call was not settled')), patience + 1_000)
  })
  try {
    return await Promise.race([call, late])
  } finally {
    clearTimeout(timer)
  }
}
