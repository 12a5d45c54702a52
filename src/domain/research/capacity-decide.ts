import { type Either, right } from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../kernel/decider.ts'
import { type CapacityEvent, capacityEvents } from './capacity.ts'
import { capacityCategory } from './terms.ts'

/** What a run of the assigner came to, but for its time. */
export type Assessed = Omit<CapacityEvent['data'], 'at'>

export interface Assess extends Command {
  readonly type: 'Assess'
  readonly assessed: Assessed
}

/** The last one that was kept. */
type Last = Assessed | undefined

const evolve = (_: Last, { data: { researchers, queued, added, stopped } }: CapacityEvent): Last => ({
  researchers,
  queued,
  added,
  stopped,
})

/** Kept where work was added, or it ended otherwise than the one before: an idle assigner writes nothing. */
const decide = (
  { assessed: { researchers, queued, added, stopped }, at }: Assess,
  last: Last,
): Either<never, readonly CapacityEvent[]> =>
  right(
    added > 0 ||
      researchers !== last?.researchers ||
      queued !== last.queued ||
      added !== last.added ||
      stopped !== last.stopped
      ? [{ type: 'CapacityAssessed', data: { researchers, queued, added, stopped, at } }]
      : [],
  )

/** Decisions on capacity, so that people can see why there is, or is not, more work. */
export const capacityDecider: Decider<Last, Assess, CapacityEvent, never> = {
  category: capacityCategory,
  events: capacityEvents,
  initial: undefined,
  evolve,
  decide,
}
