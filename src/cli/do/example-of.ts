import { isObject } from '../../domain/kernel/envelope.ts'
import { shellWord } from '../../domain/kernel/shell-word.ts'
import type { OperatorCommand } from '../../processors/runtime/operator-command.ts'

/** A command as it is typed, with the fields of its example. */
export const exampleOf = (command: OperatorCommand): string => {
  const fields = Object.entries(exampleFields(command)).map(([name, value]) => `${name}=${typed(value)}`)
  return `fonds do ${[command.name, ...fields].join(' ')} --actor <you> --reason <why>`
}

export const exampleFields = ({ codec, example }: OperatorCommand): Readonly<Record<string, unknown>> => {
  const encoded: unknown = codec.encode(example)
  return isObject(encoded) ? encoded : {}
}

/** A field's value as a shell takes it. */
export const typed = (value: unknown): string =>
  shellWord(typeof value === 'string' ? value : JSON.stringify(value))
