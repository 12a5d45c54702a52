import * as t from 'io-ts'
import { category as deadLetterCategory, deadLetterEvents } from '../domain/kernel/dead-letter.ts'
import {
  type GroupsBound,
  groups,
  category as groupsCategory,
  groupsEvents,
  groupsStream,
} from '../domain/kernel/groups-bound.ts'
import { category as refusalCategory, refusalEvents } from '../domain/kernel/refusal.ts'
import { endLease } from '../processors/runtime/lease-command.ts'
import { planFor } from '../processors/runtime/plan.ts'
import { deadLetters } from '../projections/kernel/dead-letters.ts'
import { logIndex } from '../projections/kernel/log-index.ts'
import { refusals } from '../projections/kernel/refusals.ts'
import { bindGroups } from './bind-groups.ts'
import type { SystemCommand, Workflow } from './system.ts'

const BindGroups = t.partial({ from: t.keyof({ known: null, beginning: null }) })

type Bound = Pick<GroupsBound, 'broker' | 'groups'>

const bindGroupsCommand: SystemCommand = {
  name: 'kafka.bind-groups',
  description:
    'Gives the consumer groups on Kafka to this log, after it was put back from a backup, or in the place of another log. Stop ' +
    'all processes that use them first. The groups go back to where the newest events of this log come from (from=known), or to ' +
    'the oldest messages kept (from=beginning, and wherever that is not known). What this log has handled has no second effect.',
  codec: BindGroups,
  example: { from: 'known' },
  carryOut: (input: t.TypeOf<typeof BindGroups>, system) => bindGroups(system, input.from ?? 'known'),
  plan: (bound: Bound, { actor, reason, at }) =>
    planFor(groups, groupsStream(bound.broker), { type: 'Note', actor, at, bound: { ...bound, reason } }),
}

/** What the house itself keeps: messages that could not be used, those that were refused, where groups were put, and where to look in the log. */
export const house: Workflow = {
  name: 'house',
  description: 'Dead letters and refusals of all workflows; consumer groups; where to look in the log.',
  topics: [],
  eventSets: [
    { category: deadLetterCategory, events: deadLetterEvents },
    { category: refusalCategory, events: refusalEvents },
    { category: groupsCategory, events: groupsEvents },
  ],
  projections: [deadLetters, refusals, logIndex],
  commands: [endLease, bindGroupsCommand],
  workers: [],
  processors: () => [],
  reactions: () => [],
  followers: () => [],
  overdue: () => [],
  waiting: () => [],
  streamsOf: () => [],
}
