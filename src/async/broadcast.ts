/** A broadcast to all listeners. */
export interface Call {
  readonly call: () => void
  /** Returns a function that stops listening. */
  readonly listen: (listener: () => void) => () => void
}

export const createCall = (): Call => {
  const listeners = new Set<() => void>()
  return {
    call: () => {
      for (const listener of listeners) listener()
    },
    listen: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
