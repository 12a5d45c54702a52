import { pipe } from 'fp-ts/lib/function.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Admin, Kafka, Cluster as KafkaCluster, TopicOffsets } from 'kafkajs'
import { readMark, writeMark } from '../../../src/domain/kernel/group-binding.ts'
import type { BrokerFailure } from '../../../src/ports/broker-failure.ts'
import type { BoundPlace, GroupBinding, InUse } from '../../../src/ports/group-binding.ts'
import type { Cluster } from './cluster.ts'
import { isNotAuthorized, typeOf } from './errors.ts'
import type { Names } from './names.ts'
import { openRawCluster } from './raw-cluster.ts'

/** Offsets as kafkajs sends them, each with the metadata text that Kafka stores with it. */
export type MarkedOffsets = readonly (Omit<TopicOffsets, 'partitions'> & {
  readonly partitions: readonly {
    readonly partition: number
    readonly offset: string
    readonly metadata: string | null
  }[]
})[]

/** Returns the committed offsets of a group, by full names of topics. */
export const committedOffsets = async (admin: Admin, groupId: string): Promise<readonly BoundPlace[]> =>
  (await admin.fetchOffsets({ groupId })).flatMap(({ topic, partitions }) =>
    partitions
      .filter(({ offset }) => !offset.startsWith('-'))
      .map(({ partition, offset, metadata }) => {
        const mark = readMark(metadata)
        return { topic, partition, next: BigInt(offset), ...(mark && { mark }) }
      }),
  )

/** Commits as a member of one generation. Kafka rejects it once the group has a later generation. */
export const commitAs = async (
  cluster: Pick<KafkaCluster, 'findGroupCoordinator'>,
  member: { readonly groupId: string; readonly memberId: string; readonly groupGenerationId: number },
  topics: MarkedOffsets,
): Promise<void> => {
  const coordinator = await cluster.findGroupCoordinator({ groupId: member.groupId })
  await coordinator.offsetCommit({ ...member, topics: topics as unknown as TopicOffsets[] })
}

/** A commit without a member, which Kafka accepts only for groups without members. */
const nobody = { memberId: '', groupGenerationId: -1 }

export interface GroupOffsets extends GroupBinding {
  /**
   * `Forbidden` if Kafka denies us a group. Checked separately: for that, as for an unavailable Kafka, kafkajs reports
   * that it found no coordinator.
   */
  checkRights(groups: readonly string[]): TaskEither<BrokerFailure, void>
  /**
   * Gives a group that never committed the offsets of its former group. That one is deleted if it has no members and
   * Kafka permits it: members of an older version stay in it, and then handle the same messages as the new group.
   */
  takeOver(group: string, formerGroup: string): TaskEither<BrokerFailure, void>
  close(): Promise<void>
}

export const openGroupOffsets = (cluster: Cluster, kafka: Kafka, names: Names): GroupOffsets => {
  const raw = openRawCluster(kafka)

  /** Returns false if the group has members. */
  const commitUnlessInUse = async (groupId: string, offsets: MarkedOffsets): Promise<boolean> => {
    try {
      await commitAs(await raw.connected(), { groupId, ...nobody }, offsets)
      return true
    } catch (error) {
      if (typeOf(error) === 'UNKNOWN_MEMBER_ID') return false
      throw error
    }
  }

  return {
    checkRights: (groups) => {
      const ids = groups.map(names.full)
      const call = {
        what: `consume as group ${groups[0]}`,
        grant: `READ on group ${ids.join(' and on group ')} and on its topics`,
      }
      return cluster.call(call, async () => {
        const connected = await raw.connected()
        await connected.refreshMetadataIfNecessary()
        const any = await connected.findControllerBroker()
        for (const id of ids) await any.describeGroups({ groupIds: [id] }).catch(unlessForbidden)
      })
    },

    takeOver: (group, formerGroup) => {
      const [groupId, formerId] = [names.full(group), names.full(formerGroup)]
      const call = {
        what: `start group ${group} at the offsets of group ${formerGroup}`,
        grant: `READ on group ${groupId} and on group ${formerId}`,
      }
      return cluster.call(call, async (admin) => {
        const former = await committedOffsets(admin, formerId)
        if (former.length === 0) return
        const own = await committedOffsets(admin, groupId)
        // One commit for all partitions. If the group has members, one of them took over before it joined.
        if (own.length === 0) await commitUnlessInUse(groupId, offsetsOf(former))
        await admin.deleteGroups([formerId]).catch(() => {})
      })
    },

    places: (group, formerGroup) => {
      const groupId = names.full(group)
      const call = { what: `read the offsets of group ${group}`, grant: `DESCRIBE on group ${groupId}` }
      return pipe(
        cluster.call(call, async (admin) => {
          const own = await committedOffsets(admin, groupId)
          return own.length > 0 || formerGroup === undefined
            ? own
            : committedOffsets(admin, names.full(formerGroup))
        }),
        TE.map((places) =>
          places.flatMap((place) => {
            const topic = names.bare(place.topic)
            return topic === undefined ? [] : [{ ...place, topic }]
          }),
        ),
      )
    },

    bind: (group, places, formerGroup) => {
      const groupId = names.full(group)
      const call = { what: `bind group ${group}`, grant: `READ on group ${groupId} and on its topics` }
      return pipe(
        cluster.call(call, async (admin) => {
          if (formerGroup !== undefined && (await hasMembers(admin, names.full(formerGroup))))
            return formerGroup
          return (await commitUnlessInUse(groupId, toOffsets(places, names))) ? undefined : group
        }),
        TE.chainW((inUse) =>
          inUse === undefined ? TE.right(undefined) : TE.left<InUse>({ kind: 'InUse', group: inUse }),
        ),
      )
    },

    close: raw.close,
  }
}

/** Ignores whether this broker is the group's coordinator. */
const unlessForbidden = (error: unknown): void => {
  if (isNotAuthorized(error)) throw error
}

const hasMembers = async (admin: Admin, groupId: string): Promise<boolean> =>
  (await admin.describeGroups([groupId])).groups.some(({ members }) => members.length > 0)

const toOffsets = (places: readonly Required<BoundPlace>[], names: Names): MarkedOffsets =>
  offsetsOf(places.map((place) => ({ ...place, topic: names.full(place.topic) })))

/** Groups offsets by full names of topics. */
const offsetsOf = (places: readonly BoundPlace[]): MarkedOffsets =>
  Array.from(
    Map.groupBy(places, ({ topic }) => topic),
    ([topic, some]) => ({
      topic,
      partitions: some.map(({ partition, next, mark }) => ({
        partition,
        offset: `${next}`,
        metadata: mark ? writeMark(mark) : null,
      })),
    }),
  )
