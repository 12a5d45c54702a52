import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { v7 as uuid } from 'uuid'
import { tryUnavailable } from '../async/unavailable.ts'
import type { DomainEvent } from '../domain/kernel/event.ts'
import type { Rejection } from '../domain/kernel/rejection.ts'
import type { Executed, ExecuteFailure } from '../processors/runtime/execute.ts'
import type { SystemCommand } from '../workflows/workflow.ts'
import type { System } from './system.ts'

export type Dispatched = Executed<DomainEvent, Rejection> & { readonly stream: string }

export interface DispatchedBy {
  readonly actor: string
  readonly reason: string
  /** Idempotency key: dispatched again with the same one, a command has its effect once. Absent: each call is a new command. */
  readonly key?: string | undefined
}

/**
 * Dispatches an operator's command with an input that its codec has decoded. A rejection that the command reads from the
 * views is as good as they are: bring them up to date before, where it has one. A command that had its effect already
 * is not rejected.
 */
export const dispatch = async (
  system: System,
  command: SystemCommand,
  input: unknown,
  { actor, reason, key }: DispatchedBy,
): Promise<Either<ExecuteFailure, Dispatched>> => {
  const { clock, execute, viewStore } = system
  const done = await carryOut(system, command, input)()
  if (isLeft(done)) return done
  if (isLeft(done.right)) return right({ kind: 'rejected', rejection: done.right.left, stream: command.name })
  const route = command.route(done.right.right, { actor, reason, at: clock.now() })
  const rejection = command.rejection?.(input)?.(viewStore)
  const decider = rejection ? { ...route.decider, decide: () => left(rejection) } : route.decider
  const cause = key === undefined ? uuid() : `${command.name}#${key}`
  const executed = await execute(decider, {
    stream: route.stream,
    command: route.command as never,
    causationId: cause,
    correlationId: cause,
  })
  return isLeft(executed) ? executed : right({ ...executed.right, stream: route.stream })
}

const carryOut = (
  system: System,
  command: SystemCommand,
  input: unknown,
): TaskEither<ExecuteFailure, Either<Rejection, unknown>> =>
  tryUnavailable(async () => (command.carryOut ? command.carryOut(input, system) : right(input)))
