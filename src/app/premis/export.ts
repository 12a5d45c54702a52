import { identifierKey, type PremisAgent, type PremisEvent, type PremisObject } from '@fonds/premis'
import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import { orThrow, unavailable } from '../../async/unavailable.ts'
import { category as earlierCategory, earlierStream, isEarlier } from '../../domain/kernel/earlier-event.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { ReadFailure } from '../../ports/event-store.ts'
import type { Whole } from '../../workflows/premis-model.ts'
import { type Found as EventsFound, historyOf } from '../event-reading.ts'
import { elsewhereOf } from '../events-elsewhere.ts'
import type { Home } from '../system.ts'
import { exportedEvent, type Mappings, mappingsOf } from './exported-event.ts'

/*
 * A thing, its parts, and all that happened to them, as PREMIS: objects, then events, then agents. The events of a store or a batch
 * are read as they are written; memory holds those of one page, and the agents.
 */

export type PremisItem =
  | { readonly kind: 'object'; readonly object: PremisObject }
  | { readonly kind: 'event'; readonly event: PremisEvent }
  | { readonly kind: 'agent'; readonly agent: PremisAgent }

type Reading = Pick<Home, 'eventStore' | 'workflows' | 'viewStore'>

/** Nothing can be exported: nothing is known of it, or none of its events is exported. */
export type NothingToExport = { readonly kind: 'unknown' | 'not-preservation' }

const pageSize = 1000

/** An event, and the id of the thing that a part of it is about; absent: it is about its stream. */
interface Found {
  readonly event: RecordedEvent
  readonly about?: string
}

/**
 * Returns what there is to export of the things that people call `id`, up to the end of the log as it is now. `related`: further
 * things, without their parts. Throws `UnavailableError`, also later on.
 */
export const premisOf = async (
  home: Reading,
  id: string,
  related: readonly string[] = [],
): Promise<AsyncIterable<PremisItem> | NothingToExport> => {
  const mappings = await mappingsOf(home.workflows, home.viewStore)
  const wholes = mappings.models.flatMap((model) => model.whole?.(id, home.viewStore) ?? [])
  const head = await orThrow(home.eventStore.head())
  const of: Export = { home, mappings, wholes, head, ids: [id, ...related] }
  const { isKnown, objects } = await linkedObjects(of)
  if (objects.size > 0 || wholes.length > 0) return items(of, objects)
  return { kind: isKnown ? 'not-preservation' : 'unknown' }
}

interface Export {
  readonly home: Reading
  readonly mappings: Mappings
  readonly wholes: readonly Whole[]
  /** Position of the last event that counts. */
  readonly head: bigint
  readonly ids: readonly string[]
}

/** Collects the objects of the own events of things: a view may have them no more. Parts of wholes are not read. */
const linkedObjects = async (of: Export) => {
  const objects = new Map<string, PremisObject>()
  let isKnown = false
  for (const id of of.ids)
    for await (const { event, about } of ownEvents(of, id)) {
      if (id === of.ids[0]) isKnown = true
      for (const object of exportedEvent(of.mappings, event, about)?.objects ?? [])
        objects.set(identifierKey(object.identifiers[0]), object)
    }
  // An earlier system may have had things of a whole that no view has.
  for await (const { event } of earlierOf(of))
    for (const object of exportedEvent(of.mappings, event)?.objects ?? [])
      if (object.identifiers[0].type === 'fonds thing')
        objects.set(identifierKey(object.identifiers[0]), object)
  return { isKnown, objects }
}

async function* items(of: Export, linked: ReadonlyMap<string, PremisObject>): AsyncGenerator<PremisItem> {
  yield* objectsOf(of, linked)
  const agents = new Map<string, PremisAgent>()
  const isSeen = once(of)
  for await (const { event, about } of eventsOf(of)) {
    const exported = exportedEvent(of.mappings, event, about)
    if (!exported || isSeen(identifierKey(exported.event.identifier), isEarlier(event))) continue
    for (const { agent } of exported.agents) agents.set(identifierKey(agent.identifier), agent)
    yield { kind: 'event', event: exported.event }
  }
  for (const agent of agents.values()) yield { kind: 'agent', agent }
}

