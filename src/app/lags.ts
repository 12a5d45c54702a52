import { livePositions } from '../async/caught-up.ts'
import { orThrow } from '../async/unavailable.ts'
import { reactionsLease } from '../domain/kernel/leader-lease.ts'
import { isActive } from '../domain/kernel/lease.ts'
import { furtherPosition, leaderPosition } from '../processors/runtime/leader-checkpoints.ts'
import { leaderLeaseOf } from '../processors/runtime/leader-lease-of.ts'
import { groupOf } from '../processors/runtime/processor.ts'
import { projectionsOf } from '../workflows/workflow-model.ts'
import { checkpointOf, relayCheckpoint } from './checkpoint-names.ts'
import { newestFact } from './newest-fact.ts'
import { relayLease } from './relay-source.ts'
import type { System } from './system.ts'

/** Position of a group in a partition. */
export interface GroupPosition {
  readonly group: string
  readonly topic: string
  readonly partition: number
  /** Next offset to handle. */
  readonly committed: bigint
  /** Behind all records that can be handled now. */
  readonly end: bigint
  /** Number of the group's members. */
  readonly members: number
}

/** Position of a part in the log. */
interface Position {
  readonly name: string
  readonly position: bigint
  /** Nothing in the log or the views results from it. */
  readonly isSink?: boolean
}

/** Returns positions of all processors' groups; one that never ran is at the start. Throws `UnavailableError`. */
export const groupPositions = async (system: System): Promise<readonly GroupPosition[]> => {
  const { broker, workflows } = system
  const [topics, groups] = await Promise.all([
    orThrow(broker.topics(), 'the topics cannot be read'),
    orThrow(broker.groups(), 'the consumer groups cannot be read'),
  ])
  const known = new Map(
    groups.flatMap(({ group, partitions }) =>
      partitions.map((one) => [`${group}/${one.topic}/${one.partition}`, one] as const),
    ),
  )
  const members = new Map(groups.map(({ group, members }) => [group, members.length]))
  return workflows
    .flatMap((workflow) => workflow.processors(system))
    .flatMap((processor) =>
      topics
        .filter(({ name }) => processor.topics.some((topic) => topic.name === name))
        .flatMap(({ name: topic, offsets }) =>
          offsets.map(({ partition, start, end }) => {
            const { group, formerGroup = group } = groupOf(processor)
            const place = `${topic}/${partition}` as const
            const own = known.get(`${group}/${place}`) ?? known.get(`${formerGroup}/${place}`)
            return {
              group: processor.name,
              topic,
              partition,
              committed: own?.committed ?? start,
              end: own?.end ?? end,
              members: members.get(group) ?? 0,
            }
          }),
        ),
    )
}

/**
 * Returns positions of all projections, reactions and subscriptions. The latter two may run on another machine, with
 * its own views: their leader lease then holds their positions, as of its last extension. Throws `UnavailableError`.
 */
export const positionsOf = async (system: System): Promise<readonly Position[]> => {
  const { viewStore, workflows } = system
  const term = await leaderLeaseOf(system, reactionsLease)
  const live = livePositions(viewStore)
  const along = workflows.flatMap((workflow) => [
    ...workflow.reactions(system),
    ...workflow.subscriptions(system),
  ])
  return [
    ...projectionsOf(workflows).map(({ name }) => ({ name, position: live(name) })),
    ...along.map((part) => {
      const checkpoint = checkpointOf(part)
      const position = furtherPosition(checkpoint, live(checkpoint), term)
      return { name: part.name, position, isSink: 'isSink' in part && part.isSink === true }
    }),
  ]
}

/** Returns the relay's position, here or on another machine; undefined if none ever ran. Throws `UnavailableError`. */
export const relayPosition = async (
  system: System,
): Promise<(Position & { readonly running: boolean }) | undefined> => {
  const { lease, lastFence, positions } = await leaderLeaseOf(system, relayLease)
  if (lastFence === 0) return undefined
  const name = relayCheckpoint(system)
  return {
    name: relayLease,
    position: leaderPosition(name, { viewStore: system.viewStore, term: { positions } }),
    running: isActive(lease, system.clock.now()),
  }
}

/** Returns the position of the last event. Throws `UnavailableError`. */
export const headOf = ({ eventStore }: Pick<System, 'eventStore'>): Promise<bigint> =>
  orThrow(eventStore.head())

/**
 * Returns the position of the last event behind `position`, without those of leader leases; undefined if there is none.
 * Throws `UnavailableError`.
 */
export const lastFactBehind = async (
  { eventStore }: Pick<System, 'eventStore'>,
  position: bigint,
): Promise<bigint | undefined> => (await newestFact(eventStore, position))?.position
