import { type Either, isLeft, map } from 'fp-ts/lib/Either.js'
import { expect } from 'vitest'
import { type Command, type Decided, type Decider, decisionOf } from '#src/domain/kernel/decider.ts'
import type { DomainEvent } from '#src/domain/kernel/event.ts'
import type { Rejection } from '#src/domain/kernel/rejection.ts'

/** What a command came to, to be held against what was expected. */
export interface Outcome<State, E extends DomainEvent, R extends Rejection> {
  /** Exactly these events, or the rejection with this code. */
  gives(expected: readonly E[] | R['code']): void
  readonly result: Either<R, readonly E[]>
  /** The new events; fails the test on a rejection. */
  readonly events: readonly E[]
  /** The state with the new events folded in. */
  readonly state: State
}

/** `given(...events).when(command).gives(events or rejection code)`, for any decider. */
export const specify =
  <State, C extends Command, E extends DomainEvent, R extends Rejection, Result = never>(
    decider: Decider<State, C, E, R, Result>,
  ) =>
  (...history: readonly E[]) => {
    const before = history.reduce(decider.evolve, decider.initial)
    return {
      state: before,
      when: (command: C): Outcome<State, E, R> => {
        const result = map((decided: Decided<E, Result>) => decisionOf<E, Result>(decided).events)(
          decider.decide(command, before),
        )
        const events = (): readonly E[] => {
          if (isLeft(result)) expect.fail(`rejected: ${result.left.code}: ${result.left.message}`)
          return result.right
        }
        return {
          result,
          gives: (expected) => {
            if (typeof expected !== 'string') expect(events()).toEqual(expected)
            else expect(isLeft(result) ? result.left.code : result.right).toBe(expected)
          },
          get events() {
            return events()
          },
          get state() {
            return events().reduce(decider.evolve, before)
          },
        }
      },
    }
  }
