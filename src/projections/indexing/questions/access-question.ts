import { earliest, surt } from '@fonds/cdx'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { applying, holding, matchingRules } from '../../../domain/indexing/access/compile-rules.ts'
import { AccessTerms } from '../../../domain/indexing/access/rule.ts'
import { TimeDigits } from '../../../domain/indexing/captures/time-digits.ts'
import { Text } from '../../../domain/kernel/codecs.ts'
import { question } from '../../runtime/question.ts'
import { columns } from '../../runtime/shown.ts'
import { type RuleInForce, rulesInForce } from '../access/rules-in-force.ts'
import { indexing } from '../projection.ts'

const RuleLine = t.intersection([
  t.type({
    rule: t.string,
    /** When it was last set. */
    since: t.string,
    /** True if it applies to the caller now: it may be of another period. */
    holds: t.boolean,
  }),
  AccessTerms,
  /** If the time of a capture was given: this rule decides whether it is visible. */
  t.partial({ decides: t.boolean }),
])

export const accessQuestion = question({
  name: 'access',
  operationId: 'listAccessRules',
  summary: 'The rules of access: all, or those that match a URL, the one that counts first.',
  description:
    'Given a URL and the time of a capture, it says which rule decides whether that may be seen; where none does, it may.',
  projection: indexing,
  needsViews: false,
  input: {
    url: {
      description: 'Rules that match this URL.',
      codec: Text,
      example: 'http://example.org/',
      argument: 'url',
    },
    captured: {
      description: 'The time of a capture of it (UTC).',
      codec: TimeDigits,
      value: 'time',
      example: '2026-01-31',
    },
  },
  answer: t.type({ rules: t.readonlyArray(RuleLine) }),
  returns: 'The rules.',
  rejections: {
    'no-url': { status: 400, description: 'A time was given without a URL.' },
  },
  ask: async (_views, { url, captured }, { eventStore, now }) => {
    if (captured !== undefined && url === undefined)
      return E.left({ code: 'no-url' as const, message: 'captured: say of which URL', path: 'url' })
    const all = await rulesInForce(eventStore)
    const rules = url === undefined ? all : matchingRules(all)(surt(url))
    const holds = holding(now)
    const applies = applying(now)
    const deciding = captured && rules.find((rule) => applies(rule, earliest(captured)))
    const lineOf = (rule: RuleInForce) => ({
      ...rule,
      holds: holds(rule),
      ...(captured !== undefined && { decides: rule === deciding }),
    })
    return E.right({ rules: rules.map(lineOf) })
  },
  prints: 'rows',
  rows: { row: RuleLine, of: ({ rules }) => rules },
  show: ({ rules }, { input }) => [
    {
      rows: rules,
      columns: [
        ...columns('rule', 'policy', 'match', 'url', 'capturedFrom', 'capturedTo', 'youngerThanDays'),
        ...columns('accessedFrom', 'accessedTo', 'holds', 'since', 'publicMessage'),
        ...(input.captured === undefined ? [] : columns('decides')),
      ],
    },
  ],
  nothing: ({ rules }, { input }) =>
    rules.length > 0
      ? undefined
      : input.url === undefined
        ? 'there are no rules: every capture may be seen'
        : 'no rule matches it: every capture of it may be seen',
  examples: [
    ['access', 'what is refused'],
    [
      'access http://example.org/ --captured 2026-01-31',
      'which rule decides whether that capture may be seen',
    ],
  ],
})
