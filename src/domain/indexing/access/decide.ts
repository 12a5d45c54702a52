import { surt } from '@fonds/cdx'
import * as E from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../kernel/decider.ts'
import { type AccessEvent, accessEvents } from './events.ts'
import { type AccessTerms, accessCategory } from './rule.ts'

interface SetAccessRule extends Command {
  readonly type: 'SetAccessRule'
  readonly terms: AccessTerms
  readonly reason: string
}

interface RemoveAccessRule extends Command {
  readonly type: 'RemoveAccessRule'
  readonly reason: string
}

export interface AccessRejection {
  readonly code: 'no-host' | 'no-such-rule' | 'refuses-nothing'
  readonly message: string
}

/** Terms of the rule; undefined if there is none. */
type AccessState = AccessTerms | undefined

/** Decides about one access rule. */
export const accessDecider: Decider<
  AccessState,
  SetAccessRule | RemoveAccessRule,
  AccessEvent,
  AccessRejection
> = {
  category: accessCategory,
  events: accessEvents,
  initial: undefined,
  evolve: (_state, { type, data }) => {
    if (type === 'AccessRuleRemoved') return undefined
    const { reason: _, at: __, ...terms } = data
    return terms
  },
  decide: (command, state) => {
    const { reason, at } = command
    if (command.type === 'RemoveAccessRule')
      return state
        ? E.right([{ type: 'AccessRuleRemoved', data: { reason, at } }])
        : E.left({
            code: 'no-such-rule',
            message: 'there is no such rule; `fonds indexing access` lists them',
          })
    const { terms } = command
    const isOfHost = terms.match === 'host' || terms.match === 'domain'
    // Such a rule would match nothing and yet be reported as set.
    if (isOfHost && !surt(terms.url).includes(')'))
      return E.left({
        code: 'no-host',
        message: `url: ${terms.url} names no host; give one, or set match to exact or prefix`,
      })
    if (terms.publicMessage !== undefined && terms.policy === 'allow')
      return E.left({
        code: 'refuses-nothing',
        message: 'publicMessage: a rule that allows refuses nobody; leave it out, or set policy to deny',
      })
    return E.right([{ type: 'AccessRuleSet', data: { ...terms, reason, at } }])
  },
}
