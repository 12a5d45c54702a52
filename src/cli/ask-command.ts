import { isLeft } from 'fp-ts/lib/Either.js'
import { dispatch } from '../app/dispatch.ts'
import type { System } from '../app/system.ts'
import { unavailable } from '../async/unavailable.ts'
import { decode } from '../domain/kernel/codecs.ts'
import type { DomainEvent } from '../domain/kernel/event.ts'
import { commandsOf, type SystemCommand } from '../workflows/workflow.ts'

/** An operator's command was rejected. */
export class RejectedError extends Error {
  override readonly name = 'RejectedError'
}

/** Dispatches an operator's command for a sub-command. Returns its events. Throws `RejectedError` or `UnavailableError`. */
export const askCommand = async (
  system: System,
  name: string,
  input: unknown,
  by: CommandBy,
): Promise<readonly DomainEvent[]> => {
  const command = commandsOf(system.workflows).find((one) => one.name === name)
  if (!command) throw new Error(`there is no command ${name}`)
  return carryOut(system, command, input, by)
}

interface CommandBy {
  readonly actor: string
  readonly reason: string
}

/** Dispatches a command that may be in no list. */
export const carryOut = async (
  system: System,
  command: SystemCommand,
  input: unknown,
  by: CommandBy,
): Promise<readonly DomainEvent[]> => {
  const decoded = decode(command.codec, input)
  if (isLeft(decoded)) throw new RejectedError(decoded.left)
  const outcome = await dispatch(system, command, decoded.right, by)
  if (isLeft(outcome)) throw unavailable(outcome.left, command.name)
  if (outcome.right.kind === 'rejected') throw new RejectedError(outcome.right.rejection.message)
  return outcome.right.kind === 'done' ? outcome.right.events : []
}
