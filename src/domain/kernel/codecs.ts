import { either } from 'fp-ts'
import * as t from 'io-ts'

/** io-ts codecs that every workflow shares. Each name is what an error message calls it. */

/** Text that is not empty and has no lone surrogate (those cannot be stored as UTF-8). */
export const Text = t.refinement(t.string, (s) => s.length > 0 && s.isWellFormed(), 'non-empty text')

export const NonNegativeInteger = t.refinement(
  t.number,
  (n) => Number.isSafeInteger(n) && n >= 0,
  'whole number from 0',
)

export const PositiveInteger = t.refinement(
  t.number,
  (n) => Number.isSafeInteger(n) && n > 0,
  'whole number from 1',
)

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/
const canonicalTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/** RFC 3339 date-time with a zone; decoded to UTC with milliseconds, so that times compare as text. */
export const Time = new t.Type<string, string, unknown>(
  'RFC 3339 time with a zone',
  (u): u is string => typeof u === 'string' && canonicalTime.test(u),
  (u, context) => {
    if (typeof u !== 'string' || !isoTime.test(u)) return t.failure(u, context)
    const millis = Date.parse(u)
    return Number.isNaN(millis)
      ? t.failure(u, context)
      : t.success(canonicalTime.test(u) ? u : new Date(millis).toISOString())
  },
  t.identity,
)

/** One line for a person: which field is wrong, what was expected there, what stood there. */
export const explain = (errors: t.Errors): string => {
  const lines = new Set(errors.map(explainOne))
  return [...lines].slice(0, 5).join('; ')
}

const explainOne = (error: t.ValidationError): string => {
  const path = pathOf(error.context)
  const wanted = error.message ?? `wants ${error.context.at(-1)?.type.name ?? 'another shape'}`
  return `${path || 'the value'}: ${wanted}, got ${show(error.value)}`
}

/** Field path without the numbered steps that io-ts adds for intersections and unions. */
const pathOf = (context: t.Context): string =>
  context
    .filter((entry, i) => {
      const parent = i > 0 ? (context[i - 1]?.type as { _tag?: string }) : undefined
      return entry.key !== '' && parent?._tag !== 'IntersectionType' && parent?._tag !== 'UnionType'
    })
    .map((entry) => entry.key)
    .join('.')

const show = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}

/** Decodes to a value or to one sentence. */
export const decode = <A>(codec: t.Decoder<unknown, A>, value: unknown): either.Either<string, A> =>
  either.mapLeft(explain)(codec.decode(value))
