import type { EachBatchPayload, TopicOffsets } from 'kafkajs'
import { errorMessage } from '../../../src/async/errors.ts'
import { type Binder, textOf } from './binder.ts'
import { createCommits } from './commits.ts'
import { isMembershipLost } from './errors.ts'
import type { Outage } from './log.ts'

/** Commits the offsets of one member. */
interface Committer extends Pick<ReturnType<typeof createCommits>, 'note' | 'keep'> {
  /** Commits what was noted. Resolves also where that failed: it is committed with the next call. */
  commit(): Promise<void>
  /** kafkajs lets a member commit through the batches that it fetched. Nothing is committed before the first one. */
  commitThrough(payload: EachBatchPayload): void
}

export const createCommitter = (binder: Binder | undefined, outage: Outage): Committer => {
  let send: EachBatchPayload['commitOffsetsIfNecessary'] = () => Promise.resolve()
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
