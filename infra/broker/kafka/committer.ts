import type { Consumer, EachBatchPayload, TopicOffsets } from 'kafkajs'
import { errorMessage } from '../../../src/async/errors.ts'
import { type Binder, textOf } from './binder.ts'
import { createCommits } from './commits.ts'
import { isMembershipLost } from './errors.ts'
import type { Outage } from './log.ts'

/** Commits the offsets of one member. */
interface Committer extends Pick<ReturnType<typeof createCommits>, 'note' | 'keep'> {
  /** Commits what was noted. Resolves also where that failed: it is committed with the next call. */
  commit(): Promise<void>
  /** kafkajs lets a member commit through the batches that it fetched. */
  commitThrough(payload: EachBatchPayload): void
}

export const createCommitter = (
  consumer: Pick<Consumer, 'commitOffsets'>,
  binder: Binder | undefined,
  outage: Outage,
): Committer => {
  // Before the first batch there may be control records alone to commit.
  let send: EachBatchPayload['commitOffsetsIfNecessary'] = (offsets) =>
    consumer.commitOffsets(inOneList(offsets!))
  const { note, keep, flush } = createCommits((offsets) => send({ topics: marked(offsets, binder) }))
  return {
    note,
    keep,
    commit: async () => {
      try {
        await flush()
      } catch (error) {
        // kafkajs learns from its next heartbeat that it has to join again.
        if (!isMembershipLost(error)) outage.away(`could not commit offsets: ${errorMessage(error)}`)
      }
    },
    commitThrough: (payload) => {
      send = payload.commitOffsetsIfNecessary
    },
  }
}

/** The mark is the newest event known when they are sent: the log then holds the outcome of every message before them. */
const marked = (offsets: readonly TopicOffsets[], binder: Binder | undefined): TopicOffsets[] => {
  const metadata = textOf(binder?.mark())
  return offsets.map(({ topic, partitions }) => ({
    topic,
    partitions: partitions.map((place) => (metadata === null ? place : { ...place, metadata })),
  }))
}

const inOneList = ({ topics }: { readonly topics: readonly TopicOffsets[] }) =>
  topics.flatMap(({ topic, partitions }) => partitions.map((place) => ({ ...place, topic })))
