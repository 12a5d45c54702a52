import * as t from 'io-ts'
import { annotate } from '../../domain/kernel/annotation.ts'
import { Time } from '../../domain/kernel/codecs.ts'
import type { Point } from '../../projections/runtime/catch-up.ts'

/* Codecs of what stands in addresses and headers: text in, values out. */

const fromText = <A>(
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
const isBigint = (value: unknown): value is bigint => typeof value === 'bigint'
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'

/** A whole number from 0 to `most`. */
export const wholeNumber = (most: number, least = 0) =>
  fromText(
    `whole number from ${least} to ${most}`,
    isNumber,
    (text) =>
      /^\d{1,15}$/.test(text) && Number(text) <= most && Number(text) >= least ? Number(text) : undefined,
    { type: 'integer', minimum: least, maximum: most },
  )

const places = { type: 'string', pattern: '^(-1|[0-9]+)$', examples: ['1042'] }

/** A place in the log or in a stream; `-1` is before the first. */
export const Position = fromText(
  'position (a whole number from -1)',
  isBigint,
  (text) => (/^(-1|\d{1,18})$/.test(text) ? BigInt(text) : undefined),
  places,
)

export const Flag = fromText(
  'true or false',
  isBoolean,
  (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  { type: 'boolean' },
)

/** A position, or a time with a zone. */
export const LogPoint = annotate(
  new t.Type<Point, string, unknown>(
    'position, or time such as 2026-01-31T12:00:00Z',
    (u): u is Point => typeof u === 'object' && u !== null && ('position' in u || 'time' in u),
    (u, context) => {
      if (typeof u === 'string' && /^\d{1,18}$/.test(u)) return t.success({ position: BigInt(u) })
      const time = Time.decode(u)
      return time._tag === 'Right' ? t.success({ time: time.right }) : t.failure(u, context)
    },
    (point) => ('position' in point ? String(point.position) : point.time),
  ),
  { type: 'string', examples: ['2026-01-31T12:00:00Z', '1042'] },
)

/** A parameter that may be given several times. */
export const Texts = annotate(
  new t.Type<readonly string[], readonly string[], unknown>(
    'text, once or more often',
    t.readonlyArray(t.string).is,
    (u, context) => (typeof u === 'string' ? t.success([u]) : t.readonlyArray(t.string).validate(u, context)),
    (list) => list,
  ),
  { type: 'array', items: { type: 'string' } },
)

/** Names a request for ever: repeated with the same key it has its effect once. */
export const IdempotencyKey = annotate(
  t.refinement(
    t.string,
    (s) => /^[\x21-\x7e]{1,255}$/.test(s),
    'key (1 to 255 printable ASCII characters, no spaces)',
  ),
  { minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
)

/** How a position or a revision goes out. */
export const Place = annotate(
  t.refinement(t.string, (s) => /^(-1|\d+)$/.test(s), 'position as text'),
  places,
)
