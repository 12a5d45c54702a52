import { isLeft } from 'fp-ts/lib/Either.js'
import { unavailable } from '../../async/unavailable.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { notingNewest } from '../../processors/runtime/own-log.ts'
import { groupBindings } from '../group-bindings.ts'
import type { System } from '../system.ts'

/** Result for the consumer groups on a broker that is not embedded. */
export interface GroupsTakenAlong {
  /** They work for the target now, and continue from their offsets. */
  readonly bound: readonly string[]
  /** They have members: they still work for the source. */
  readonly inUse: readonly string[]
  /** They work for a third log. */
  readonly others: readonly string[]
}

/** Binds the groups that work for the source to its whole copy. Throws `UnavailableError`. */
export const takeGroupsAlong = async (
  system: System,
  target: EventStore,
): Promise<GroupsTakenAlong | undefined> => {
  const { binding } = system.broker
  if (!binding) return undefined
  const there = notingNewest(target).ownLog
  const mark = await there.ask()
  const bound: string[] = []
  const inUse: string[] = []
  const others: string[] = []
  const here = await groupBindings(system, binding, notingNewest(system.eventStore).ownLog)
  const already = await groupBindings(system, binding, there)
  for (const [i, { group, formerGroup, binding: found, places }] of here.entries()) {
    if (places.length === 0) continue
    if (already[i]?.binding.kind === 'ours') bound.push(group)
    else if (found.kind === 'other-log' || found.kind === 'other-copy') others.push(group)
    else {
      const moved = await binding.bind(
        group,
        places.map(({ topic, partition, next }) => ({ topic, partition, next, mark })),
        formerGroup,
      )()
      if (!isLeft(moved)) bound.push(group)
      else if (moved.left.kind === 'InUse') inUse.push(group)
      else throw unavailable(moved.left)
    }
  }
  return { bound, inUse, others }
}
