import * as t from 'io-ts'
import { category as deadLetterCategory, deadLetterEvents } from '../domain/kernel/dead-letter.ts'
import {
  type GroupsBound,
  groups,
  category as groupsCategory,
  groupsEvents,
  groupsStream,
} from '../domain/kernel/groups-bound.ts'
import { category as noticeCategory, noticeEvents } from '../domain/kernel/notices.ts'
import { rejectedMessageEvents, category as rejectionCategory } from '../domain/kernel/rejected-message.ts'
import { endLease } from '../processors/runtime/lease-command.ts'
import { routeTo } from '../processors/runtime/route.ts'
import { deadLetters } from '../projections/kernel/dead-letters.ts'
import { logIndex } from '../projections/kernel/log-index.ts'
import { rejectedMessages } from '../projections/kernel/rejected-messages.ts'
import { bindGroups } from './bind-groups.ts'
import { emptyWorkflow, type SystemCommand, type Workflow } from './workflow.ts'

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
  route: (bound: Bound, { actor, reason, at }) =>
    routeTo(groups, groupsStream(bound.broker), { type: 'Note', actor, at, bound: { ...bound, reason } }),
}

/** What all workflows share: dead letters, rejected messages, the binding of consumer groups, an index of the log. */
export const systemWorkflow: Workflow = {
  ...emptyWorkflow,
  name: 'house',
  description: 'Dead letters and refusals of all workflows; consumer groups; where to look in the log.',
  eventSets: [
    { category: deadLetterCategory, events: deadLetterEvents },
    { category: rejectionCategory, events: rejectedMessageEvents },
    { category: groupsCategory, events: groupsEvents },
    { category: noticeCategory, events: noticeEvents },
  ],
  projections: [deadLetters, rejectedMessages, logIndex],
  commands: [endLease, bindGroupsCommand],
}
