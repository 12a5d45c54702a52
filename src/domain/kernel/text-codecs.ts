import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { annotate } from './annotation.ts'
import { parseJson } from './json-text.ts'

/* Codecs of addresses, headers and command lines: they decode text to values. */

export const fromText = <A>(
  name: string,
  is: (value: unknown) => value is A,
  read: (text: string) => A | undefined,
  schema: Parameters<typeof annotate>[1],
): t.Type<A, string, unknown> =>
  annotate(
    new t.Type<A, string, unknown>(
      name,
      is,
      (u, context) => {
        const value = typeof u === 'string' ? read(u) : undefined
        return value === undefined ? t.failure(u, context) : t.success(value)
      },
      String,
    ),
    schema,
  )

const isNumber = (value: unknown): value is number => typeof value === 'number'
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'

/** A whole number from `least` to `most`. */
export const wholeNumber = (most: number = Number.MAX_SAFE_INTEGER, least = 0): t.Type<number, string> =>
  fromText(
    `whole number from ${least}${most < Number.MAX_SAFE_INTEGER ? ` to ${most}` : ''}`,
    isNumber,
    (text) =>
      /^\d{1,16}$/.test(text) && Number(text) <= most && Number(text) >= least ? Number(text) : undefined,
    { type: 'integer', minimum: least, maximum: most },
  )

export const Flag = fromText(
  'true or false',
  isBoolean,
  (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  { type: 'boolean' },
)

/** Decodes text as JSON by a codec; text that is not JSON is decoded as it is. */
export const jsonText = <Codec extends t.Mixed>(codec: Codec): t.Type<t.TypeOf<Codec>, string, unknown> =>
  annotate(
    new t.Type<t.TypeOf<Codec>, string, unknown>(
      codec.name,
      codec.is,
      (text, context) => {
        const read = typeof text === 'string' ? parseJson(text) : undefined
        return codec.validate(read && !isLeft(read) ? read.right : text, context)
      },
      String,
    ),
    {},
    codec,
  )
