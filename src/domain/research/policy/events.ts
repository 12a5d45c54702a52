import * as t from 'io-ts'
import { PositiveInteger, Text, Time } from '../../kernel/codecs.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'
import { ClipId } from '../terms.ts'
import { Policy } from './policy.ts'

/* Stream: `desk-research`. */

const Reasoned = t.type({ reason: Text, at: Time })
const Curator = t.intersection([Reasoned, t.type({ curator: Text })])

export const policyEvents = eventSet(
  eventSpec(
    'PolicySet',
    'From now on work is handed out so.',
    t.intersection([Reasoned, t.type({ version: PositiveInteger, policy: Policy })]),
  ),
  eventSpec('AssigningPaused', 'Nothing is handed out; what is, goes on.', Reasoned),
  eventSpec('AssigningResumed', 'Work is handed out again.', Reasoned),
  eventSpec('CuratorPinned', 'What this curator brought goes before all that is not pinned (X7).', Curator),
  eventSpec('CuratorUnpinned', 'It goes by its priority again, but for what is pinned by itself.', Curator),
  eventSpec('CuratorExcluded', 'Nothing that this curator brought is handed out.', Curator),
  eventSpec('CuratorIncluded', 'It is handed out again.', Curator),
  eventSpec('WaitingClipsReleased', 'New clips that wait for others do not wait any longer.', Reasoned),
  eventSpec(
    'ReopenRequested',
    'Pairs of all episodes are to be researched again; each episode is told in its own stream.',
    t.intersection([Reasoned, t.partial({ engines: t.array(Text), clips: t.array(ClipId) })]),
  ),
)
export type PolicyEvent = EventsOf<typeof policyEvents>
