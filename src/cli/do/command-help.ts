import { schemaOf } from '../../app/documents/json-schema.ts'
import type { JsonSchema } from '../../domain/kernel/annotation.ts'
import { isObject } from '../../domain/kernel/envelope.ts'
import type { OperatorCommand } from '../../processors/runtime/operator-command.ts'
import { exampleFields, exampleOf, typed } from './example-of.ts'
import { choiceWords, typeWords } from './field-words.ts'

/** `fonds do <command> --help`: its fields, what each takes, and an example, from its codec. */
export const commandHelp = (command: OperatorCommand, title: (text: string) => string): string => {
  const schema = schemaOf(command.codec)
  const choice = choiceWords(schema)
  const short = command.short && `fonds ${command.name.replace('.', ' ')} --help`
  return [
    `${title('Usage:')} fonds do ${command.name} [fields...] --actor <name> --reason <text>`,
    '',
    command.description,
    '',
    ...fieldLines(command, schema, title),
    ...(choice === undefined ? [] : ['', choice]),
    '',
    title('Example:'),
    `  $ ${exampleOf(command)}`,
    '',
    ...(short === undefined ? [] : [`It has a shorter form: \`${short}\`.`]),
    '`fonds do --help` says what goes with every command: --id, --each, --confirm, fields as JSON.',
  ]
    .map((line) => `${line}\n`)
    .join('')
}

const fieldLines = (
  command: OperatorCommand,
  { properties, required }: JsonSchema,
  title: (text: string) => string,
): readonly string[] => {
  const fields = Object.entries(isObject(properties) ? properties : {})
  if (fields.length === 0) return ['It has no fields.']
  const must = new Set(Array.isArray(required) ? required : [])
  const example = exampleFields(command)
  const width = Math.max(...fields.map(([name]) => name.length))
  return [
    title('Fields, key=value each:'),
    ...fields.map(([name, schema]) => {
      const words = typeWords(isObject(schema) ? schema : {})
      const such = name in example ? ` (${name}=${typed(example[name])})` : ''
      return `  ${name.padEnd(width)}  ${must.has(name) ? 'required' : 'optional'}  ${words}${such}`
    }),
  ]
}
