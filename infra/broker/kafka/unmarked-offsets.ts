import type { BoundPlace } from '../../../src/ports/group-binding.ts'
import type { MarkedOffsets } from './group-offsets.ts'

/** The partitions assigned to a member, by full names of topics. */
export type Share = Readonly<Record<string, readonly number[]>>

/**
 * Returns offsets, with `metadata` as their mark, for the partitions of a share whose commits have no mark yet: the
 * group's own offsets, or the first ones that Kafka keeps.
 */
export const unmarkedOffsets = async (
  share: Share,
  committed: readonly BoundPlace[],
  metadata: string | null,
  startsOf: (topic: string) => Promise<ReadonlyMap<number, bigint>>,
): Promise<MarkedOffsets> => {
  const known = new Map(committed.map((place) => [`${place.topic}/${place.partition}`, place]))
  const unmarked = Object.entries(share).flatMap(([topic, numbers]) => {
    const partitions = numbers.filter((number) => known.get(`${topic}/${number}`)?.mark === undefined)
    return partitions.length > 0 ? [{ topic, partitions }] : []
  })
  return Promise.all(
    unmarked.map(async ({ topic, partitions }) => {
      const starts = await startsOf(topic)
      return {
        topic,
        partitions: partitions.map((partition) => {
          const offset = known.get(`${topic}/${partition}`)?.next ?? starts.get(partition) ?? 0n
          return { partition, offset: `${offset}`, metadata }
        }),
      }
    }),
  )
}
