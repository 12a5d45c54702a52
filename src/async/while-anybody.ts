/** Shared work that goes on while anybody waits for its results. */
export interface Shared {
  /** For the work: aborts when the last waiter has left. */
  readonly signal: AbortSignal
  /** Called by the work: there is a new result. */
  readonly moved: () => void
  /** Waits until there is a new result, the work ends, or the signal of a `join` aborts. */
  readonly move: () => Promise<void>
  /** False once the work has ended. Throws its error. */
  readonly goesOn: () => boolean
  /** Adds a waiter; the first begins the work. `signal` wakes it. Returns a function that leaves. */
  readonly join: (signal: AbortSignal) => () => void
}

/** `onEnd`: the last waiter has left, or the work has ended; the next one begins new work. */
export const whileAnybody = (work: (shared: Shared) => Promise<void>, onEnd: () => void): Shared => {
  const ended = new AbortController()
  let listeners = 0
  let isRunning = false
  let failure: unknown
  let next = Promise.withResolvers<void>()

  const moved = () => {
    next.resolve()
    next = Promise.withResolvers()
  }
  const end = () => {
    if (ended.signal.aborted) return
    ended.abort()
    onEnd()
    moved()
  }
  const run = async () => {
    try {
      await work(shared)
    } catch (error) {
      failure = error
    }
    end()
  }

  const shared: Shared = {
    signal: ended.signal,
    moved,
    move: () => next.promise,
    goesOn: () => {
      if (failure !== undefined) throw failure
      return !ended.signal.aborted
    },
    join: (signal) => {
      signal.addEventListener('abort', moved)
      listeners++
      if (!isRunning) void run()
      isRunning = true
      return () => {
        signal.removeEventListener('abort', moved)
        if (--listeners === 0) end()
      }
    },
  }
  return shared
}
