import * as t from 'io-ts'
import { holds } from '../../async/same-log.ts'
import { UnavailableError } from '../../async/unavailable.ts'
import { EventPlace, placeOf } from '../../domain/kernel/event-place.ts'
import {
  createSchedulerState,
  readSchedulerState,
  schedulerStateParts,
} from '../../domain/research/selection/create-scheduler-state.ts'
import type { SchedulerState } from '../../domain/research/selection/scheduler-state.ts'
import {
  clipCategory,
  episodeCategory,
  policyCategory,
  researcherCategory,
} from '../../domain/research/terms.ts'
import {
  type InMemoryModel,
  loadModel,
  type ModelDefinition,
  type ModelSources,
  type Until,
} from '../runtime/in-memory-model.ts'

export const assignerName = 'research-assigner'

/** The scheduler state with its position in the log. */
export interface LoadedState extends InMemoryModel {
  readonly scheduler: SchedulerState
  /** The last event that was folded in. */
  last: EventPlace | undefined
  /** The time of its last `advance`; empty at first. */
  advancedTo: string
}

/**
 * Names the last event folded in. It proves that the log is still the same: a log restored from an older copy has
 * another event in its place, or none.
 */
const Header = t.type({
  format: t.literal(1),
  /** Identity of the log. */
  log: t.string,
  last: EventPlace,
  /** The time of the last `advance`: the state cannot go back before it. */
  advancedTo: t.string,
})
type Header = t.TypeOf<typeof Header>

export const schedulerModel: ModelDefinition<LoadedState, Header> = {
  name: assignerName,
  filter: { categories: [episodeCategory, clipCategory, researcherCategory, policyCategory] },
  initial: (log) => ({
    log,
    scheduler: createSchedulerState(),
    folded: -1n,
    last: undefined,
    advancedTo: '',
    unsaved: 0,
  }),
  evolve: (loaded, event) => {
    const unreadable = loaded.scheduler.fold(event)
    if (unreadable !== undefined)
      throw new UnavailableError(
        `${event.stream} at position ${event.position}: ${unreadable}. No work is assigned until it can be read: ` +
          'start the version of Fonds that wrote it',
      )
    loaded.last = placeOf(event)
  },
  header: Header,
  holds: async (header, eventStore, until) => isWithin(header, until) && holds(eventStore, header.last),
  decode: ({ header: { log, last, advancedTo }, body }) => {
    const scheduler = readSchedulerState(body)
    return scheduler && { log, scheduler, folded: BigInt(last.position), last, advancedTo, unsaved: 0 }
  },
  encode: ({ log, last, advancedTo, scheduler }) =>
    last && { header: { format: 1, log, last, advancedTo }, body: schedulerStateParts(scheduler) },
}

const isWithin = ({ last, advancedTo }: Header, until: Until | undefined): boolean => {
  if (until === undefined) return true
  if ('position' in until) return BigInt(last.position) <= until.position
  return last.recordedAt <= until.time && advancedTo <= until.time
}

/**
 * Loads the state as of now, or as of a point of the past; writes nothing. The state is as of the last event: the
 * caller advances it to the time in question. Throws `UnavailableError`, also when `signal` aborts.
 */
export const loadSchedulerState = (
  sources: ModelSources,
  signal: AbortSignal,
  until?: Until,
): Promise<LoadedState> => loadModel(schedulerModel, sources, signal, until)

/** The time of `until`; for a position, that of the last event up to it. */
export const timeOf = (until: Until, { last }: LoadedState, now: string): string =>
  'time' in until ? until.time : (last?.recordedAt ?? now)
