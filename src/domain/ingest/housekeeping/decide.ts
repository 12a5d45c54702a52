import * as E from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../kernel/decider.ts'
import { categories } from '../ids.ts'
import type { IngestRejection } from '../rejection.ts'
import { type HousekeepingEvent, housekeepingEvents } from './events.ts'

export interface HousekeepingCommand extends Command {
  readonly type: 'RequestSweep' | 'RequestCleaning'
  /** Batches and folders of jobs that ended before this time are removed. */
  readonly before: string
  readonly reason: string
}

/** Removals that a person has ordered so far. */
export interface HousekeepingState {
  /** Work folders of jobs that ended before this time are removed. */
  readonly cleanBefore?: string
}

const evolve = (state: HousekeepingState, { type, data }: HousekeepingEvent): HousekeepingState =>
  type === 'CleaningRequested' && data.before > (state.cleanBefore ?? '')
    ? { cleanBefore: data.before }
    : state

export const housekeepingDecider: Decider<
  HousekeepingState,
  HousekeepingCommand,
  HousekeepingEvent,
  IngestRejection
> = {
  category: categories.housekeeping,
  events: housekeepingEvents,
  initial: {},
  evolve,
  decide: ({ type, before, reason, at }) =>
    E.right([
      {
        type: type === 'RequestSweep' ? 'SweepRequested' : 'CleaningRequested',
        data: { before, reason, at },
      },
    ]),
}
