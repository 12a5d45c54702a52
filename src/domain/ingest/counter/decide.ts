import * as E from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../kernel/decider.ts'
import { categories } from '../ids.ts'
import type { IngestRejection } from '../rejection.ts'
import { type CounterEvent, counterEvents } from './events.ts'

interface TakeIds extends Command {
  readonly type: 'TakeIds'
  /** The batch that they are for. */
  readonly for: string
  readonly count: number
}

export type CounterCommand = TakeIds

/** The next number. */
export type CounterState = number

const evolve = (_: CounterState, { data }: CounterEvent): CounterState => data.first + data.count

/** Numbers that count upwards: all of a batch at once, once a cause. */
export const counterDecider: Decider<CounterState, CounterCommand, CounterEvent, IngestRejection> = {
  category: categories.ids,
  events: counterEvents,
  initial: 1,
  evolve,
  decide: (command, first) =>
    E.right([{ type: 'IdsTaken', data: { for: command.for, first, count: command.count, at: command.at } }]),
}
