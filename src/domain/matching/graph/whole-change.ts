import type { GraphChanged, Group, PlaceInChange } from './events.ts'

/**
 * Whether events of the change are to come behind this one: until its last one is there it does not count. Events of older
 * matchers do not tell where their change ends, and each counts as it is.
 */
export const isContinued = ({ part, parts }: PlaceInChange): boolean =>
  part !== undefined && parts === undefined

/** Events of the change before this one, its last. */
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
