import type { JsonSchema } from '../../domain/kernel/annotation.ts'
import { isObject } from '../../domain/kernel/envelope.ts'
import { count } from '../output/text.ts'

/** The largest integer of JSON: not a meaningful bound. */
const noBound = Number.MAX_SAFE_INTEGER

/** Describes a field's values: `whole number, 1 to 100`, `accepted or lost`. */
export const typeWords = (schema: JsonSchema): string => {
  if (Array.isArray(schema.enum)) return listed(schema.enum.map(String))
  if ('const' in schema) return String(schema.const)
  for (const choice of [schema.anyOf, schema.oneOf])
    if (Array.isArray(choice)) return listed(choice.filter(isObject).map(typeWords))
  switch (schema.type) {
    case 'string':
      if (schema.format === 'date-time') return 'time, such as 2026-01-31T12:00:00Z'
      return typeof schema.maxLength === 'number'
        ? `text of at most ${count(schema.maxLength)} characters`
        : 'text'
    case 'integer':
      return `whole number${boundsOf(schema)}`
    case 'number':
      return `number${boundsOf(schema)}`
    case 'boolean':
      return 'true or false'
    case 'array':
      return 'JSON list'
    case 'object':
      return 'JSON object'
    case 'null':
      return 'null'
    default:
      return 'JSON'
  }
}

const boundsOf = ({ minimum, maximum }: JsonSchema): string => {
  const hasMaximum = typeof maximum === 'number' && maximum < noBound
  if (typeof minimum === 'number')
    return hasMaximum ? `, ${count(minimum)} to ${count(maximum)}` : `, ${count(minimum)} or more`
  return hasMaximum ? `, at most ${count(maximum)}` : ''
}

/** Describes fields that must be given together or instead of each other; undefined if all are independent. */
export const choiceWords = ({ oneOf }: JsonSchema): string | undefined => {
  const choices = Array.isArray(oneOf) ? oneOf.filter(isObject).map(wanted) : []
  const known = choices.filter((choice) => choice !== '')
  return known.length > 1 ? `Give either ${known.join(', or ')}.` : undefined
}

const wanted = ({ required, anyOf }: JsonSchema): string => {
  if (Array.isArray(required)) return required.join(' and ')
  return Array.isArray(anyOf) ? anyOf.filter(isObject).map(wanted).filter(Boolean).join(' or ') : ''
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
