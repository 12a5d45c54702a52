import { isLeft } from 'fp-ts/lib/Either.js'
import { unavailable } from '../../../async/unavailable.ts'
import type { EventStore } from '../../../ports/event-store.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import { elsewhereOf, readElsewhere } from '../../events-elsewhere.ts'
import { type NamesStreams, streamsNamed } from '../../streams-named.ts'
import type { Thing } from '../export/export-things.ts'
import type { EventPlace } from './find-leaves.ts'

interface Reading extends NamesStreams {
  readonly eventStore: EventStore
  readonly viewStore: ViewStore
}

const pageSize = 1000

/**
 * The streams of what people call `id`, as `fonds history` finds them, and its events in other streams as far as the views know.
 * Undefined: the log has neither. Throws `UnavailableError`.
 */
export const thingOf = async (home: Reading, id: string): Promise<Thing | undefined> => {
  const named = await streamsNamed(home, id)
  const streams: string[] = []
  for (const stream of named) if (await hasEvents(home.eventStore, stream)) streams.push(stream)
  const elsewhere = await elsewherePlaces(home, id)
  return streams.length + elsewhere.length === 0 ? undefined : { thing: id, streams, elsewhere }
}

/** A stream that was deleted had some. */
const hasEvents = async (eventStore: EventStore, stream: string): Promise<boolean> => {
  const read = await eventStore.read(stream, 'end', 'backward', 1)()
  if (isLeft(read) && read.left.kind === 'Unavailable') throw unavailable(read.left)
  return isLeft(read) || read.right.length > 0
}

const elsewherePlaces = async (home: Reading, id: string): Promise<readonly EventPlace[]> => {
  const places: EventPlace[] = []
  for (const one of elsewhereOf(home, id))
    for (let from = 0n; ; ) {
      const last = one.positions(from, pageSize).at(-1)
      if (last === undefined) break
      const read = await readElsewhere(home.eventStore, [one], from, pageSize)
      if (isLeft(read)) {
        if (read.left.kind === 'Unavailable') throw unavailable(read.left)
        break
      }
      places.push(...read.right.map(({ stream, revision }) => ({ stream, revision })))
      from = last + 1n
    }
  return places
}
