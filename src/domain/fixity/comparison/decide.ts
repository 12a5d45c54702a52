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

interface ComparisonState {
  readonly last?: Extract<ComparisonEvent, { type: 'StoreCompared' }>['data']
}

/** A comparison that finds the same is recorded once a day of UTC. */
export const comparisonDecider: Decider<ComparisonState, ComparisonCommand, ComparisonEvent, never> = {
  category,
  events: comparisonEvents,
  initial: {},
  evolve: (state, event) => (event.type === 'StoreCompared' ? { last: event.data } : state),
  decide: (command, { last }) => {
    const { store, at } = command
    if (command.type === 'TakeIn') {
      const { prefix, isFile, reason } = command
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
