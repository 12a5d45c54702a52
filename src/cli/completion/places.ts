import type { Command, Option } from 'commander'
import { schemaOf } from '../../app/documents/json-schema.ts'
import { isObject } from '../../domain/kernel/envelope.ts'
import type { OperatorCommand } from '../../processors/runtime/operator-command.ts'
import { commandsOf, type Workflow } from '../../workflows/workflow.ts'
import { projectionsOf, topicsOf } from '../../workflows/workflow-model.ts'
import { inALine } from '../sentence.ts'

/** A word to complete. */
export interface Word {
  readonly word: string
  /** Description in one line. */
  readonly description: string
}

export interface TypedOption extends Word {
  readonly takesValue: boolean
  readonly choices: readonly string[]
}

/** A position of the cursor: the commands typed before it. */
export interface Place {
  /** `fonds`, `fonds do`, `fonds do fixity.accept` … */
  readonly path: string
  /** Sub-commands, or values of the first argument; words that end in `=` or contain one may follow each other. */
  readonly words: readonly Word[]
  readonly options: readonly TypedOption[]
}

/**
 * Returns every place of the command line, from commander's tree; the settings, which are options of every command, are
 * added to the root.
 */
export const placesOf = (program: Command, workflows: readonly Workflow[]): readonly Place[] => {
  const settings = program.options.filter(({ hidden }) => hidden)
  return placesBelow(program, program.name(), workflows).map((place) =>
    place.path === program.name()
      ? { ...place, options: [...place.options, ...settings.flatMap(optionWords)] }
      : place,
  )
}

const placesBelow = (command: Command, path: string, workflows: readonly Workflow[]): readonly Place[] => {
  const help = command.createHelp()
  const options = help.visibleOptions(command).flatMap(optionWords)
  const commands = help.visibleCommands(command)
  const words = commands.map((one) => ({ word: one.name(), description: one.summary() || one.description() }))
  return [
    {
      path,
      words:
        [words, choicesOf(command), firstArgument(path, workflows)].find((some) => some.length > 0) ?? [],
      options,
    },
    ...commands
      .filter((one) => one.name() !== 'help')
      .flatMap((one) => placesBelow(one, `${path} ${one.name()}`, workflows)),
    ...(path === 'fonds do' ? commandsOf(workflows).map((one) => fieldsPlace(path, one, options)) : []),
  ]
}

const optionWords = ({ long, short, description, required, optional, argChoices }: Option): TypedOption[] =>
  [long, short].flatMap((word) =>
    word
      ? [{ word, description: description, takesValue: required || optional, choices: argChoices ?? [] }]
      : [],
  )

const choicesOf = ({ registeredArguments: [first] }: Command): readonly Word[] =>
  (first?.argChoices ?? []).map((word) => ({ word, description: first?.name() ?? '' }))

/** Returns the values of the first argument of a command without sub-commands. */
const firstArgument = (path: string, workflows: readonly Workflow[]): readonly Word[] => {
  switch (path) {
    case 'fonds do':
      return commandsOf(workflows).map(({ name, description }) => ({
        word: name,
        description: inALine(description),
      }))
    case 'fonds query':
      return projectionsOf(workflows)
        .flatMap(({ views }) => views)
        .map(({ name, description }) => ({ word: name, description: description }))
    case 'fonds rebuild':
      return projectionsOf(workflows).map(({ name }) => ({ word: name, description: 'projection' }))
    case 'fonds worker':
      return workflows.flatMap(({ workers }) =>
        workers.map(({ kind, description }) => ({ word: kind, description: description })),
      )
    case 'fonds produce':
    case 'fonds consume':
    case 'fonds schema':
      return topicsOf(workflows).map(({ name, description }) => ({ word: name, description: description }))
    default:
      return []
  }
}

/** Returns the fields of an operator's command; for a command that takes a few values, a field with each value. */
const fieldsPlace = (
  path: string,
  { name, codec }: OperatorCommand,
  options: readonly TypedOption[],
): Place => {
  const { properties } = schemaOf(codec)
  const words = Object.entries(isObject(properties) ? properties : {}).flatMap(([field, schema]) => {
    const choices =
      isObject(schema) && Array.isArray(schema.enum)
        ? schema.enum.map(String)
        : isObject(schema) && schema.type === 'boolean'
          ? ['true', 'false']
          : ['']
    return choices.map((choice) => ({ word: `${field}=${choice}`, description: 'field' }))
  })
  return { path: `${path} ${name}`, words, options }
}
