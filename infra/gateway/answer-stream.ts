import { createAutoResetEvent } from '../../src/async/auto-reset-event.ts'

/** Where a call's answers go. */
export interface Outlet<A> {
  write(answer: A): void
  /** Resolves once the client has taken what was written, or has gone, or the gateway stops. */
  drained(): Promise<void>
  /** Aborts when the client goes, or the gateway stops. */
  readonly closed: AbortSignal
}

interface WritableCall<A> {
  readonly writableEnded: boolean
  readonly writableNeedDrain: boolean
  write(answer: A): boolean
  on(event: 'drain' | 'cancelled' | 'close', listener: () => void): unknown
}

export const createOutlet = <A>(call: WritableCall<A>, stopping: AbortSignal): Outlet<A> => {
  const closed = new AbortController()
  const change = createAutoResetEvent()
  const leave = () => {
    stopping.removeEventListener('abort', leave)
    closed.abort()
    change.set()
  }
  stopping.addEventListener('abort', leave)
  call.on('drain', change.set)
  call.on('cancelled', leave)
  call.on('close', leave)
  return {
    closed: closed.signal,
    write: (answer) => {
      if (!closed.signal.aborted && !call.writableEnded) call.write(answer)
    },
    drained: async () => {
      while (call.writableNeedDrain && !closed.signal.aborted) await change.wait()
    },
  }
}
