import { GenerationMissing } from '../../async/errors.ts'
import { orThrow } from '../../async/unavailable.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { HistoryNotFolded, HistoryNotKept, TooManyRows } from '../../domain/kernel/view.ts'
import type { Checkpoint } from '../../ports/checkpoint-store.ts'
import type { Generation, Point, ViewStore, ViewsAsOf } from '../../ports/view-store.ts'
import { canonical } from './as-of.ts'
import type { Stores } from './catch-up.ts'
import type { Projection } from './projection.ts'

/** True if one of its views keeps history. */
export const keepsHistory = ({ views }: Projection): boolean => views.some(({ history }) => history)

/** True if one of its live views was created with history: it may have been created without. */
export const wasCreatedWithHistory = ({ views }: Projection, viewStore: Pick<ViewStore, 'shape'>): boolean =>
  views.some(({ name, history }) => history && viewStore.shape(name)?.history)

/**
 * Queries the views of a projection as of a point, by their history. Calls `otherwise` with the reason if they keep
 * none, or none that far back, or if too many rows would be read; `ask` may have been called before. Throws `NotATime`,
 * and `HistoryNotFolded`.
 */
export const askHistory = async <A>(
  projection: Projection,
  stores: Stores,
  at: Point,
  ask: (views: ViewsAsOf) => Promise<A>,
  otherwise: (why: string) => Promise<A>,
): Promise<A> => {
  try {
    return await ask((await viewsAsOf(projection, stores, at)).views)
  } catch (error) {
    if (error instanceof HistoryNotFolded) throw error
    if (error instanceof HistoryNotKept || error instanceof GenerationMissing || error instanceof TooManyRows)
      return otherwise(error.message)
    throw error
  }
}

/**
 * Returns the views of the live generation as of a point. Throws `HistoryNotFolded`, and `HistoryNotKept` if they are of
 * another version.
 */
export const viewsAsOf = async (
  projection: Projection,
  stores: Stores,
  given: Point,
): Promise<{ readonly views: ViewsAsOf; readonly at: Checkpoint }> => {
  const point = canonical(given)
  const { viewStore } = stores
  const live = viewStore.live(projection.name)
  if (live?.version !== projection.version || !wasCreatedWithHistory(projection, viewStore))
    throw new HistoryNotKept(`the views of ${projection.name} keep no history`)
  const known = knownOf(viewStore)
  const name = `${live.id} ${'time' in point ? point.time : point.position}`
  const before = known.get(name)
  if (before) return { views: viewStore.asOf(live, before), at: before }
  const { at, isFinal } = await locate(projection, stores, live, point)
  if (isFinal) known.set(name, at)
  if (known.size > maxKnown) known.delete(known.keys().next().value ?? name)
  return { views: viewStore.asOf(live, at), at }
}

/** Resolved points of history: they do not change. */
const knownOf = (viewStore: ViewStore): Map<string, Checkpoint> => {
  const known = knownPoints.get(viewStore) ?? new Map()
  knownPoints.set(viewStore, known)
  return known
}
const knownPoints = new WeakMap<ViewStore, Map<string, Checkpoint>>()
const maxKnown = 1000

const batchEvents = 64

/**
 * Finds the last event of the projection at or before a point, from the last moment that its views stored. Not settled:
 * the log ends before the point, and may grow.
 */
const locate = async (
  { name, filter }: Projection,
  { viewStore, eventStore }: Stores,
  live: Generation,
  point: Point,
): Promise<{ readonly at: Checkpoint; readonly isFinal: boolean }> => {
  const checkpoint = viewStore.checkpoint(live)
  const moment = viewStore.moment(live, point)
  let { position, time } = moment
  const located = (isFinal: boolean) => {
    if (position > checkpoint.position)
      throw new HistoryNotFolded(
        `the views of ${name} are folded up to position ${checkpoint.position} alone`,
        position,
      )
    const asked = 'position' in point && point.position <= checkpoint.position ? point.position : position
    return { at: { position: asked, time }, isFinal }
  }
  let from = moment.next
  while (from !== undefined) {
    const batch = await orThrow(eventStore.readAll(from, filter, batchEvents))
    for (const event of batch.events) {
      if (isBehind(event, point)) return located(true)
      position = event.position
      if (time === null || time < event.recordedAt) time = event.recordedAt
    }
    if ('position' in point && batch.position >= point.position) break
    if (batch.caughtUp) return located(false)
    from = batch.position
  }
  return located(true)
}

const isBehind = ({ position, recordedAt }: RecordedEvent, point: Point): boolean =>
  'time' in point ? recordedAt > point.time : position > point.position
