import type {
  handleBidiStreamingCall,
  handleClientStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
  ServerDuplexStream,
  ServerReadableStream,
  ServerUnaryCall,
  ServerWritableStream,
} from '@grpc/grpc-js'
import type { Logger } from 'pino'
import { WriterAway } from '../sqlite/group-commit.ts'
import { Refused, toServiceError } from './refused.ts'

interface Answering {
  readonly cancelled: boolean
  readonly writableEnded: boolean
  end(): unknown
  emit(event: 'error', error: Error): boolean
}

/** Calls as async functions. What one throws ends that call: `Refused` as what it says, anything else as INTERNAL. */
export const handlers = (log: Pick<Logger, 'error'> | undefined) => {
  const fault = (error: unknown): Refused => {
    if (error instanceof Refused) return error
    if (error instanceof WriterAway) return new Refused({ kind: 'Unavailable', reason: error.message })
    log?.error({ err: error }, 'a call to the gateway failed')
    return new Refused({ kind: 'Failed', reason: 'the gateway failed at this call; its log says more' })
  }

  /** Works at once or in a promise: a throw is the same either way. */
  const run = async <A>(work: () => Promise<A>): Promise<A> => work()

  const unary =
    <Q, A>(work: (call: ServerUnaryCall<Q, A>) => Promise<A>): handleUnaryCall<Q, A> =>
    (call, callback) => {
      run(() => work(call)).then(
        (answer) => callback(null, answer),
        (error) => callback(toServiceError(fault(error))),
      )
    }

  const clientStream =
    <Q, A>(work: (call: ServerReadableStream<Q, A>) => Promise<A>): handleClientStreamingCall<Q, A> =>
    (call, callback) => {
      run(() => work(call)).then(
        (answer) => callback(null, answer),
        (error) => {
          if (!call.cancelled) callback(toServiceError(fault(error)))
        },
      )
    }

  const settle = <C extends Answering>(call: C, work: (call: C) => Promise<void>): void => {
    run(() => work(call)).then(
      () => call.end(),
      (error) => {
        if (!call.cancelled && !call.writableEnded) call.emit('error', toServiceError(fault(error)))
      },
    )
  }

  const serverStream =
    <Q, A>(work: (call: ServerWritableStream<Q, A>) => Promise<void>): handleServerStreamingCall<Q, A> =>
    (call) =>
      settle(call, work)

  const duplex =
    <Q, A>(work: (call: ServerDuplexStream<Q, A>) => Promise<void>): handleBidiStreamingCall<Q, A> =>
    (call) =>
      settle(call, work)

  return { fault, unary, clientStream, serverStream, duplex }
}
