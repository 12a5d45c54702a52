import { isLeft } from 'fp-ts/lib/Either.js'
import { categoryOf, type DomainEvent, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { EventSet } from '../../domain/kernel/event-set.ts'
import type { ColumnOf, KeyValueOf, RowOf, Value, ViewShape } from '../../domain/kernel/view.ts'
import type { EventFilter } from '../../ports/event-store.ts'
import type { StorageHints, StoredShape, Tables } from '../../ports/view-store.ts'

/** A pure fold of events into rows: no clock, no I/O; rows depend only on the events and earlier rows. */
export interface Projection {
  readonly name: string
  /** To be raised with every change of `apply` or of a view: the views are then rebuilt beside the old ones. */
  readonly version: number
  readonly description: string
  readonly filter: EventFilter
  readonly views: readonly StoredShape[]
  apply(event: RecordedEvent, tables: Tables): void
  /** The cost of an event, in ordinary events, if some write far more rows than others. Default: 1. */
  weigh?(event: RecordedEvent): number
}

/** A projection never skips an event: it stops before one that it cannot fold, until the code or the event's codec is fixed. */
export class ProjectionStopped extends Error {
  override readonly name = 'ProjectionStopped'
  readonly position: bigint

  constructor(
    projection: string,
    event: Pick<RecordedEvent, 'position' | 'type' | 'stream'>,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(
      `projection ${projection} stopped at position ${event.position} (${event.type} in ${event.stream}): ${reason}`,
      options,
    )
    this.position = event.position
  }
}

type KeyValues<Key extends readonly string[], Columns> = {
  readonly [Index in keyof Key]: Key[Index] extends keyof Columns
    ? KeyValueOf<Columns[Key[Index]]> & Value
    : never
}
type KeyOf<Shape extends ViewShape> = KeyValues<Shape['key'], Shape['columns']>

export interface TableOf<Shape extends ViewShape> {
  get(...key: KeyOf<Shape>): RowOf<Shape> | undefined
  put(row: RowOf<Shape>): void
  delete(...key: KeyOf<Shape>): void
}

export type TablesOf<Views extends readonly ViewShape[]> = {
  readonly [Shape in Views[number] as Shape['name']]: TableOf<Shape>
}

/** How views are stored, by their names. */
export type StorageOf<Views extends readonly ViewShape[]> = {
  readonly [Shape in Views[number] as Shape['name']]?: StorageHints<ColumnOf<Shape>>
}

/** A handler for each relevant event type; `data` is decoded and in its current schema. */
export type Handlers<E extends DomainEvent, T> = {
  readonly [Type in E['type']]?: (
    data: Extract<E, { readonly type: Type }>['data'],
    event: RecordedEvent,
    tables: T,
  ) => void
}

/** A category that a projection subscribes to. */
interface Source {
  readonly category: string
  readonly types: readonly string[]
  /** Returns a sentence if the event cannot be read. */
  fold(event: RecordedEvent, tables: Tables): string | undefined
}

/** Declares a projection's handlers for the events of a category. */
type On<T> = <E extends DomainEvent>(
  category: string,
  events: EventSet<E>,
  handlers: Handlers<E, T>,
) => Source

const on = <E extends DomainEvent>(
  category: string,
  events: EventSet<E>,
  handlers: Handlers<E, Tables>,
): Source => {
  const byType = handlers as Readonly<
    Record<string, (data: unknown, event: RecordedEvent, tables: Tables) => void>
  >
  return {
    category,
    types: Object.keys(handlers),
    fold: (event, tables) => {
      const handler = byType[event.type]
      if (!handler) return undefined
      const read = events.read(event)
      if (isLeft(read)) return read.left
      handler(read.right.data, event, tables)
      return undefined
    },
  }
}

/**
 * Creates a projection from its views and handlers. Shapes written `as const satisfies ViewShape` give the handlers
 * typed rows. The filter follows from the handlers: an event type without one is never read.
 *
 *     projection({ name: 'items', version: 1, description, views: [items] }, (on) => [
 *       on('fixity', events, { ContentRecorded: (data, event, { items }) => items.put({ … }) }),
 *     ])
 */
export const projection = <const Views extends readonly ViewShape[]>(
  definition: Pick<Projection, 'name' | 'version' | 'description' | 'weigh'> & {
    readonly views: Views
    readonly storage?: StorageOf<Views>
  },
  sources: (on: On<TablesOf<Views>>) => readonly Source[],
): Projection => {
  const { name, version, description, views, weigh } = definition
  const storage: Readonly<Record<string, StorageHints | undefined>> = definition.storage ?? {}
  // The store creates the tables from these very shapes, so the typed view of them is the same tables.
  const listening = sources(on as On<TablesOf<Views>>)
  const byCategory = new Map<string, Source>()
  for (const each of listening) {
    if (byCategory.has(each.category))
      throw new Error(`projection ${name} listens to ${each.category} more than once`)
    byCategory.set(each.category, each)
  }
  return {
    name,
    version,
    description,
    views: views.map((view) => ({ ...view, ...storage[view.name] })),
    filter: {
      categories: [...byCategory.keys()],
      types: [...new Set(listening.flatMap(({ types }) => types))],
    },
    apply: (event, tables) => {
      const reason = byCategory.get(categoryOf(event.stream))?.fold(event, tables)
      if (reason !== undefined) throw new ProjectionStopped(name, event, reason)
    },
    ...(weigh && { weigh }),
  }
}
