import {
  type GraphChanged,
  type Group,
  graphStream,
  type Member,
} from '../../domain/matching/graph/events.ts'
import type { GraphChangedMessage } from '../../domain/matching/messages.ts'
import { UnusableMessage } from '../runtime/unusable-message.ts'

/** The group that a message tells of, as the log has it. Throws `UnusableMessage` where the log says otherwise. */
export const groupTold = (told: GraphChangedMessage, change: GraphChanged | undefined): Group => {
  const { generation, revision } = told
  const place = `${graphStream(generation)} revision ${revision}`
  if (!change) throw unbelieved(`${place} is no change of graphs`, 'revision')
  const group = change.groups[told.group]
  if (!group)
    throw unbelieved(`${place} has ${change.groups.length} groups, not one numbered ${told.group}`, 'group')
  const differs = (name: string, logged: unknown, given: unknown) =>
    unbelieved(`${place} says ${name} ${logged}, the message ${given}`, name)
  if (change.version !== told.version) throw differs('version', change.version, told.version)
  if (change.timeSent !== told.timeSent) throw differs('timeSent', change.timeSent, told.timeSent)
  if (group.component !== told.component) throw differs('component', group.component, told.component)
  if (group.size !== told.size) throw differs('size', group.size, told.size)
  if (!areSame(group.members, told.members))
    throw unbelieved(`${place} has other members than the message`, 'members')
  return group
}

const areSame = (some: readonly Member[], others: readonly Member[]): boolean =>
  some.length === others.length &&
  some.every(([work, revision], i) => work === others[i]![0] && revision === others[i]![1])

export const unbelieved = (fault: string, field: string): UnusableMessage =>
  new UnusableMessage(
    'not-in-the-log',
    `${fault}; Fonds alone writes this topic, from its log: discard this, unless the log was put back from an older copy by mistake`,
    `data.${field}`,
  )
