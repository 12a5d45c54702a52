import { isLeft } from 'fp-ts/lib/Either.js'
import { type DutyState, duties, dutyStream, positionIn, stateOf } from '../domain/kernel/duty.ts'
import { isActive } from '../domain/kernel/lease.ts'
import { Away } from '../ports/away.ts'
import { inWords } from '../ports/broker-failure.ts'
import { livePosition } from '../ports/view-store.ts'
import { orAway } from '../projections/runtime/fold.ts'
import { checkpointOf, reactionsDuty, relayCheckpoint, relayDuty } from './duties.ts'
import { newestFact } from './newest-fact.ts'
import { projectionsOf, type System } from './system.ts'

/** How far a group has come in a partition. */
export interface Place {
  readonly group: string
  readonly topic: string
  readonly partition: number
  /** Next offset to handle. */
  readonly committed: bigint
  readonly end: bigint
}

/** How far a part has come in the log. */
export interface Position {
  readonly name: string
  readonly position: bigint
}

/** Of each processor, also of those that never ran: they have everything before them. Throws `Away`. */
export const placesOf = async (system: System): Promise<readonly Place[]> => {
  const { broker, workflows } = system
  const [topics, groups] = await Promise.all([broker.topics()(), broker.groups()()])
  if (isLeft(topics)) throw new Away(`the topics cannot be read: ${inWords(topics.left)}`)
  if (isLeft(groups)) throw new Away(`the consumer groups cannot be read: ${inWords(groups.left)}`)
  const committed = new Map(
    groups.right.flatMap(({ group, partitions }) =>
      partitions.map((one) => [`${group}/${one.topic}/${one.partition}`, one.committed] as const),
    ),
  )
  return workflows
    .flatMap((workflow) => workflow.processors(system))
    .flatMap((processor) =>
      topics.right
        .filter(({ name }) => processor.topics.some((topic) => topic.name === name))
        .flatMap(({ name: topic, offsets }) =>
          offsets.map(({ partition, start, end }) => {
            const place = { group: processor.name, topic, partition }
            return {
              ...place,
              committed: committed.get(`${processor.name}/${topic}/${partition}`) ?? start,
              end,
            }
          }),
        ),
    )
}

/**
 * Of each projection, reaction and follower. The latter two may be at work on another machine, with views of its own: how
 * far they have come is then known from their duty, which tells it a few times within its time. Throws `Away`.
 */
export const positionsOf = async (system: System): Promise<readonly Position[]> => {
  const { viewStore, workflows } = system
  const { positions } = await dutyOf(system, reactionsDuty)
  const along = workflows.flatMap((workflow) => [
    ...workflow.reactions(system),
    ...workflow.followers(system),
  ])
  return [
    ...projectionsOf(workflows).map(({ name }) => ({ name, position: livePosition(viewStore, name) })),
    ...along.map((part) => {
      const checkpoint = checkpointOf(part)
      const here = livePosition(viewStore, checkpoint)
      return { name: part.name, position: furthest(here, positionIn(positions, checkpoint)) }
    }),
  ]
}

/** Of the relay, here or on another machine; undefined where none ever ran. Throws `Away`. */
export const relayPosition = async (
  system: System,
): Promise<(Position & { readonly running: boolean }) | undefined> => {
  const { lease, lastFence, positions } = await dutyOf(system, relayDuty)
  if (lastFence === 0) return undefined
  const name = relayCheckpoint(system)
  return {
    name: relayDuty,
    position: furthest(livePosition(system.viewStore, name), positionIn(positions, name)),
    running: isActive(lease, system.clock.now()),
  }
}

/** As its latest event tells it. */
export const dutyOf = async ({ eventStore }: System, name: string): Promise<DutyState> => {
  const last = await eventStore.read(dutyStream(name), 'end', 'backward', 1)()
  if (isLeft(last)) throw new Away(JSON.stringify(last.left))
  const [event] = last.right
  if (!event) return duties.initial
  const read = duties.events.read(event)
  if (isLeft(read)) throw new Away(`${event.stream} at position ${event.position}: ${read.left}`)
  return stateOf(read.right)
}

const furthest = (one: bigint, other: bigint): bigint => (one > other ? one : other)

/** Position of the last event. Throws `Away`. */
export const headOf = ({ eventStore }: Pick<System, 'eventStore'>): Promise<bigint> =>
  orAway(eventStore.head())

/** Position of the last event behind another, but for those that only tell who has a duty; undefined: none. Throws `Away`. */
export const lastFactBehind = async (
  { eventStore }: Pick<System, 'eventStore'>,
  position: bigint,
): Promise<bigint | undefined> => (await newestFact(eventStore, position))?.position
