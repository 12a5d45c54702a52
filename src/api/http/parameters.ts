import * as t from 'io-ts'
import type { ParameterSpec } from '../../app/documents/route-spec.ts'
import { annotate } from '../../domain/kernel/annotation.ts'
import { Time } from '../../domain/kernel/codecs.ts'
import { fromText } from '../../domain/kernel/text-codecs.ts'
import type { Point } from '../../ports/view-store.ts'

/* Codecs of parameters: from text to values. */

const isBigint = (value: unknown): value is bigint => typeof value === 'bigint'

const places = { type: 'string', pattern: '^(-1|[0-9]+)$', examples: ['1042'] }

/** A place in the log or in a stream; `-1` is before the first. */
export const Position = fromText(
  'position (a whole number from -1)',
  isBigint,
  (text) => (/^(-1|\d{1,18})$/.test(text) ? BigInt(text) : undefined),
  places,
)

/** A position, or the end of the log. */
const Before = fromText(
  'position (a whole number), or end',
  (value): value is bigint | 'end' => value === 'end' || isBigint(value),
  (text) => (text === 'end' ? text : /^\d{1,18}$/.test(text) ? BigInt(text) : undefined),
  { type: 'string', pattern: '^(end|[0-9]+)$', examples: ['end', '1042'] },
)

export const fromParameter = {
  name: 'from',
  in: 'query',
  description: 'First position to look at.',
  codec: Position,
} as const satisfies ParameterSpec

export const beforeParameter = {
  name: 'before',
  in: 'query',
  description:
    'The newest first, from before this position, or from the `end`; go on with `before` = the `next` of the last answer.',
  codec: Before,
} as const satisfies ParameterSpec

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

export const pointInWords = (point: Point): string =>
  'time' in point ? point.time : `position ${point.position}`

/** Parameter of queries of views. */
export const asOfParameter = {
  name: 'asOf',
  in: 'query',
  description:
    'A time or a position of the past. `Fonds-Folded: true` in the answer says that the log was folded up to there, which takes longer.',
  codec: LogPoint,
} as const satisfies ParameterSpec

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

/** Repeated with the same key, a request has its effect once. */
export const IdempotencyKey = annotate(
  t.refinement(
    t.string,
    (s) => /^[\x21-\x7e]{1,255}$/.test(s),
    'key (1 to 255 printable ASCII characters, no spaces)',
  ),
  { minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
)

/** A position or a revision in an answer. */
export const Place = annotate(
  t.refinement(t.string, (s) => /^(-1|\d+)$/.test(s), 'position as text'),
  places,
)
