import { createAutoResetEvent } from '../../src/async/auto-reset-event.ts'

/** Where a call's answers go. */
export interface Outlet<A> {
  write(answer: A): void
  /** Resolves once the client has taken what was written, or has gone, or the gateway stops. */
  drained(): Promise<void>
  /** Aborts when the client goes, or the gateway stops. */
  readonly gone: AbortSignal
}

interface WritableCall<A> {
  readonly writableEnded: boolean
  readonly writableNeedDrain: boolean
  write(answer: A): boolean
  on(event: 'drain' | 'cancelled' | 'close', listener: () => void): unknown
}

export const createOutlet = <A>(call: WritableCall<A>, stopping: AbortSignal): Outlet<A> => {
  const gone = new AbortController()
  const change = createAutoResetEvent()
  const leave = () => {
    stopping.removeEventListener('abort', leave)
    gone.abort()
    change.set()
  }
  stopping.addEventListener('abort', leave)
  call.on('drain', change.set)
  call.on('cancelled', leave)
  call.on('close', leave)
  return {
    gone: gone.signal,
    write: (answer) => {
      if (!gone.signal.aborted && !call.writableEnded) call.write(answer)
    },
    drained: async () => {
      while (call.writableNeedDrain && !gone.signal.aborted) await change.wait()
    },
  }
}
