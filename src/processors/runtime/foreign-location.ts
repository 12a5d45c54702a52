import { left } from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../domain/kernel/decider.ts'
import type { DomainEvent } from '../../domain/kernel/event.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { Route } from './processor.ts'
import { routeTo } from './route.ts'

/** Why a stranger to this machine may not name a place, in a sentence; undefined where he may. */
export type RefusedLocation = (location: string | undefined) => string | undefined

/** A command that may name a place. Where that is `refused` it is rejected, whatever its stream says. */
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
