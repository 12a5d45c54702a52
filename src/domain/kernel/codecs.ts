import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { annotate } from './annotation.ts'
import { clip } from './clip.ts'
import { expectationOf } from './expectation.ts'

/** io-ts codecs that all workflows share. Error messages use their names. */

/** Text that is not empty and has no lone surrogate (those cannot be stored as UTF-8). */
export const Text = annotate(
  t.refinement(t.string, (s) => s.length > 0 && s.isWellFormed(), 'non-empty text'),
  { minLength: 1 },
)

export const NonNegativeInteger = annotate(
  t.refinement(t.number, (n) => Number.isSafeInteger(n) && n >= 0, 'whole number from 0'),
  { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
)

export const PositiveInteger = annotate(
  t.refinement(t.number, (n) => Number.isSafeInteger(n) && n > 0, 'whole number from 1'),
  { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
)

const isoTime = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}:\d{2})$/
const canonicalTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/** Matches canonical times whose day needs no calendar check: nearly all of them. */
const plainTime =
  /^\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/**
 * RFC 3339 date-time with a zone; decoded to UTC with milliseconds, so that times compare as text. More digits of a
 * fraction are cut. A leap second (`23:59:60`) is refused: no `Date` can hold it.
 */
export const Time = annotate(
  new t.Type<string, string, unknown>(
    'RFC 3339 time with a zone',
    (u): u is string => typeof u === 'string' && (plainTime.test(u) || isCanonical(u)),
    (u, context) => {
      if (typeof u === 'string' && plainTime.test(u)) return t.success(u)
      if (typeof u !== 'string' || !isoTime.test(u)) return t.failure(u, context)
      // RFC 3339 allows t and z in lower case; ECMAScript's format does not.
      const millis = Date.parse(u.toUpperCase())
      if (Number.isNaN(millis)) return t.failure(u, context)
      const canonical = new Date(millis).toISOString()
      return canonical === u || isDay(u.slice(0, 10)) ? t.success(canonical) : t.failure(u, context)
    },
    t.identity,
  ),
  { type: 'string', format: 'date-time', pattern: isoTime.source, examples: ['2026-01-31T12:00:00.000Z'] },
)

const isCanonical = (text: string): boolean =>
  canonicalTime.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text

/** Date.parse takes 31 February for 3 March. */
const isDay = (day: string): boolean => new Date(day).toISOString().startsWith(day)

/** One line for a person: the field, what was expected, what was found. */
export const explain = (errors: t.Errors): string => {
  const lines = new Set(errors.map(explainOne))
  return [...lines].slice(0, 5).join('; ')
}

const explainOne = (error: t.ValidationError): string => {
  const path = pathOf(error.context)
  const wanted = error.message ?? `wants ${expectationOf(error.context.at(-1)?.type)}`
  return `${path || 'the value'}: ${wanted}, got ${show(error.value)}`
}

/** Field path without the numbered steps that io-ts adds for intersections and unions. */
export const stepsOf = (context: t.Context): readonly string[] =>
  context
    .filter((entry, i) => {
      const kind = i > 0 ? unrefined(context[i - 1]!.type)._tag : undefined
      return entry.key !== '' && kind !== 'IntersectionType' && kind !== 'UnionType'
    })
    .map((entry) => entry.key)

export const pathOf = (context: t.Context): string => stepsOf(context).join('.')

interface Tagged {
  readonly _tag?: string
  readonly type?: Tagged
}

/** A refinement of an intersection adds the same steps. */
const unrefined = (codec: object): Tagged => {
  const { _tag, type } = codec as Tagged
  return _tag === 'RefinementType' && type ? unrefined(type) : (codec as Tagged)
}

const show = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value) ?? String(value)
  return clip(text, 80)
}

/**
 * `codec.decode`, faster: returns a value in normal form as it is, since checking it costs a fraction of rebuilding it.
 * The codec's `is` must mean "in normal form", as in all our codecs.
 */
export const accept = <A>(codec: t.Type<A, unknown, unknown>, value: unknown): t.Validation<A> =>
  codec.is(value) ? E.right(value) : codec.decode(value)

/** Decodes to a value or to one sentence. */
export const decode = <A>(codec: t.Decoder<unknown, A>, value: unknown): E.Either<string, A> =>
  pipe(codec.decode(value), E.mapLeft(explain))
