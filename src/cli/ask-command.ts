import { isLeft } from 'fp-ts/lib/Either.js'
import { decode } from '../domain/kernel/codecs.ts'
import type { DomainEvent } from '../domain/kernel/event.ts'
import { Away } from '../ports/away.ts'
import { giveCommand } from '../system/give-command.ts'
import { commandsOf, type System } from '../system/system.ts'

/** The system said no. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

/** An operator's command on behalf of a sub-command; the events that it led to. Throws `Refused` or `Away`. */
export const askCommand = async (
  system: System,
  name: string,
  input: unknown,
  by: { readonly actor: string; readonly reason: string },
): Promise<readonly DomainEvent[]> => {
  const command = commandsOf(system.workflows).find((one) => one.name === name)
  if (!command) throw new Error(`there is no command ${name}`)
  const decoded = decode(command.codec, input)
  if (isLeft(decoded)) throw new Refused(decoded.left)
  const outcome = await giveCommand(system, command, decoded.right, by)
  if (isLeft(outcome)) throw new Away(`${name}: ${JSON.stringify(outcome.left)}`)
  if (outcome.right.kind === 'rejected') throw new Refused(outcome.right.rejection.message)
  return outcome.right.kind === 'done' ? outcome.right.events : []
}
