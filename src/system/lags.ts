import { isLeft } from 'fp-ts/lib/Either.js'
import { Away } from '../ports/away.ts'
import { livePosition } from '../ports/view-store.ts'
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

/** How far a projection or reaction has come in the log. */
export interface Position {
  readonly name: string
  readonly position: bigint
}

/** Of each processor, also of those that never ran: they have everything before them. Throws `Away`. */
export const placesOf = async (system: System): Promise<readonly Place[]> => {
  const { broker, workflows } = system
  const [topics, groups] = await Promise.all([broker.topics()(), broker.groups()()])
  if (isLeft(topics)) throw new Away(`the topics cannot be read: ${JSON.stringify(topics.left)}`)
  if (isLeft(groups)) throw new Away(`the consumer groups cannot be read: ${JSON.stringify(groups.left)}`)
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

/** Of each projection and reaction. Throws `Away`. */
export const positionsOf = (system: System): readonly Position[] => {
  const { viewStore, workflows } = system
  const reactions = workflows.flatMap((workflow) => workflow.reactions(system))
  return [...projectionsOf(workflows), ...reactions].map(({ name }) => ({
    name,
    position: livePosition(viewStore, name),
  }))
}

/** Position of the last event. Throws `Away`. */
export const headOf = async ({ eventStore }: Pick<System, 'eventStore'>): Promise<bigint> => {
  const head = await eventStore.head()()
  if (isLeft(head)) throw new Away(head.left.reason)
  return head.right
}
