import type { GraphChanged, Group, PlaceInChange } from './events.ts'

/**
 * True if events of the change follow this one: it is not valid until its last event is written. Events of older
 * matchers do not mark the end of their change, and each is valid by itself.
 */
export const isContinued = ({ part, parts }: PlaceInChange): boolean =>
  part !== undefined && parts === undefined

/** Returns the number of events of the change before this one, its last. */
export const eventsBefore = ({ parts = 1 }: PlaceInChange): number => parts - 1

/** Whether the last component of an event has pieces in the next one. */
export const lacksPieces = ({ groups }: Pick<GraphChanged, 'groups'>): boolean => {
  const last = groups.at(-1)
  return last !== undefined && last.piece + 1 < last.pieces
}

/** Consecutive events of a change as one, with each component in one piece. */
export const joinParts = (
  parts: readonly GraphChanged[],
): Pick<GraphChanged, 'causes' | 'groups' | 'dropped'> => ({
  causes: parts.flatMap(({ causes }) => causes),
  groups: joinPieces(parts.flatMap(({ groups }) => groups)),
  dropped: parts.flatMap(({ dropped }) => dropped),
})

const joinPieces = (groups: readonly Group[]): Group[] => {
  const joined: Group[] = []
  for (const group of groups)
    if (group.piece === 0)
      joined.push({ ...group, pieces: 1, members: [...group.members], placeholders: [...group.placeholders] })
    else {
      const whole = joined.at(-1)
      if (whole?.component !== group.component)
        throw new Error(`no first piece of the component ${group.component} came before this one`)
      for (const member of group.members) whole.members.push(member)
      for (const id of group.placeholders) whole.placeholders.push(id)
    }
  return joined
}
