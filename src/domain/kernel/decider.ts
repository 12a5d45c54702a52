import type { Either } from 'fp-ts/lib/Either.js'
import type { DomainEvent } from './event.ts'
import type { EventSet } from './event-set.ts'
import type { Rejection } from './rejection.ts'

/** Every command says who wants it and when: a decision has no clock of its own. */
export interface Command {
  readonly type: string
  readonly actor: string
  /** ISO 8601 UTC. */
  readonly at: string
}

/**
 * The pure core of a stream: what is true (`evolve`) and what may happen next (`decide`).
 * `decide` returns no events where the command changes nothing.
 */
export interface Decider<State, C extends Command, E extends DomainEvent, R extends Rejection> {
  /** Category of the streams it decides for. */
  readonly category: string
  readonly events: EventSet<E>
  readonly initial: State
  readonly evolve: (state: State, event: E) => State
  readonly decide: (command: C, state: State) => Either<R, readonly E[]>
}
