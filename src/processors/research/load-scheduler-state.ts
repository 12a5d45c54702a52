import { orThrow, UnavailableError } from '../../async/unavailable.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { type EventPlace, placeOf } from '../../domain/kernel/event-place.ts'
import { createSchedulerState } from '../../domain/research/selection/create-scheduler-state.ts'
import type { SchedulerState } from '../../domain/research/selection/scheduler-state.ts'
import {
  clipCategory,
  episodeCategory,
  policyCategory,
  researcherCategory,
} from '../../domain/research/terms.ts'
import type { EventFilter, EventStore } from '../../ports/event-store.ts'
import type { SnapshotStore } from '../../ports/snapshot-store.ts'
import { logPages } from '../runtime/log-pages.ts'
import { holds } from '../runtime/same-log.ts'
import { type SnapshotHeader, schedulerSnapshot } from './scheduler-snapshot.ts'

/** The events that the scheduler state is folded from. */
export const assignerFilter: EventFilter = {
  categories: [episodeCategory, clipCategory, researcherCategory, policyCategory],
}

/** Also the name of its snapshot. */
export const assignerName = 'research-assigner'

/** The scheduler state with its position in the log. */
export interface LoadedState {
  /** Identity of the log. */
  readonly log: string
  readonly scheduler: SchedulerState
  /** The log is folded in up to here. */
  folded: bigint
  /** The last event that was folded in. */
  last: EventPlace | undefined
  /** The time of its last `advance`; empty at first. */
  advancedTo: string
  /** Events folded in since the snapshot. */
  unsaved: number
}

/** The past to ask about. A time is ISO 8601 UTC with milliseconds; events of that millisecond are included. */
export type Until = { readonly position: bigint } | { readonly time: string }

/** The time of that point; of a position it is that of the last event up to it. */
export const timeOf = (until: Until, { last }: LoadedState, now: string): string =>
  'time' in until ? until.time : (last?.recordedAt ?? now)

/** The snapshot, where it is of this log and no later than `until`; else empty. Throws `UnavailableError`. */
export const loadSnapshot = async (
  name: string,
  eventStore: EventStore,
  snapshots: SnapshotStore,
  until?: Until,
): Promise<LoadedState> => {
  const log = await orThrow(eventStore.identity())
  const saved = await schedulerSnapshot.load(
    snapshots,
    name,
    log,
    (header) => isWithin(header, until) && holds(eventStore, header.last),
  )
  if (!saved) return emptyState(log)
  const { last, advancedTo } = saved.header
  return { log, scheduler: saved.model, folded: BigInt(last.position), last, advancedTo, unsaved: 0 }
}

export const emptyState = (log: string): LoadedState => ({
  log,
  scheduler: createSchedulerState(),
  folded: -1n,
  last: undefined,
  advancedTo: '',
  unsaved: 0,
})

/**
 * Folds all that the log says up to now, or up to a point of the past; writes nothing. The state is as of the last event:
 * whoever asks advances it to the time in question. Throws `UnavailableError`, also when `signal` aborts.
 */
export const loadSchedulerState = async (
  name: string,
  eventStore: EventStore,
  snapshots: SnapshotStore,
  signal: AbortSignal,
  { until }: { readonly until?: Until } = {},
): Promise<LoadedState> => {
  const loaded = await loadSnapshot(name, eventStore, snapshots, until)
  await catchUp(loaded, eventStore, signal, until)
  return loaded
}

/** Folds in the events since. Throws `UnavailableError`, also when `signal` aborts. */
export const catchUp = async (
  loaded: LoadedState,
  eventStore: EventStore,
  signal: AbortSignal,
  until?: Until,
): Promise<void> => {
  for await (const { events, position } of logPages(eventStore, loaded.folded, assignerFilter, signal)) {
    for (const event of events) {
      if (isBehind(event, until)) return
      foldEvent(loaded, event)
    }
    loaded.folded = position
  }
}

/** Throws `UnavailableError` where the event cannot be read: the state is then as before it. */
export const foldEvent = (loaded: LoadedState, event: RecordedEvent): void => {
  const unreadable = loaded.scheduler.fold(event)
  if (unreadable !== undefined)
    throw new UnavailableError(
      `${event.stream} at position ${event.position}: ${unreadable}. No work is handed out until it can be read: ` +
        'start the version of Fonds that wrote it',
    )
  loaded.folded = event.position
  loaded.last = placeOf(event)
  loaded.unsaved++
}

const isBehind = ({ position, recordedAt }: RecordedEvent, until: Until | undefined): boolean =>
  until !== undefined && ('time' in until ? recordedAt > until.time : position > until.position)

const isWithin = ({ last, advancedTo }: SnapshotHeader, until: Until | undefined): boolean => {
  if (until === undefined) return true
  if ('position' in until) return BigInt(last.position) <= until.position
  return last.recordedAt <= until.time && advancedTo <= until.time
}
