import { left } from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../domain/kernel/decider.ts'
import type { DomainEvent } from '../../domain/kernel/event.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { Route } from './processor.ts'
import { routeTo } from './route.ts'

/** Returns why a sender from outside this machine may not name a location, in a sentence; undefined if it may. */
export type RefusedLocation = (location: string | undefined) => string | undefined

/**
 * Routes a command that may name a location. If that is `refused`, the command is rejected whatever the state of its
 * stream.
 */
export const routeUnless = <S, C extends Command, E extends DomainEvent, R extends Rejection, Result>(
  refused: string | false | undefined,
  decider: Decider<S, C, E, R, Result>,
  stream: string,
  command: C,
): Route =>
  refused
    ? routeTo<S, C, E, Rejection, Result>({ ...decider, decide: () => foreign(refused) }, stream, command)
    : routeTo(decider, stream, command)

const foreign = (message: string) => left({ code: 'foreign-location', message })
