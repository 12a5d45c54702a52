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
import { WriterAway } from '../sqlite/write-failures.ts'
import { CallFailed, stoppingSoon, toServiceError } from './call-failure.ts'

interface Answering {
  readonly cancelled: boolean
  readonly writableEnded: boolean
  end(): unknown
  emit(event: 'error', error: Error): boolean
}

/**
 * Calls as async functions. What one throws ends that call: `CallFailed` as what it says, anything else as INTERNAL. Once
 * `stopping` aborts every call ends as UNAVAILABLE at once, whatever it waits for.
 */
export const createHandlers = (log: Pick<Logger, 'error'> | undefined, stopping: AbortSignal) => {
  const toCallFailed = (error: unknown): CallFailed => {
    if (error instanceof CallFailed) return error
    if (error instanceof WriterAway) return new CallFailed({ kind: 'Unavailable', reason: error.message })
    log?.error({ err: error }, 'a defect in handling a gateway call; the call failed')
    return new CallFailed({
      kind: 'Failed',
      reason: 'the gateway failed to handle this call; its log has the error',
    })
  }

  const run = <A>(work: () => Promise<A>): Promise<A> =>
    new Promise((resolve, reject) => {
      const stop = () => reject(stoppingSoon())
      if (stopping.aborted) return stop()
      stopping.addEventListener('abort', stop)
      const working = async () => work()
      working()
        .then(resolve, reject)
        .finally(() => stopping.removeEventListener('abort', stop))
    })

  const unary =
    <Q, A>(work: (call: ServerUnaryCall<Q, A>) => Promise<A>): handleUnaryCall<Q, A> =>
    (call, callback) => {
      run(() => work(call)).then(
        (answer) => callback(null, answer),
        (error) => callback(toServiceError(toCallFailed(error))),
      )
    }

  const clientStream =
    <Q, A>(work: (call: ServerReadableStream<Q, A>) => Promise<A>): handleClientStreamingCall<Q, A> =>
    (call, callback) => {
      run(() => work(call)).then(
        (answer) => callback(null, answer),
        (error) => {
          if (!call.cancelled) callback(toServiceError(toCallFailed(error)))
        },
      )
    }

  const runStreaming = <C extends Answering>(call: C, work: (call: C) => Promise<void>): void => {
    run(() => work(call)).then(
      () => call.end(),
      (error) => {
        if (!call.cancelled && !call.writableEnded) call.emit('error', toServiceError(toCallFailed(error)))
      },
    )
  }

  const serverStream =
    <Q, A>(work: (call: ServerWritableStream<Q, A>) => Promise<void>): handleServerStreamingCall<Q, A> =>
    (call) =>
      runStreaming(call, work)

  const duplex =
    <Q, A>(work: (call: ServerDuplexStream<Q, A>) => Promise<void>): handleBidiStreamingCall<Q, A> =>
    (call) =>
      runStreaming(call, work)

  return { toCallFailed, unary, clientStream, serverStream, duplex }
}
