import * as t from 'io-ts'
import { accessDecider } from '../../domain/indexing/access/decide.ts'
import { AccessTerms, accessStream, RuleName } from '../../domain/indexing/access/rule.ts'
import { operatorCommand } from '../runtime/operator-command.ts'
import { routeTo } from '../runtime/route.ts'

const codec = t.type({ rule: RuleName })

/** Operators' commands on rules of access. */
export const accessCommands = [
  operatorCommand({
    name: 'indexing.set-access-rule',
    description:
      'Refuses captures, or lets them be seen in spite of a wider rule. It holds for every answer that is begun after its outcome is told.',
    codec: t.intersection([codec, AccessTerms]),
    example: { rule: 'takedown-17', policy: 'deny', match: 'prefix', url: 'http://example.org/private/' },
    route: ({ rule, ...terms }, by) =>
      routeTo(accessDecider, accessStream(rule), { type: 'SetAccessRule', terms, ...by }),
  }),
  operatorCommand({
    name: 'indexing.remove-access-rule',
    description: 'Removes a rule of access: captures are as the other rules say.',
    codec,
    example: { rule: 'takedown-17' },
    route: ({ rule }, by) => routeTo(accessDecider, accessStream(rule), { type: 'RemoveAccessRule', ...by }),
  }),
]
