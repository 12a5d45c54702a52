import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import type { DomainEvent } from '../domain/kernel/event.ts'
import type { Rejection } from '../domain/kernel/rejection.ts'
import { Away } from '../ports/away.ts'
import type { Executed, ExecuteFailure } from '../processors/runtime/execute.ts'
import type { System, SystemCommand } from './system.ts'

export type Given = Executed<DomainEvent, Rejection> & { readonly stream: string }

export interface GivenBy {
  readonly actor: string
  readonly reason: string
  /** Names the wish: given again with the same one it has its effect once. Absent: every call is a new wish. */
  readonly key?: string | undefined
}

/**
 * Gives an operator's command with an input that its codec has decoded. An objection is as good as the views: bring them
 * up to date before, where it has one. It does not stand against a wish that had its effect already.
 */
export const giveCommand = async (
  system: System,
  command: SystemCommand,
  input: unknown,
  { actor, reason, key }: GivenBy,
): Promise<Either<ExecuteFailure, Given>> => {
  const { clock, execute, viewStore } = system
  const done = await carriedOut(system, command, input)
  if (isLeft(done)) return done
  if (isLeft(done.right)) return right({ kind: 'rejected', rejection: done.right.left, stream: command.name })
  const plan = command.plan(done.right.right, { actor, reason, at: clock.now() })
  const objection = command.objection?.(input)?.(viewStore)
  const decider = objection ? { ...plan.decider, decide: () => left(objection) } : plan.decider
  const cause = key === undefined ? uuid() : `${command.name}#${key}`
  const executed = await execute(decider, {
    stream: plan.stream,
    command: plan.command as never,
    causationId: cause,
    correlationId: cause,
  })
  return isLeft(executed) ? executed : right({ ...executed.right, stream: plan.stream })
}

const carriedOut = async (
  system: System,
  command: SystemCommand,
  input: unknown,
): Promise<Either<ExecuteFailure, Either<Rejection, unknown>>> => {
  try {
    return right(command.carryOut ? await command.carryOut(input, system) : right(input))
  } catch (error) {
    if (error instanceof Away) return left({ kind: 'Unavailable', reason: error.message })
    throw error
  }
}
