import * as either from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { annotate } from './annotation.ts'

/** Nearly all ids: they need no closer look, of which an event with a hundred of them has many. */
const plain = /^[\w.:/@-]+$/

/** Why a text cannot name a thing; undefined where it can. Names are compared byte for byte. */
export const faultOfId = (id: string, longest: number): string | undefined => {
  if (id.length <= longest && plain.test(id)) return undefined
  if (id.length === 0) return 'is empty'
  if (id.length > longest) return `is ${id.length} characters long; the limit is ${longest}`
  if (!id.isWellFormed()) return 'is not valid Unicode'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\u0000-\u001f\u007f]/.test(id)) return 'holds a control character'
  if (id.trim() !== id) return 'begins or ends with a space; it would never meet its other mentions'
  return undefined
}

/** An id that others give: it names a stream and the key of messages. `name` is what errors call it. */
export const idCodec = (name: string, longest: number): t.Type<string, string, unknown> =>
  annotate(
    new t.Type<string, string, unknown>(
      name,
      (u): u is string => typeof u === 'string' && faultOfId(u, longest) === undefined,
      (u, context) =>
        either.chain((id: string) => {
          const fault = faultOfId(id, longest)
          return fault ? t.failure<string>(u, context, fault) : t.success(id)
        })(t.string.validate(u, context)),
      t.identity,
    ),
    {
      type: 'string',
      minLength: 1,
      maxLength: longest,
      pattern: '^[^\\s\\u0000-\\u001f\\u007f]([^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f])?$',
    },
  )
