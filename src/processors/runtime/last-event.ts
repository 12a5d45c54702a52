import { left, right } from 'fp-ts/lib/Either.js'
import type { EventStore } from '../../ports/event-store.ts'
import { note, nothingHandled } from './handled.ts'
import { loadAlone, type StreamStates, UnreadableStream } from './stream-states.ts'

/**
 * For deciders whose state is their last event alone: reads only that, each time, and caches nothing. So a stream may
 * grow for years. A cause counts as handled while it is that of the last event.
 */
export const lastEventStates = (store: EventStore): StreamStates => {
  const load: StreamStates['load'] = async (decider, stream) => {
    const read = await store.read(stream, 'end', 'backward', 1)()
    if (read._tag === 'Left') return left(read.left)
    const handled = nothingHandled()
    const last = read.right[0]
    if (!last) return right({ state: decider.initial, revision: -1n, position: -1n, handled })
    const event = decider.events.read(last)
    if (event._tag === 'Left')
      throw new UnreadableStream(`${stream} revision ${last.revision}: ${event.left}`)
    note(handled, last.metadata)
    const { revision, position } = last
    return right({ state: decider.evolve(decider.initial, event.right), revision, position, handled })
  }
  return {
    load,
    loadEach: (wanted) => loadAlone(load, wanted),
    cached: () => undefined,
    presumed: () => undefined,
    keep: () => {},
    forget: () => {},
  }
}
