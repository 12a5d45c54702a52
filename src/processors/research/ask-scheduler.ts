import { oneByOne } from '@fonds/toolbox'
import type { SchedulerState } from '../../domain/research/selection/scheduler-state.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { catchUpModel, type ModelSources, type Until } from '../runtime/in-memory-model.ts'
import { type LoadedState, loadSchedulerState, schedulerModel, timeOf } from './load-scheduler-state.ts'

interface SchedulerAsking extends ModelSources {
  readonly signal: AbortSignal
  /** ISO 8601 UTC. */
  readonly now: string
  /** Absent: as it is now. */
  readonly asOf?: Until
}

type Use<A> = (scheduler: SchedulerState, at: string) => A

/**
 * Calls `use` with the scheduler state, now or as of `asOf`, and the time of that. `use` must not fold events into the
 * state. Throws `UnavailableError`.
 */
export const askScheduler = async <A>(asking: SchedulerAsking, use: Use<A>): Promise<A> => {
  const { signal, now, asOf } = asking
  if (asOf === undefined) return askPresent(asking, use)
  const loaded = await loadSchedulerState(asking, signal, asOf)
  return use(loaded.scheduler, timeOf(asOf, loaded, now))
}

interface Kept {
  state?: LoadedState | undefined
  readonly inOrder: ReturnType<typeof oneByOne>
}

/** One state for each log stays in memory between questions, which catch it up one after the other. */
const keptStates = new WeakMap<EventStore, Kept>()

const askPresent = <A>(asking: SchedulerAsking, use: Use<A>): Promise<A> => {
  const { eventStore, signal, now } = asking
  const kept = keptStates.get(eventStore) ?? { inOrder: oneByOne() }
  keptStates.set(eventStore, kept)
  return kept.inOrder(async () => {
    const loaded = kept.state ?? (await loadSchedulerState(asking, signal))
    // After a failure the state is loaded again.
    kept.state = undefined
    await catchUpModel(loaded, schedulerModel, eventStore, signal)
    const found = use(loaded.scheduler, now)
    kept.state = loaded
    return found
  })
}
