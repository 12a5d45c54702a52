import type { SchedulerState } from '../../../domain/research/selection/scheduler-state.ts'
import type { Asking } from '../../runtime/question.ts'

/**
 * Has `use` look at the state of the scheduler that knows all that the log says, now or as of the asking, with the time
 * of that. `use` brings the state to this time and folds nothing into it. Throws `UnavailableError`.
 */
export type AskScheduler = <A>(
  asking: Pick<Asking, 'eventStore' | 'snapshots' | 'signal' | 'now' | 'asOf'>,
  use: (scheduler: SchedulerState, at: string) => A,
) => Promise<A>
