import * as E from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../kernel/decider.ts'
import { category, type RequestEvent, requestEvents } from './events.ts'

/** The items that a person wants checked, of one page of a store. */
export interface RequestChecks extends Command {
  readonly type: 'RequestChecks'
  readonly store: string
  readonly paths: readonly string[]
  readonly queue: 'high' | 'low'
  readonly reason: string
}

/** Whether it was made. */
type RequestState = boolean

/** A page is asked for once. */
export const requestDecider: Decider<RequestState, RequestChecks, RequestEvent, never> = {
  category,
  events: requestEvents,
  initial: false,
  evolve: () => true,
  decide: ({ store, paths, queue, reason, at }, isMade) =>
    E.right(
      isMade
        ? []
        : [{ type: 'ChecksRequested', data: { store, paths: [...paths], queue, reason, dueAt: at } }],
    ),
}
