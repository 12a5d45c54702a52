import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { Admin, Kafka, Cluster as KafkaCluster, TopicOffsets } from 'kafkajs'
import { readMark, writeMark } from '../../../src/domain/kernel/group-binding.ts'
import type { BoundPlace, GroupBinding } from '../../../src/ports/group-binding.ts'
import type { Cluster } from './cluster.ts'
import { typeOf } from './errors.ts'
import type { Names } from './names.ts'
import { connectRaw } from './raw-cluster.ts'

/** Offsets as kafkajs sends them, each with the text that Kafka keeps beside it. */
export type MarkedOffsets = readonly (Omit<TopicOffsets, 'partitions'> & {
  readonly partitions: readonly {
    readonly partition: number
    readonly offset: string
    readonly metadata: string | null
  }[]
})[]

/** Where a group stands, by full names. */
export const placesOf = async (admin: Admin, groupId: string): Promise<readonly BoundPlace[]> =>
  (await admin.fetchOffsets({ groupId })).flatMap(({ topic, partitions }) =>
    partitions
      .filter(({ offset }) => !offset.startsWith('-'))
      .map(({ partition, offset, metadata }) => {
        const mark = readMark(metadata)
        return { topic, partition, next: BigInt(offset), ...(mark && { mark }) }
      }),
  )

/** Offsets of a member of a generation. Kafka refuses them once the group has gone on without it. */
export const commitAs = async (
  cluster: Pick<KafkaCluster, 'findGroupCoordinator'>,
  member: { readonly groupId: string; readonly memberId: string; readonly groupGenerationId: number },
  topics: MarkedOffsets,
): Promise<void> => {
  const coordinator = await cluster.findGroupCoordinator({ groupId: member.groupId })
  await coordinator.offsetCommit({ ...member, topics: topics as unknown as TopicOffsets[] })
}

/** What Kafka takes of somebody who is no member, for a group without members alone. */
const nobody = { memberId: '', groupGenerationId: -1 }

export interface GroupPlaces extends GroupBinding {
  close(): Promise<void>
}

export const groupPlaces = (cluster: Cluster, kafka: Kafka, names: Names): GroupPlaces => {
  let connecting: Promise<KafkaCluster> | undefined
  const connected = (): Promise<KafkaCluster> => {
    connecting ??= connectRaw(kafka).catch((error: unknown) => {
      connecting = undefined
      throw error
    })
    return connecting
  }

  return {
    places: (group) => async () => {
      const groupId = names.full(group)
      const call = { what: `look where group ${group} stands`, grant: `DESCRIBE on group ${groupId}` }
      const found = await cluster.call(call, (admin) => placesOf(admin, groupId))
      if (isLeft(found)) return found
      return right(
        found.right.flatMap((place) => {
          const topic = names.bare(place.topic)
          return topic === undefined ? [] : [{ ...place, topic }]
        }),
      )
    },

    bind: (group, places) => async () => {
      const groupId = names.full(group)
      const call = { what: `bind group ${group}`, grant: `READ on group ${groupId} and on its topics` }
      const topics = Array.from(
        Map.groupBy(places, ({ topic }) => names.full(topic)),
        ([topic, some]) => ({
          topic,
          partitions: some.map(({ partition, next, mark }) => ({
            partition,
            offset: `${next}`,
            metadata: writeMark(mark),
          })),
        }),
      )
      const bound = await cluster.call(call, async () => {
        try {
          await commitAs(await connected(), { groupId, ...nobody }, topics)
          return 'bound'
        } catch (error) {
          if (typeOf(error) === 'UNKNOWN_MEMBER_ID') return 'in use'
          throw error
        }
      })
      if (isLeft(bound)) return bound
      return bound.right === 'bound' ? right(undefined) : left({ kind: 'InUse', group } as const)
    },

    close: async () => {
      await connecting?.then((raw) => raw.disconnect()).catch(() => {})
    },
  }
}