/** Those that the views have, then the rest of those that events name. */
function* objectsOf(of: Export, linked: ReadonlyMap<string, PremisObject>): Generator<PremisItem> {
  const left = new Map(linked)
  const isSeen = once(of)
  for (const object of described(of)) {
    const key = identifierKey(object.identifiers[0])
    left.delete(key)
    if (!isSeen(key)) yield { kind: 'object', object }
  }
  for (const object of left.values()) yield { kind: 'object', object }
}

function* described({ home, mappings: { models }, ids, wholes }: Export): Generator<PremisObject> {
  for (const id of ids) for (const model of models) yield* model.objects(id, home.viewStore)
  for (const whole of wholes) yield* whole.parts
}

/**
 * One thing and its parts have each object and each event once. Related things may share them. `mayRepeat`: so may things that an
 * earlier system told one event of.
 */
const once = ({ ids }: Export): ((key: string, mayRepeat?: boolean) => boolean) => {
  const seen = new Set<string>()
  return (key, mayRepeat = false) => {
    if (ids.length === 1 && !mayRepeat) return false
    if (seen.has(key)) return true
    seen.add(key)
    return false
  }
}

/** The events of earlier systems about the parts of wholes. */
async function* earlierOf(of: Export): AsyncGenerator<Found> {
  for (const whole of of.wholes)
    if (whole.kind === 'log') yield* inLog(of, { ...whole, categories: [earlierCategory] })
    else
      for (const stream of whole.streams())
        for await (const event of inStreams(of, [earlierStream(idOf(stream))])) yield { event }
}

/** A whole that is found in the log has its own streams among what is found. */
async function* eventsOf(of: Export): AsyncGenerator<Found> {
  const { ids, wholes } = of
  const isInLog = (event: RecordedEvent) =>
    wholes.some((whole) => whole.kind === 'log' && whole.includes(event))
  for (const id of ids) for await (const found of ownEvents(of, id)) if (!isInLog(found.event)) yield found
  for (const whole of wholes)
    if (whole.kind === 'log') yield* inLog(of, whole)
    else
      for (const stream of whole.streams()) for await (const event of inStreams(of, [stream])) yield { event }
  yield* earlierOf(of)
}

async function* ownEvents(of: Export, id: string): AsyncGenerator<Found> {
  const streams = [...new Set(of.home.workflows.flatMap((workflow) => workflow.streamsOf(id)))]
  for await (const event of inStreams(of, streams, elsewhereOf(of.home, id)))
    yield streams.includes(event.stream) ? { event } : { event, about: id }
}

async function* inStreams(
  { home, head }: Export,
  streams: readonly string[],
  elsewhere: ReturnType<typeof elsewhereOf> = [],
): AsyncGenerator<RecordedEvent> {
  for (let from: bigint | undefined = 0n; from !== undefined && from <= head; ) {
    const read: Either<ReadFailure, EventsFound> = await historyOf(
      home.eventStore,
      streams,
      from,
      pageSize,
      elsewhere,
    )
    if (isLeft(read)) {
      if (read.left.kind === 'Unavailable') throw unavailable(read.left)
      return
    }
    yield* read.right.events.filter(({ position }) => position <= head)
    from = read.right.through === undefined ? undefined : read.right.through + 1n
  }
}

async function* inLog(
  { home, head }: Export,
  { categories, includes }: Extract<Whole, { readonly kind: 'log' }>,
): AsyncGenerator<Found> {
  for (let after = -1n; after < head; ) {
    const batch = await orThrow(home.eventStore.readAll(after, { categories }, pageSize))
    for (const event of batch.events) if (event.position <= head && includes(event)) yield { event }
    if (batch.caughtUp) return
    after = batch.position
  }
}
