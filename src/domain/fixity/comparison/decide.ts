import * as E from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../kernel/decider.ts'
import { dayOf } from '../store/budget.ts'
import {
  type Answered,
  type ComparisonEvent,
  category,
  comparisonEvents,
  type Differences,
} from './events.ts'
import { maxRequests, requestsAfter } from './requests.ts'

/** From the leader, which has listed the store. */
export interface NoteComparison extends Command {
  readonly type: 'NoteComparison'
  readonly store: string
  readonly differences: Differences
  readonly newFiles: 'ask' | 'take-in'
  readonly takenIn: number
  /** The requests that it answers, the oldest first. */
  readonly answered?: readonly Answered[]
}

/** From a person. An empty prefix selects the whole store. */
export interface TakeIn extends Command {
  readonly type: 'TakeIn'
  readonly store: string
  readonly prefix: string
  /** The prefix is the path of one file. */
  readonly isFile?: boolean
  readonly reason: string
}

export type ComparisonCommand = NoteComparison | TakeIn

export interface ComparisonRejection {
  readonly code: 'too-many-requests'
  readonly message: string
}

interface ComparisonState {
  readonly last?: Extract<ComparisonEvent, { type: 'StoreCompared' }>['data']
  /** They wait for a comparison, the oldest first. */
  readonly requests: readonly Answered[]
}

/** A comparison that finds the same is recorded once a day of UTC. */
export const comparisonDecider: Decider<
  ComparisonState,
  ComparisonCommand,
  ComparisonEvent,
  ComparisonRejection
> = {
  category,
  events: comparisonEvents,
  initial: { requests: [] },
  evolve: (state, event) => ({
    ...(event.type === 'StoreCompared' ? { last: event.data } : state),
    requests: requestsAfter(state.requests, event),
  }),
  decide: (command, { last, requests }) => {
    const { store, at } = command
    if (command.type === 'TakeIn') {
      const { prefix, isFile, reason } = command
      if (requests.length >= maxRequests)
        return E.left({
          code: 'too-many-requests',
          message: `${maxRequests} requests to take files of store ${store} in wait for its next comparison, and no more can: ask again once it has answered them (\`fonds fixity differences ${store}\` says how many wait); one request with a prefix takes all below it in`,
        })
      const data = { store, prefix, ...(isFile && ({ isFile } as const)), reason, at }
      return E.right([{ type: 'TakeInRequested', data }])
    }
    const { differences, newFiles, takenIn, answered = [] } = command
    const requestedAt = answered.at(-1)?.at
    const isNews =
      !last ||
      takenIn > 0 ||
      requestedAt !== undefined ||
      dayOf(last.at) !== dayOf(at) ||
      JSON.stringify(last.differences) !== JSON.stringify(differences)
    return E.right(
      isNews
        ? [
            {
              type: 'StoreCompared',
              data: {
                ...{ store, differences, newFiles, takenIn, at },
                ...(requestedAt !== undefined && { requestedAt, answered: [...answered] }),
              },
            },
          ]
        : [],
    )
  },
}
