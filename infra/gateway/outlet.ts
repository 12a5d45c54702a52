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
  const left = new AbortController()
  const gone = AbortSignal.any([left.signal, stopping])
  const change = createAutoResetEvent()
  gone.addEventListener('abort', change.set)
  call.on('drain', change.set)
  call.on('cancelled', () => left.abort())
  call.on('close', () => left.abort())
  return {
    gone,
    write: (answer) => {
      if (!gone.aborted && !call.writableEnded) call.write(answer)
    },
    drained: async () => {
      while (call.writableNeedDrain && !gone.aborted) await change.wait()
    },
  }
}
