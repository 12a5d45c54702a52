import { readFile } from 'node:fs/promises'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { parseJson } from '../../domain/kernel/json-text.ts'
import type { ShortForm } from '../../processors/runtime/operator-command.ts'
import type { SystemCommand } from '../../workflows/workflow.ts'
import { bringToRest } from '../at-rest.ts'
import type { Session } from '../context.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { visible } from '../output/text.ts'
import type { Done } from './dispatch-once.ts'
import { byOf, dispatchOnce, inLog, outcomeOf } from './dispatch-once.ts'
import { decodeFields } from './read-fields.ts'

/** Action of the command line after a command, instead of waiting for its effects and writing the outcome. */
export interface FollowUp {
  readonly flags: readonly (readonly [flag: string, says: string])[]
  follow(session: Session, done: Done, flags: Fields): Promise<CliFailure | undefined>
}

type Fields = Readonly<Record<string, unknown>>

/** Dispatches the command, waits for its effects and writes the outcome, or runs the follow-up. */
export const runShort = async (
  session: Session,
  command: SystemCommand,
  short: ShortForm<never>,
  named: Fields,
  flags: Fields,
  followUp: FollowUp | undefined,
): Promise<CliFailure | undefined> => {
  const { actor, reason, id: key } = flags as Readonly<Record<string, string | undefined>>
  const example = `fonds ${command.name.replace('.', ' ')} ${short.arguments.map((name) => `<${name}> `).join('')}--actor <you> --reason <why>`
  const by = byOf({ ...(actor && { actor }), ...(reason && { reason }), key }, example)
  if (isLeft(by)) return by.left
  const fields = await fieldsOf(short, flags)
  if (isLeft(fields)) return fields.left
  const input = decodeFields(command.codec, { ...named, ...fields.right })
  // An invalid file is no usage error.
  const isInFile = Object.entries(short.flags ?? {}).some(
    ([name, { value }]) => value === 'file' && flags[name],
  )
  if (isLeft(input)) return (isInFile ? refused : usage)(input.left.message, input.left.hint ?? example)
  const known = input.right as never
  const given = await dispatchOnce(
    session,
    { ...command, rejection: rejectionOf(command, short) },
    known,
    by.right,
  )
  if (isLeft(given)) return given.left
  if (followUp) return followUp.follow(session, given.right, flags)
  const outcome = outcomeOf(command, given.right)
  const system = await session.system()
  await bringToRest(session, system, inLog(outcome))
  const { output } = session
  const sentence =
    outcome.events.length > 0 ? short.done(known, system.viewStore) : 'nothing to do: that is true already'
  await output.write(output.isTTY ? `${visible(sentence)}\n` : `${jsonText(outcome)}\n`)
  return undefined
}

const rejectionOf =
  (command: SystemCommand, short: ShortForm<never>): NonNullable<SystemCommand['rejection']> =>
  (input) =>
    short.rejection?.(input as never) ?? command.rejection?.(input)

/** Returns the fields among the flags; for a flag that names a file, the JSON in it. */
const fieldsOf = async (short: ShortForm<never>, flags: Fields): Promise<Either<CliFailure, Fields>> => {
  const fields: Record<string, unknown> = {}
  for (const [name, { value }] of Object.entries(short.flags ?? {})) {
    const given = flags[name]
    if (given === undefined) continue
    if (value !== 'file') fields[name] = given
    else {
      const json = parseJson(await readFile(String(given)))
      if (isLeft(json)) return left(usage(`${given}: ${json.left.message}`))
      fields[name] = json.right
    }
  }
  return right(fields)
}
