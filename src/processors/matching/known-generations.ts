import { isLeft } from 'fp-ts/lib/Either.js'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { generationEvents, generationsStream } from '../../domain/matching/generations/events.ts'
import { evolve, type Generations, initial } from '../../domain/matching/generations/state.ts'
import { Away } from '../../ports/away.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'
import { type Heads, readHead } from './heads.ts'
import type { Reason } from './writing.ts'

/** The generations by the events that were folded in, and how those that are built began. */
export interface KnownGenerations {
  readonly generations: Generations
  readonly began: ReadonlyMap<number, Beginning>
  /** Of the last event folded in. */
  readonly revision: bigint
}

interface Beginning {
  readonly position: bigint
  readonly reason: Reason
}

const none: KnownGenerations = { generations: initial, began: new Map(), revision: -1n }

/** An event that was folded in before changes nothing. Throws `Away`. */
export const foldGeneration = (known: KnownGenerations, recorded: RecordedEvent): KnownGenerations => {
  if (recorded.stream !== generationsStream || recorded.revision <= known.revision) return known
  const event = readOrStop(generationEvents, recorded)
  const { id, position, revision, metadata } = recorded
  const beginning = { position, reason: { causationId: id, correlationId: metadata.correlationId } }
  return {
    generations: evolve(known.generations, event),
    began:
      event.type === 'GenerationStarted'
        ? new Map(known.began).set(event.data.generation, beginning)
        : known.began,
    revision,
  }
}

const pageSize = 500

/** All that there are now. Throws `Away`. */
export const readGenerations = async (eventStore: EventStore): Promise<KnownGenerations> => {
  for (let known = none; ; ) {
    const from = known.revision + 1n
    const read = await eventStore.read(generationsStream, from, 'forward', pageSize)()
    if (isLeft(read)) throw new Away(`${generationsStream}: ${JSON.stringify(read.left)}`)
    known = read.right.reduce(foldGeneration, known)
    if (read.right.length < pageSize) return known
  }
}

/** Heads of the active ones and of no others. Throws `Away`. */
export const keepHeads = async (
  eventStore: EventStore,
  { generations, began }: KnownGenerations,
  heads: Heads,
): Promise<void> => {
  for (const generation of heads.keys()) if (!generations.active.has(generation)) heads.delete(generation)
  for (const generation of generations.active.keys())
    if (!heads.has(generation))
      heads.set(generation, await readHead(eventStore, generation, began.get(generation)?.position ?? -1n))
}
