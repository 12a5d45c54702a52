/** Where a call's answers go. */
export interface Outlet<A> {
  write(answer: A): void
  /** Resolves once the client has taken what was written, or has gone. */
  drained(): Promise<void>
  /** Aborts when the client goes. */
  readonly gone: AbortSignal
}

interface WritableCall<A> {
  readonly writableEnded: boolean
  readonly writableNeedDrain: boolean
  write(answer: A): boolean
  on(event: 'drain' | 'cancelled' | 'close', listener: () => void): unknown
}

export const createOutlet = <A>(call: WritableCall<A>): Outlet<A> => {
  const gone = new AbortController()
  let resume = () => {}
  const leave = () => {
    gone.abort()
    resume()
  }
  call.on('drain', () => resume())
  call.on('cancelled', leave)
  call.on('close', leave)
  return {
    gone: gone.signal,
    write: (answer) => {
      if (!gone.signal.aborted && !call.writableEnded) call.write(answer)
    },
    drained: async () => {
      if (!call.writableNeedDrain || gone.signal.aborted) return
      await new Promise<void>((resolve) => {
        resume = resolve
      })
    },
  }
}
