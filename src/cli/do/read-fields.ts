import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { fieldsOf } from '../../app/documents/json-schema.ts'
import { explain } from '../../domain/kernel/codecs.ts'
import { unknownField } from '../../domain/kernel/unknown-fields.ts'
import { didYouMean } from '../closest.ts'

/** Why fields are invalid: a sentence, and what to do where that is known. */
interface InvalidField {
  readonly message: string
  readonly hint?: string
}

/** `key=value` arguments as they stand: all values are text. */
export const parseFields = (
  texts: readonly string[],
): Either<InvalidField, Readonly<Record<string, string>>> => {
  const fields = new Map<string, string>()
  for (const text of texts) {
    const sign = text.indexOf('=')
    if (sign <= 0) return left({ message: `${JSON.stringify(text)} is no field; write key=value` })
    const name = text.slice(0, sign)
    if (fields.has(name)) return left({ message: `${name} is given twice; give it once` })
    fields.set(name, text.slice(sign + 1))
  }
  return right(Object.fromEntries(fields))
}

/**
 * Decodes the input of a command. A text that its codec does not take is tried as JSON: `intervalDays=60` is a number and
 * `replica=true` a boolean, while a store called 60 stays text.
 */
export const decodeFields = <A>(
  codec: t.Type<A, unknown, unknown>,
  given: Readonly<Record<string, unknown>>,
): Either<InvalidField, A> => {
  const known = fieldsOf(codec)
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined)
    return left({ message: `there is no field ${unknown}`, hint: didYouMean(unknown, known) })

  let input = given
  for (;;) {
    const decoded = codec.decode(input)
    if (!isLeft(decoded)) {
      const inside = unknownField(codec, input)
      return inside ? left({ message: inside.message }) : decoded
    }
    const wrong = new Set(decoded.left.map(({ context }) => fieldIn(context, known)))
    const better = { ...input }
    for (const name of wrong) {
      const value = name === undefined ? undefined : asJson(input[name])
      if (name !== undefined && value !== undefined) better[name] = value
    }
    if (Object.keys(better).every((name) => better[name] === input[name]))
      return left({ message: explain(decoded.left) })
    input = better
  }
}

const fieldIn = (context: t.Context, known: readonly string[]): string | undefined =>
  context.map(({ key }) => key).find((key) => known.includes(key))

const asJson = (value: unknown): unknown => {
  if (typeof value !== 'string') return undefined
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}
