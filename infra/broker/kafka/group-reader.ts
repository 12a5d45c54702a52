import type { Admin } from 'kafkajs'
import { orThrow } from '../../../src/async/unavailable.ts'
import type { BoundPlace } from '../../../src/ports/group-binding.ts'
import type { Cluster } from './cluster.ts'
import { committedOffsets } from './group-offsets.ts'
import { topicOffsets } from './list-topics.ts'

export interface GroupReaderDependencies {
  readonly group: string
  /** Kafka's name for the group. */
  readonly fullGroup: string
  /** Our names of the topics, by their full names. */
  readonly topics: ReadonlyMap<string, string>
  readonly cluster: Pick<Cluster, 'call'>
}

/** Rejects with `UnavailableError`. Topics have their full names. */
interface GroupReader {
  /** Returns committed offsets of the group's own topics alone. */
  committed(): Promise<readonly BoundPlace[]>
  /** Returns the first offset that Kafka keeps, by partition. */
  startsOf(topic: string): Promise<ReadonlyMap<number, bigint>>
}

export const createGroupReader = (deps: GroupReaderDependencies): GroupReader => {
  const { group, fullGroup, topics, cluster } = deps
  const call = {
    what: `read the offsets of group ${group}`,
    grant: `READ on group ${fullGroup} and on its topics`,
  }
  const ask = <A>(work: (admin: Admin) => Promise<A>): Promise<A> => orThrow(cluster.call(call, work))

  return {
    committed: async () => {
      const places = await ask((admin) => committedOffsets(admin, fullGroup))
      return places.filter(({ topic }) => topics.has(topic))
    },
    startsOf: async (topic) => {
      const offsets = await ask((admin) => topicOffsets(admin, topic))
      return new Map(offsets.map(({ partition, start }) => [partition, start]))
    },
  }
}
