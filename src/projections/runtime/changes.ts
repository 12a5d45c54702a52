import { orThrow } from '../../async/unavailable.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { Row } from '../../domain/kernel/view.ts'
import type { Checkpoint } from '../../ports/checkpoint-store.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { ChangesPage, Point, RowChange, RowChanges } from '../../ports/view-store.ts'
import type { Stores } from './catch-up.ts'
import { viewsAsOf } from './history.ts'
import type { Projection } from './projection.ts'

/** A row that differs between two moments, and the events that wrote it in between. */
export interface ViewChange extends Pick<RowChange, 'key' | 'before' | 'after'> {
  readonly kind: 'came' | 'went' | 'changed'
  /** Columns whose values differ; none for a row that was added or deleted. */
  readonly columns: readonly string[]
  readonly events: readonly RecordedEvent[]
}

export interface ViewChanges extends Pick<RowChanges, 'next'> {
  readonly from: Checkpoint
  readonly to: Checkpoint
  readonly changes: readonly ViewChange[]
}

/**
 * Returns the rows of a view that were added, deleted or changed between two points, in the order of the key; without
 * `to` until now. Throws `NotATime`, and `HistoryNotKept` if the view keeps no history, or none that far back.
 */
export const viewChanges = async (
  projection: Projection,
  stores: Stores,
  view: string,
  points: { readonly from: Point; readonly to?: Point | undefined },
  page: ChangesPage,
): Promise<ViewChanges> => {
  const live = stores.viewStore.live(projection.name)
  const newest = live ? stores.viewStore.checkpoint(live).position : -1n
  const then = await viewsAsOf(projection, stores, points.from)
  const now = await viewsAsOf(projection, stores, points.to ?? { position: newest })
  const [from, to] = [then.at, now.at]
  // Queries both moments: history may be kept only from between them on.
  then.views.query(view, { limit: 0 })
  const found =
    from.position < to.position
      ? now.views.changes(view, from.position, page)
      : { changes: [], next: undefined }
  const changes: ViewChange[] = []
  for (const { positions, ...change } of found.changes)
    changes.push({ ...change, ...kindOf(change), events: await eventsAt(stores.eventStore, positions) })
  return { from, to, changes, next: found.next }
}

const kindOf = ({
  before,
  after,
}: Pick<RowChange, 'before' | 'after'>): Pick<ViewChange, 'kind' | 'columns'> => {
  if (!before) return { kind: 'came', columns: [] }
  return after ? { kind: 'changed', columns: differing(before, after) } : { kind: 'went', columns: [] }
}

const differing = (before: Row, after: Row): readonly string[] =>
  Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))

const eventsAt = async (
  eventStore: EventStore,
  positions: readonly bigint[],
): Promise<readonly RecordedEvent[]> => {
  const events: RecordedEvent[] = []
  for (const position of positions) {
    const { events: found } = await orThrow(eventStore.readAll(position - 1n, {}, 1))
    events.push(...found.filter((event) => event.position === position))
  }
  return events
}

/** A change as JSON, with its events in short. */
export const changeBody = ({ before, after, events, ...change }: ViewChange) => ({
  ...change,
  before: before ?? null,
  after: after ?? null,
  events: events.map(eventInShort),
})

/** An event without its data and most of its metadata. */
export const eventInShort = ({ position, type, stream, recordedAt, metadata: { actor } }: RecordedEvent) => ({
  ...{ position, type, stream, recordedAt },
  actor,
})
