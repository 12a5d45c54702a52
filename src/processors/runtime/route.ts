import type { Command, Decider } from '../../domain/kernel/decider.ts'
import type { DomainEvent } from '../../domain/kernel/event.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { Route } from './processor.ts'

/** Pairs a command with its decider. Their types agree here and need not be known further on. */
export const routeTo = <S, C extends Command, E extends DomainEvent, R extends Rejection, Result = never>(
  decider: Decider<S, C, E, R, Result>,
  stream: string,
  command: C,
): Route => ({ decider, stream, command }) as unknown as Route
