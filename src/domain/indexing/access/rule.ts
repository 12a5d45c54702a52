import * as t from 'io-ts'
import { annotate } from '../../kernel/annotation.ts'
import { PositiveInteger, Text } from '../../kernel/codecs.ts'
import { streamName } from '../../kernel/event.ts'
import { idCodec } from '../../kernel/id.ts'
import { TimeDigits } from '../captures/time-digits.ts'

/** Category of the streams that hold the whole life of a rule of access. */
export const accessCategory = 'indexingAccess'

export const accessStream = (rule: string): string => streamName(accessCategory, rule)

const ruleName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

export const RuleName = annotate(
  t.refinement(
    t.string,
    (s) => ruleName.test(s),
    'name of a rule (letters, digits, dot, dash, underscore; at most 64)',
  ),
  { pattern: ruleName.source },
)

const PublicMessage = idCodec('public message', 1000)

/** Which captures, and whether they may be seen. Times are digits in UTC; both ends count. */
export const AccessTerms = t.intersection([
  t.type({
    policy: t.keyof({ deny: null, allow: null }, 'deny or allow'),
    match: t.keyof({ exact: null, prefix: null, host: null, domain: null }, 'exact, prefix, host or domain'),
    url: Text,
  }),
  t.partial({
    /** Captures from this time on. */
    capturedFrom: TimeDigits,
    /** Captures up to this time, and with it. */
    capturedTo: TimeDigits,
    /** Captures that are not yet so many days old: an embargo. */
    youngerThanDays: PositiveInteger,
    /** It holds for who asks from this time on. */
    accessedFrom: TimeDigits,
    /** It holds for who asks up to this time, and at it. */
    accessedTo: TimeDigits,
    /** Why, for anybody who asks for a record that it refuses; absent: nobody notices that there is one. */
    publicMessage: PublicMessage,
  }),
])

export type AccessTerms = t.TypeOf<typeof AccessTerms>

export interface AccessRule extends AccessTerms {
  readonly rule: string
}
