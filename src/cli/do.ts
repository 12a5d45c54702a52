import { text as readText } from 'node:stream/consumers'
import type { Command } from 'commander'
import { chain, type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { fieldsOf } from '../app/documents/json-schema.ts'
import { isObject } from '../domain/kernel/envelope.ts'
import { parseJson } from '../domain/kernel/json-text.ts'
import type { OperatorCommand } from '../processors/runtime/operator-command.ts'
import { workflows } from '../workflows/all.ts'
import { commandsOf } from '../workflows/workflow.ts'
import { bringToRest } from './at-rest.ts'
import { didYouMean } from './closest.ts'
import { type CliContext, running, type Session } from './context.ts'
import { commandHelp } from './do/command-help.ts'
import { dispatchEach } from './do/dispatch-each.ts'
import { byOf, dispatchOnce, outcomeOf } from './do/dispatch-once.ts'
import { exampleFields, exampleOf } from './do/example-of.ts'
import { decodeFields, parseFields } from './do/read-fields.ts'
import { addExamples } from './examples.ts'
import { CommandFailed } from './failures.ts'
import { inWords } from './history-lines.ts'
import { type CliFailure, refused, usage } from './output/exit-codes.ts'
import { jsonText } from './output/format.ts'
import { visible } from './output/text.ts'

interface DoOptions {
  readonly actor?: string
  readonly reason?: string
  readonly id?: string
  readonly each?: string
  readonly confirm?: boolean
}

export const registerDo = (program: Command, context: CliContext): void => {
  const command = program
    .command('do')
    .summary("give an operator's command, and wait for what comes of it")
    .description(
      'Gives a command as a person: who wants it and why is kept with what happens. Returns when everything that ' +
        'follows from it is done and the views show it. Without a command it lists them.\n\n' +
        'With --each it is given once for each line of a list. All lines are read first: where one cannot be used, all that ' +
        'cannot are outcome and nothing is done. The domain may still reject some; they are outcome, and the others are done. ' +
        'With --id the whole can be given again, as after a crash: each line has its effect once.',
    )
    .argument('[command]')
    .argument('[fields...]', 'key=value each; or - for a JSON object on standard input')
    .option('--actor <name>', 'who wants it')
    .option('--reason <text>', 'why')
    .option('--id <key>', 'names this wish: given again with the same one it has its effect once')
    .option('--confirm', 'it is wanted though somebody will not be told; without it the command says who')
    .option(
      '--each <file>',
      'once for each line: JSON objects with the fields that differ; - is standard input',
    )
    .action(running(context, doCommand))
  helpOfEach(command, context)
  const examples = [
    ['do', 'lists the commands, with an example each'],
    [
      'do fixity.check store=main path=letters/1912/03.tif --actor r.vermeer --reason "a reader saw a torn page"',
      'wants one item checked now',
    ],
    [
      'do research.prioritise --each list.ndjson priority=5 --actor r.vermeer --reason "the centenary"',
      'for each line, such as {"episode":"show-1"}: all lines are checked before the first is done',
    ],
    ['do fixity.accept --help', 'says which fields that one takes'],
    ['do fixity.register-store - --actor r.vermeer --reason new < store.json', 'takes the fields as JSON'],
  ] as const
  addExamples(command, examples, () => namedIn(command) === undefined)
}

/** The operator's command that is named on the command line. */
const namedIn = ({ args: [name] }: Command): string | undefined =>
  name === undefined || name.startsWith('-') ? undefined : name

/** Behind a command's name `--help` is about that command. */
const helpOfEach = (doIt: Command, context: CliContext): void => {
  const general = doIt.helpInformation.bind(doIt)
  doIt.helpInformation = (asked) => {
    const name = namedIn(doIt)
    if (name === undefined) return general(asked)
    const found = findCommand(commandsOf(context.workflows ?? workflows), name)
    if (isLeft(found)) throw new CommandFailed(found.left)
    return commandHelp(found.right, (text) => doIt.createHelp().styleTitle(text))
  }
}

const findCommand = <Known extends OperatorCommand>(
  commands: readonly Known[],
  name: string,
): Either<CliFailure, Known> => {
  const command = commands.find((one) => one.name === name)
  const names = commands.map((one) => one.name)
  return command ? right(command) : left(refused(`there is no command ${name}`, didYouMean(name, names)))
}

const doCommand = async (
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
  // A command with `carryOut` runs while no process is at work: nothing is to be waited for.
  if (!command.carryOut) await bringToRest(session, system)
  const outcome = outcomeOf(command, done.right)
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
