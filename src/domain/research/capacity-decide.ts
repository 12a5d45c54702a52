import * as E from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../kernel/decider.ts'
import { type CapacityEvent, capacityEvents } from './capacity.ts'
import { capacityCategory } from './terms.ts'

/** An assessment, without its time. */
export type Assessed = Omit<CapacityEvent['data'], 'at'>

interface Assess extends Command {
  readonly type: 'Assess'
  readonly assessed: Assessed
}

/** The last assessment that was recorded. */
type Last = Assessed | undefined

const evolve = (_: Last, { data: { researchers, queued, added, stopped } }: CapacityEvent): Last => ({
  researchers,
  queued,
  added,
  stopped,
})

/** Recorded where work was added, or where it differs from the one before: an idle assigner writes nothing. */
const decide = (
  { assessed: { researchers, queued, added, stopped }, at }: Assess,
  last: Last,
): E.Either<never, readonly CapacityEvent[]> =>
  E.right(
    added > 0 ||
      researchers !== last?.researchers ||
      queued !== last.queued ||
      added !== last.added ||
      stopped !== last.stopped
      ? [{ type: 'CapacityAssessed', data: { researchers, queued, added, stopped, at } }]
      : [],
  )

/** Assessments of capacity, so that people can see why there is, or is not, more work. */
export const capacityDecider: Decider<Last, Assess, CapacityEvent, never> = {
  category: capacityCategory,
  events: capacityEvents,
  initial: undefined,
  evolve,
  decide,
}
