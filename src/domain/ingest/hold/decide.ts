import * as E from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../kernel/decider.ts'
import { categories } from '../ids.ts'
import { type IngestRejection, reject } from '../rejection.ts'
import { type HoldEvent, holdEvents } from './events.ts'

export interface HoldCommand extends Command {
  /**
   * `ReleaseJobs`: releases the held jobs of the collection; a hold that is still set holds them again at their next
   * claim (C9).
   */
  readonly type: 'SetHold' | 'ReleaseHold' | 'ReleaseJobs'
  readonly reason: string
}

/** Reason of the hold; undefined if there is none. */
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

/** Work on hold is not begun; work under way is finished. */
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

/** The holds in force, with their reasons: looked up whenever a task is to be begun. */
export interface Holds {
  readonly all?: string | undefined
  readonly collection?: string | undefined
}
