import {
  type GraphChanged,
  type Group,
  graphStream,
  type Member,
} from '../../domain/matching/graph/events.ts'
import type { GraphChangedMessage } from '../../domain/matching/messages.ts'
import { InvalidMessageError } from '../runtime/invalid-message-error.ts'

/** The group of a message, as the log has it. Throws `InvalidMessageError` if the log differs. */
export const verifiedGroup = (message: GraphChangedMessage, change: GraphChanged): Group => {
  const place = placeOf(message)
  const group = change.groups[message.group]
  if (!group)
    throw notInTheLog(
      `${place} has ${change.groups.length} groups, not one numbered ${message.group}`,
      'group',
    )
  const verify = (name: string, logged: unknown, given: unknown): void => {
    if (logged !== given) throw notInTheLog(`${place} says ${name} ${logged}, the message ${given}`, name)
  }
  verify('version', change.version, message.version)
  verify('timeSent', change.timeSent, message.timeSent)
  verify('component', group.component, message.component)
  verify('size', group.size, message.size)
  if (!areSame(group.members, message.members))
    throw notInTheLog(`${place} has other members than the message`, 'members')
  return group
}

const placeOf = ({ generation, revision }: GraphChangedMessage): string =>
  `${graphStream(generation)} revision ${revision}`

const areSame = (some: readonly Member[], others: readonly Member[]): boolean =>
  some.length === others.length &&
  some.every(([work, revision], i) => work === others[i]![0] && revision === others[i]![1])

export const noSuchChange = (message: GraphChangedMessage): InvalidMessageError =>
  notInTheLog(`${placeOf(message)} is no change of graphs`, 'revision')

export const notInTheLog = (problem: string, field: string): InvalidMessageError =>
  new InvalidMessageError(
    'not-in-the-log',
    `${problem}; Fonds alone writes this topic, from its log: discard this, unless the log was restored from an older copy by mistake`,
    `data.${field}`,
  )
