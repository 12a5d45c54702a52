import { identifierKey, type PremisAgent, type PremisEvent, type PremisObject } from '@fonds/premis'
import { orThrow } from '../../async/unavailable.ts'
import { isEarlier } from '../../domain/kernel/earlier-event.ts'
import type { Point } from '../../ports/view-store.ts'
import { exportedEvent, mappingsOf } from './exported-event.ts'
import { countsUntil, type Export, earlierOf, eventsOf, ownEvents, type Reading } from './found-events.ts'

/*
 * A thing, its parts, and all that happened to them, as PREMIS: objects, then events, then agents. The events of a store or a batch
 * are read as they are written; memory holds those of one page, and the agents.
 */

export type PremisItem =
  | { readonly kind: 'object'; readonly object: PremisObject }
  | { readonly kind: 'event'; readonly event: PremisEvent }
  | { readonly kind: 'agent'; readonly agent: PremisAgent }

/** Nothing can be exported: nothing is known of it, or none of its events is exported. */
export type NothingToExport = { readonly kind: 'unknown' | 'not-preservation' }

/**
 * Returns what there is to export of the things that people call `id`, up to the end of the log as it is now. `related`: further
 * things, without their parts. `until`: a moment; the views must be those of that moment. Throws `UnavailableError`, also later on.
 */
export const premisOf = async (
  home: Reading,
  id: string,
  related: readonly string[] = [],
  until?: Point,
): Promise<AsyncIterable<PremisItem> | NothingToExport> => {
  const mappings = await mappingsOf(home.workflows, home.viewStore)
  const wholes = mappings.models.flatMap((model) => model.whole?.(id, home.viewStore) ?? [])
  const counts = countsUntil(await orThrow(home.eventStore.head()), until)
  const of: Export = { home, mappings, wholes, counts, ids: [id, ...related] }
  const { isKnown, objects } = await linkedObjects(of)
  if (objects.size > 0 || wholes.length > 0) return items(of, objects)
  return { kind: isKnown ? 'not-preservation' : 'unknown' }
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

/** The things, then those that their events name, then the parts of wholes. An object comes once. */
function* objectsOf(of: Export, linked: ReadonlyMap<string, PremisObject>): Generator<PremisItem> {
  const { home, mappings, ids, wholes } = of
  const seen = new Set<string>()
  const isNew = (object: PremisObject): boolean => {
    const key = identifierKey(object.identifiers[0])
    if (seen.has(key)) return false
    // An object may have a million files, which nothing names but the object itself.
    if (object.category !== 'file' || ids.length > 1 || linked.has(key)) seen.add(key)
    return true
  }
  for (const id of ids)
    for (const model of mappings.models)
      for (const object of model.objects(id, home.viewStore))
        if (isNew(object)) yield { kind: 'object', object }
  for (const [key, least] of linked)
    if (!seen.has(key))
      for (const object of inFull(of, least)) if (isNew(object)) yield { kind: 'object', object }
  // A part that an event of the whole itself names is among those before.
  for (const whole of wholes)
    for (const object of whole.parts)
      if (!seen.has(identifierKey(object.identifiers[0]))) yield { kind: 'object', object }
}

/** As the views have it, with the wholes that it is a part of; else as it is. */
const inFull = ({ home, mappings: { models } }: Export, least: PremisObject): readonly PremisObject[] => {
  const key = identifierKey(least.identifiers[0])
  const found = models
    .map((model) => [...model.objects(least.identifiers[0].value, home.viewStore)])
    .find((objects) => objects.some(({ identifiers }) => identifierKey(identifiers[0]) === key))
  return found ?? [least]
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
