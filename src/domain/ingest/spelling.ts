import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { annotate } from '../kernel/annotation.ts'

/** `UpdateReporting`, `update_reporting` and `Update Reporting` are `update-reporting` (C20). */
const canonical = (text: string): string =>
  text
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replace(/[\s_]+/g, '-')
    .toLowerCase()

/** The words of a codec in any of their spellings; decoded to the one that is kept. */
export const anySpelling = <Words extends Record<string, unknown>>(
  codec: t.KeyofC<Words>,
): t.Type<keyof Words, string, unknown> =>
  annotate(
    new t.Type<keyof Words, string, unknown>(
      codec.name,
      codec.is,
      (u, context) =>
        pipe(
          codec.validate(typeof u === 'string' ? canonical(u) : u, context),
          E.mapLeft(() => [{ value: u, context }]),
        ),
      String,
    ),
    { enum: Object.keys(codec.keys) },
  )
