import { left } from 'fp-ts/lib/Either.js'
import type { EventStore } from '../../../src/ports/event-store.ts'

/** A store that is away whenever `isAway` says so of an append. */
export const shaky = (store: EventStore, isAway: (stream: string) => boolean): EventStore => ({
  ...store,
  append: (stream, ...rest) =>
    isAway(stream)
      ? async () => left({ kind: 'Unavailable', reason: 'the log is away' })
      : store.append(stream, ...rest),
})

/** A store whose appends to a stream wait until they are let go. */
export const gated = (store: EventStore, held: string) => {
  const gate = Promise.withResolvers<void>()
  const slow: EventStore = {
    ...store,
    append:
      (stream, ...rest) =>
      async () => {
        if (stream === held) await gate.promise
        return store.append(stream, ...rest)()
      },
  }
  return { slow, letGo: () => gate.resolve() }
}
