import type { Either } from 'fp-ts/lib/Either.js'
import type { DomainEvent } from './event.ts'
import type { EventSet } from './event-set.ts'
import type { Rejection } from './rejection.ts'

/** A command carries its actor and its time: a decision has no clock of its own. */
export interface Command {
  readonly type: string
  readonly actor: string
  /** ISO 8601 UTC. */
  readonly at: string
}

/** Events, and a result for the command's caller. */
export interface Decision<E extends DomainEvent, Result> {
  readonly events: readonly E[]
  readonly result?: Result
}

/** Events alone for a decider without results. */
export type Decided<E extends DomainEvent, Result> = [Result] extends [never]
  ? readonly E[]
  : readonly E[] | Decision<E, Result>

export const decisionOf = <E extends DomainEvent, Result>(
  decided: readonly E[] | Decision<E, Result>,
): Decision<E, Result> => ('events' in decided ? decided : { events: decided })

/** Folds a stream's events into its state. */
export interface Fold<State, E extends DomainEvent> {
  readonly events: EventSet<E>
  readonly initial: State
  readonly evolve: (state: State, event: E) => State
}

/**
 * The pure core of a stream: its state (`evolve`) and its decisions (`decide`). `decide` returns no events if the
 * command changes nothing.
 */
export interface Decider<State, C extends Command, E extends DomainEvent, R extends Rejection, Result = never>
  extends Fold<State, E> {
  /** Category of the streams it decides for. */
  readonly category: string
  readonly decide: (command: C, state: State) => Either<R, Decided<E, Result>>
}
