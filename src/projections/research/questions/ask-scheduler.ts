import type { SchedulerState } from '../../../domain/research/selection/scheduler-state.ts'
import type { Asking } from '../../runtime/question.ts'

/**
 * Calls `use` with the scheduler state folded from the whole log, now or as of the question, and with the time of that.
 * `use` advances the state to this time and folds nothing into it. Throws `UnavailableError`.
 */
export type AskScheduler = <A>(
  asking: Pick<Asking, 'eventStore' | 'snapshots' | 'signal' | 'now' | 'asOf'>,
  use: (scheduler: SchedulerState, at: string) => A,
) => Promise<A>
