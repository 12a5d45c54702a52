import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { AccessTerms } from '../../../domain/indexing/access/rule.ts'
import { question } from '../../runtime/question.ts'
import { columns } from '../../runtime/shown.ts'
import { rulesInForce } from '../access/rules-in-force.ts'
import { indexing } from '../projection.ts'

const RuleLine = t.intersection([t.type({ rule: t.string }), AccessTerms])

export const accessQuestion = question({
  name: 'access',
  operationId: 'listAccessRules',
  summary: 'The rules of access: which captures are refused, and which are seen in spite of another rule.',
  projection: indexing,
  needsViews: false,
  input: {},
  answer: t.type({ rules: t.readonlyArray(RuleLine) }),
  returns: 'The rules.',
  ask: async (_views, _input, { eventStore }) => E.right({ rules: await rulesInForce(eventStore) }),
  prints: 'rows',
  rows: { row: RuleLine, of: ({ rules }) => rules },
  show: ({ rules }) => [
    {
      rows: rules,
      columns: columns('rule', 'policy', 'match', 'url', 'capturedFrom', 'capturedTo', 'youngerThanDays'),
    },
  ],
  nothing: ({ rules }) => (rules.length === 0 ? 'there are no rules: every capture may be seen' : undefined),
  examples: [['access', 'what is refused']],
})
