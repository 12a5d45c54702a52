import * as E from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../kernel/decider.ts'
import { categories } from '../ids.ts'
import { type IngestRejection, reject } from '../rejection.ts'
import { type HoldEvent, holdEvents } from './events.ts'

export interface HoldCommand extends Command {
  /** `ReleaseJobs`: the held jobs of the collection; a hold that stands holds them again when they are looked at (C9). */
  readonly type: 'SetHold' | 'ReleaseHold' | 'ReleaseJobs'
  readonly reason: string
}

/** Why it is on hold; undefined while it is not. */
export type HoldState = string | undefined

const evolve = (state: HoldState, { type, data }: HoldEvent): HoldState => {
  switch (type) {
    case 'HoldSet':
      return data.reason
    case 'HoldReleased':
      return undefined
    case 'JobsReleased':
      return state
  }
}

/** Nothing of what is on hold is begun; what runs finishes. */
export const holdDecider: Decider<HoldState, HoldCommand, HoldEvent, IngestRejection> = {
  category: categories.hold,
  events: holdEvents,
  initial: undefined,
  evolve,
  decide: ({ type, reason, at }, state) => {
    switch (type) {
      case 'SetHold':
        return E.right(state === reason ? [] : [{ type: 'HoldSet', data: { reason, at } }])
      case 'ReleaseHold':
        return state === undefined
          ? reject('not-held', 'it is not on hold: there is nothing to release')
          : E.right([{ type: 'HoldReleased', data: { reason, at } }])
      case 'ReleaseJobs':
        return E.right([{ type: 'JobsReleased', data: { reason, at } }])
    }
  },
}

/** What is on hold, with the reasons: looked up afresh whenever something is to be begun. */
export interface Holds {
  readonly all?: string | undefined
  readonly collection?: string | undefined
}
