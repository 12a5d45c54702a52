import * as t from 'io-ts'
import { Text, Time } from '../../kernel/codecs.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'
import { AccessTerms } from './rule.ts'

/* Streams: `indexingAccess-<rule>`. Who did it stands beside each event. */

const AccessRuleSet = t.intersection([AccessTerms, t.type({ reason: Text, at: Time })])
const AccessRuleRemoved = t.type({ reason: Text, at: Time })

export const accessEvents = eventSet(
  eventSpec('AccessRuleSet', 'The rule says so from now on.', AccessRuleSet),
  eventSpec('AccessRuleRemoved', 'The rule is no more.', AccessRuleRemoved),
)

export type AccessEvent = EventsOf<typeof accessEvents>
