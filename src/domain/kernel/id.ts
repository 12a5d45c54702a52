import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { annotate } from './annotation.ts'

/** Matches nearly all ids: they skip the slower checks. */
const plain = /^[\w.:/@-]+$/

/** Returns why a text is no valid id; undefined if it is one. Ids are compared byte for byte. */
export const whyInvalidId = (id: string, maxLength: number): string | undefined => {
  if (id.length <= maxLength && plain.test(id)) return undefined
  if (id.length === 0) return 'is empty'
  if (id.length > maxLength) return `is ${id.length} characters long; the limit is ${maxLength}`
  if (!id.isWellFormed()) return 'is not valid Unicode'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no id may hold
  if (/[\u0000-\u001f\u007f]/.test(id)) return 'holds a control character'
  if (id.trim() !== id) return 'begins or ends with a space; it would never meet its other mentions'
  return undefined
}

/** Codec of an id that others assign: it names a stream and is the key of messages. Errors call it `name`. */
export const idCodec = (name: string, maxLength: number): t.Type<string, string, unknown> =>
  annotate(
    new t.Type<string, string, unknown>(
      name,
      (u): u is string => typeof u === 'string' && whyInvalidId(u, maxLength) === undefined,
      (u, context) =>
        pipe(
          t.string.validate(u, context),
          E.chain((id) => {
            const why = whyInvalidId(id, maxLength)
            return why ? t.failure(u, context, why) : t.success(id)
          }),
        ),
      t.identity,
    ),
    {
      type: 'string',
      minLength: 1,
      maxLength: maxLength,
      pattern: '^[^\\s\\u0000-\\u001f\\u007f]([^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f])?$',
    },
  )
