import { text as readText } from 'node:stream/consumers'
import { chain, type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { fieldsOf } from '../../app/documents/json-schema.ts'
import { isObject } from '../../domain/kernel/envelope.ts'
import { parseJson } from '../../domain/kernel/json-text.ts'
import type { OperatorCommand } from '../../processors/runtime/operator-command.ts'
import { commandsOf } from '../../workflows/workflow.ts'
import { bringToRest } from '../at-rest.ts'
import type { Session } from '../context.ts'
import { inWords } from '../history-lines.ts'
import { type CliFailure, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { visible } from '../output/text.ts'
import { dispatchEach } from './dispatch-each.ts'
import { byOf, dispatchOnce, inLog, outcomeOf } from './dispatch-once.ts'
import { exampleFields, exampleOf } from './example-of.ts'
import { findCommand } from './find-command.ts'
import { decodeFields, parseFields } from './read-fields.ts'

interface DoOptions {
  readonly actor?: string
  readonly reason?: string
  readonly id?: string
  readonly each?: string
  readonly confirm?: boolean
}

export const run = async (
  session: Session,
  name: string | undefined,
  fields: readonly string[],
  { actor, reason, id, each, confirm }: DoOptions,
): Promise<CliFailure | undefined> => {
  const system = await session.system()
  const commands = commandsOf(system.workflows)
  if (name === undefined) return listCommands(session, commands)
  const found = findCommand(commands, name)
  if (isLeft(found)) return found.left
  const command = found.right
  const by = byOf({ ...(actor && { actor }), ...(reason && { reason }), key: id }, exampleOf(command))
  if (isLeft(by)) return by.left
  if (each === '-' && fields[0] === '-')
    return usage(
      'standard input cannot be both the list and the fields of all lines; write those as key=value',
    )
  const given = fields[0] === '-' ? await readObject(session, fields) : parseFields(fields)
  const read = confirm ? chain(confirmed(command))(given) : given
  if (isLeft(read)) return usage(read.left.message, read.left.hint ?? exampleOf(command))
  if (each !== undefined) return dispatchEach(session, command, each, read.right, by.right)
  const input = decodeFields(command.codec, read.right)
  if (isLeft(input)) return usage(input.left.message, input.left.hint ?? exampleOf(command))

  const done = await dispatchOnce(session, command, input.right, by.right)
  if (isLeft(done)) return done.left
  const outcome = outcomeOf(command, done.right)
  // A command with `carryOut` is done by now: there are no later effects to wait for.
  if (!command.carryOut) await bringToRest(session, system, inLog(outcome))
  const { output } = session
  await output.write(output.isTTY ? `${inPlainWords(outcome)}\n` : `${jsonText(outcome)}\n`)
  return undefined
}

type Fields = Readonly<Record<string, unknown>>
type ReadFields = Either<{ readonly message: string; readonly hint?: string }, Fields>

const confirmed =
  ({ name, codec }: OperatorCommand) =>
  (fields: Fields): ReadFields =>
    fieldsOf(codec).includes('confirmed')
      ? right({ ...fields, confirmed: true })
      : left({ message: `${name} is done without --confirm; leave it out` })

const readObject = async ({ stdin }: Session, fields: readonly string[]): Promise<ReadFields> => {
  if (fields.length > 1)
    return left({ message: 'give either fields or - for JSON on standard input, not both' })
  const json = parseJson(await readText(stdin))
  if (isLeft(json)) return left({ message: `standard input: ${json.left.message}` })
  return isObject(json.right)
    ? right(json.right)
    : left({ message: 'standard input holds no JSON object; write {"field": value, …}' })
}

const sentences = {
  done: 'done',
  unchanged: 'nothing to do: that is true already',
  repeated: 'done before, under the same --id',
} as const

const inPlainWords = (outcome: {
  readonly command: string
  readonly outcome: keyof typeof sentences
  readonly stream: string
  readonly position: bigint
  readonly events: readonly { readonly type: string; readonly data: unknown }[]
}): string =>
  [
    `${outcome.command}: ${sentences[outcome.outcome]} (${visible(outcome.stream)}, position ${outcome.position})`,
    ...outcome.events.map(({ type, data }) => `  ${inWords(type)}  ${visible(JSON.stringify(data))}`),
  ].join('\n')

const listCommands = async (
  { output }: Session,
  commands: readonly OperatorCommand[],
): Promise<undefined> => {
  const lines = commands.map((command) =>
    output.isTTY
      ? `${command.name}\n  ${command.description}\n  ${exampleOf(command)}`
      : jsonText({
          command: command.name,
          description: command.description,
          example: exampleFields(command),
        }),
  )
  await output.write(lines.map((line) => `${line}\n`).join(''))
}
