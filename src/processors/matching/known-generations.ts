import { orThrow } from '../../async/unavailable.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { generationEvents, generationsStream } from '../../domain/matching/generations/events.ts'
import { evolve, type Generations, initial } from '../../domain/matching/generations/state.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'
import { type GraphStreams, readGraphStream } from './graph-streams.ts'
import type { Causation } from './resumable-write.ts'

/** The generations, folded from their events, and the event that started each but the first. */
export interface KnownGenerations {
  readonly generations: Generations
  readonly started: ReadonlyMap<number, Started>
  /** Revision of the last event folded in. */
  readonly revision: bigint
}

interface Started {
  readonly position: bigint
  readonly causation: Causation
}

const none: KnownGenerations = { generations: initial, started: new Map(), revision: -1n }

/** Folds an event in; one that was folded in before changes nothing. Throws `UnavailableError`. */
export const foldGeneration = (known: KnownGenerations, recorded: RecordedEvent): KnownGenerations => {
  if (recorded.stream !== generationsStream || recorded.revision <= known.revision) return known
  const event = readOrStop(generationEvents, recorded)
  const { id, position, revision, metadata } = recorded
  const causation = { causationId: id, correlationId: metadata.correlationId }
  return {
    generations: evolve(known.generations, event),
    started:
      event.type === 'GenerationStarted'
        ? new Map(known.started).set(event.data.generation, { position, causation })
        : known.started,
    revision,
  }
}

const pageSize = 500

/** Folds all their events. Throws `UnavailableError`. */
export const readGenerations = async (eventStore: EventStore): Promise<KnownGenerations> => {
  for (let known = none; ; ) {
    const from = known.revision + 1n
    const page: readonly RecordedEvent[] = await orThrow(
      eventStore.read(generationsStream, from, 'forward', pageSize),
      generationsStream,
    )
    known = page.reduce(foldGeneration, known)
    if (page.length < pageSize) return known
  }
}

/** Makes `streams` those of the active generations. Throws `UnavailableError`. */
export const syncGraphStreams = async (
  eventStore: EventStore,
  { generations: { active }, started }: KnownGenerations,
  streams: GraphStreams,
): Promise<void> => {
  for (const generation of streams.keys()) if (!active.has(generation)) streams.delete(generation)
  for (const generation of active.keys()) {
    if (streams.has(generation)) continue
    const startedAt = started.get(generation)?.position ?? -1n
    streams.set(generation, await readGraphStream(eventStore, generation, startedAt))
  }
}
