import { createAutoResetEvent } from './auto-reset-event.ts'

/** A queue from callbacks to one async reader. */
interface Inbox<T> {
  put(item: T): void
  /** Ends the queue: the rest is read first. An error is thrown at once. */
  end(failure?: { readonly error: unknown }): void
  items(): AsyncGenerator<T, void>
}

export const createInbox = <T>(): Inbox<T> => {
  const waiting: T[] = []
  let ended = false
  let failure: { readonly error: unknown } | undefined
  const change = createAutoResetEvent()
  return {
    put: (item) => {
      waiting.push(item)
      change.set()
    },
    end: (why) => {
      ended = true
      failure ??= why
      change.set()
    },
    items: async function* () {
      for (;;) {
        if (failure) throw failure.error
        const item = waiting.shift()
        if (item !== undefined) yield item
        else if (ended) return
        else await change.wait()
      }
    },
  }
}
