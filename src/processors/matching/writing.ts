import { isLeft } from 'fp-ts/lib/Either.js'
import { parse, v5 as uuidv5 } from 'uuid'
import type { EventMetadata, NewEvent } from '../../domain/kernel/event.ts'
import { type GraphEvent, graphEvents, graphStream } from '../../domain/matching/graph/events.ts'
import { Away } from '../../ports/away.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { type Heads, headBehind } from './heads.ts'

/** What led to a change: its events carry it. */
export type Reason = Pick<EventMetadata, 'causationId' | 'correlationId'>

/** Somebody else wrote to a graph stream: what is known of it is no longer true. */
export class Fenced extends Away {
  override readonly name = 'Fenced'
}

/** An append to the graph stream of a generation. */
export interface Append {
  readonly generation: number
  readonly events: readonly GraphEvent[]
}

export interface Writing {
  /**
   * Appends what is left; true once nothing is, false as soon as `goesOn` says no. After a failure it may be asked again:
   * the append that failed is then repeated as it was, so that a log that took it after all knows it. Throws `Fenced`
   * where somebody else wrote, else `Away`.
   */
  finish(goesOn: () => boolean): Promise<boolean>
}

/** Appends in order, each at the revision behind the last, which `heads` keeps: that is the fence. */
export const writing = (
  appends: Iterator<Append>,
  reason: Reason,
  heads: Heads,
  eventStore: EventStore,
): Writing => {
  let current = appends.next()

  async function write({ generation, events }: Append): Promise<void> {
    const stream = graphStream(generation)
    let head = heads.get(generation)!
    const stored = events.map((event, i) => toStore(event, stream, head.revision + 1n + BigInt(i), reason))
    const appended = await eventStore.append(stream, head.revision < 0n ? 'none' : head.revision, stored)()
    if (isLeft(appended)) {
      const failure = appended.left
      switch (failure.kind) {
        case 'Conflict':
          throw new Fenced(`${stream} was written by another matcher`)
        case 'StreamDeleted':
          throw new Away(`${stream} was deleted for good; drop its generation and start another`)
        case 'TooLarge':
          throw new Away(
            `${stream}: the log takes ${failure.limit} bytes an append, a change takes ${failure.bytes}; let it take 1 MiB`,
          )
        case 'Unavailable':
          throw new Away(failure.reason)
      }
    }
    for (const [i, event] of events.entries())
      head = headBehind(head, event, head.revision + 1n, stored[i]!.id)
    heads.set(generation, head)
  }

  return {
    async finish(goesOn) {
      for (; !current.done; current = appends.next()) {
        if (!goesOn()) return false
        await write(current.value)
      }
      return true
    },
  }
}

/** Namespace of event ids: UUIDv5 of stream, revision and content. */
const namespace = parse('6f0c8a52-5d0e-5c57-9f0e-1d3a7c1f8b24')

const toStore = ({ type, data }: GraphEvent, stream: string, revision: bigint, reason: Reason): NewEvent => ({
  id: uuidv5(Buffer.from(`${stream}\n${revision}\n${type}\n${JSON.stringify(data)}`), namespace),
  type,
  data,
  metadata: { actor: 'fonds/matcher', ...reason, schema: graphEvents.schemaOf(type) },
})
