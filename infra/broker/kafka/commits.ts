import type { TopicOffsets } from 'kafkajs'

interface Commits {
  /** Everything of the partition below `next` is finished. */
  note(topic: string, partition: number, next: bigint): void
  /** Commits what was noted; what is noted meanwhile goes together in the next request. */
  flush(): Promise<void>
  /** After a rebalance: forgets the partitions of others, returns what is still to be committed. */
  keep(isOurs: (topic: string, partition: number) => boolean): readonly TopicOffsets[]
}

/**
 * Offsets that are finished and not yet committed. Those of a commit that fails go with the next one, unless a rebalance
 * came between.
 */
export const createCommits = (send: (topics: TopicOffsets[]) => Promise<void>): Commits => {
  let noted = new Map<string, Map<number, bigint>>()
  let sending = Promise.resolve()
  let next: Promise<void> | undefined
  let shares = 0

  const note = (topic: string, partition: number, offset: bigint): void => {
    const partitions = noted.get(topic) ?? new Map<number, bigint>()
    const before = partitions.get(partition)
    if (before === undefined || before < offset) noted.set(topic, partitions.set(partition, offset))
  }

  const sendAll = async (): Promise<void> => {
    next = undefined
    if (noted.size === 0) return
    const taken = noted
    const share = shares
    noted = new Map()
    try {
      await send(offsetsOf(taken))
    } catch (error) {
      if (share === shares)
        for (const [topic, partitions] of taken)
          for (const [partition, offset] of partitions) note(topic, partition, offset)
      throw error
    }
  }

  return {
    note,
    flush: () => {
      next ??= sending.then(sendAll)
      sending = next.catch(() => {})
      return next
    },
    keep: (isOurs) => {
      shares++
      for (const [topic, partitions] of noted) {
        for (const partition of partitions.keys()) if (!isOurs(topic, partition)) partitions.delete(partition)
        if (partitions.size === 0) noted.delete(topic)
      }
      return offsetsOf(noted)
    },
  }
}

const offsetsOf = (noted: ReadonlyMap<string, ReadonlyMap<number, bigint>>): TopicOffsets[] =>
  Array.from(noted, ([topic, partitions]) => ({
    topic,
    partitions: Array.from(partitions, ([partition, offset]) => ({ partition, offset: String(offset) })),
  }))
