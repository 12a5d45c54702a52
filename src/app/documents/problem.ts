import * as t from 'io-ts'
import { NonNegativeInteger, Text } from '../../domain/kernel/codecs.ts'

/** Response of every HTTP route that does not do what was requested (RFC 9457), as `application/problem+json`. */
export const Problem = t.intersection(
  [
    t.type({
      type: Text,
      title: Text,
      status: NonNegativeInteger,
      /** One sentence for a person: what was rejected, why, what to do instead. */
      detail: t.string,
      /** For programs: `detail` in one word. */
      code: Text,
    }),
    t.partial({
      /** The invalid field. */
      path: t.string,
    }),
  ],
  'problem',
)
export type Problem = t.TypeOf<typeof Problem>

export const problemType = 'application/problem+json'
