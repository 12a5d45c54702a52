import { setImmediate } from 'node:timers/promises'
import type * as t from 'io-ts'
import { orThrow, UnavailableError } from '../../async/unavailable.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { EventBatch, EventFilter, EventStore } from '../../ports/event-store.ts'
import type { SnapshotStore } from '../../ports/snapshot-store.ts'
import { readSnapshot, type Snapshot, type SnapshotHeader, writeSnapshot } from './snapshot.ts'

/** A model folded from the log, in memory. */
export interface InMemoryModel {
  /** Identity of the log. */
  readonly log: string
  /** Everything up to here is folded in; -1n for nothing. */
  folded: bigint
  /** Events folded in that the snapshot lacks. */
  unsaved: number
}

/** Folds an event into the model. Throws `UnavailableError` if it cannot be read: the model is then unchanged. */
type Evolve<Model> = (model: Model, event: RecordedEvent) => void

/** A workflow's declaration of its model. */
export interface ModelDefinition<Model extends InMemoryModel, Header extends SnapshotHeader> {
  /** Name of its snapshot. */
  readonly name: string
  /** The events it is folded from. */
  readonly filter: EventFilter
  readonly initial: (log: string) => Model
  readonly evolve: Evolve<Model>
  readonly header: t.Decoder<unknown, Header>
  /** True if the snapshot is of the log as it is now, and no later than `until`. Throws `UnavailableError`. */
  readonly holds: (header: Header, eventStore: EventStore, until?: Until) => Promise<boolean>
  /** Undefined if the snapshot is of another version. */
  readonly decode: (snapshot: Snapshot<Header, Uint8Array>) => Model | undefined
  /** Undefined while there is nothing to save. */
  readonly encode: (model: Model) => Snapshot<Header, Iterable<Uint8Array>> | undefined
}

/** An earlier point of the log. A time is ISO 8601 UTC with milliseconds; events of that millisecond are included. */
export type Until = { readonly position: bigint } | { readonly time: string }

export interface ModelSources {
  readonly eventStore: EventStore
  readonly snapshots: Pick<SnapshotStore, 'load'>
}

/** Restores the model from its snapshot if that can be used; else without events. Throws `UnavailableError`. */
export const restoreModel = async <Model extends InMemoryModel, Header extends SnapshotHeader>(
  { name, initial, header, holds, decode }: ModelDefinition<Model, Header>,
  { eventStore, snapshots }: ModelSources,
  until?: Until,
): Promise<Model> => {
  const log = await orThrow(eventStore.identity())
  const bytes = await snapshots.load(name)
  const saved = bytes && readSnapshot(header, bytes)
  if (saved?.header.log !== log || !(await holds(saved.header, eventStore, until))) return initial(log)
  return decode(saved) ?? initial(log)
}

/**
 * Folds in the events after the model's position, up to now or to an earlier point. Throws `UnavailableError`, also
 * when `signal` aborts.
 */
export const catchUpModel = async <Model extends InMemoryModel>(
  model: Model,
  { filter, evolve }: Pick<ModelDefinition<Model, never>, 'filter' | 'evolve'>,
  eventStore: Pick<EventStore, 'readAll'>,
  signal: AbortSignal,
  until?: Until,
): Promise<void> => {
  if (reaches(model.folded, until)) return
  for await (const { events, position } of logPages(eventStore, model.folded, filter, signal)) {
    const end = events.findIndex((event) => isBehind(event, until))
    if (end >= 0) return foldEvents(model, events.slice(0, end), evolve)
    foldBatch(model, { events, position }, evolve)
    if (reaches(position, until)) return
  }
}

/** Loads the model from its snapshot and the events since. Throws `UnavailableError`, also when `signal` aborts. */
export const loadModel = async <Model extends InMemoryModel, Header extends SnapshotHeader>(
  definition: ModelDefinition<Model, Header>,
  sources: ModelSources,
  signal: AbortSignal,
  until?: Until,
): Promise<Model> => {
  const model = await restoreModel(definition, sources, until)
  await catchUpModel(model, definition, sources.eventStore, signal, until)
  return model
}

/** Throws what `evolve` throws: the events before that one are folded in. */
export const foldBatch = <Model extends InMemoryModel>(
  model: Model,
  { events, position }: Pick<EventBatch, 'events' | 'position'>,
  evolve: Evolve<Model>,
): void => {
  foldEvents(model, events, evolve)
  model.folded = position
}

/** Encodes the snapshot to save; undefined while there is none. */
export const encodeModel = <Model extends InMemoryModel, Header extends SnapshotHeader>(
  { encode }: Pick<ModelDefinition<Model, Header>, 'encode'>,
  model: Model,
): Iterable<Uint8Array> | undefined => {
  const snapshot = encode(model)
  return snapshot && writeSnapshot(snapshot)
}

const foldEvents = <Model extends InMemoryModel>(
  model: Model,
  events: readonly RecordedEvent[],
  evolve: Evolve<Model>,
): void => {
  for (const event of events) {
    evolve(model, event)
    model.folded = event.position
    model.unsaved++
  }
}

const isBehind = ({ position, recordedAt }: RecordedEvent, until: Until | undefined): boolean =>
  until !== undefined && ('time' in until ? recordedAt > until.time : position > until.position)

/** True if there is nothing to read after the position. For a time only the events can tell. */
const reaches = (position: bigint, until: Until | undefined): boolean =>
  until !== undefined && 'position' in until && position >= until.position

const pageSize = 2000

/** Yields the event loop between two pages. */
async function* logPages(
  eventStore: Pick<EventStore, 'readAll'>,
  after: bigint,
  filter: EventFilter,
  signal: AbortSignal,
): AsyncGenerator<EventBatch> {
  for (let from = after; ; ) {
    await setImmediate()
    if (signal.aborted) throw new UnavailableError('the model is no longer needed')
    const page: EventBatch = await orThrow(eventStore.readAll(from, filter, pageSize))
    yield page
    if (page.caughtUp) return
    from = page.position
  }
}
