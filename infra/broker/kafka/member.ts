import type { Consumer, EachBatchPayload, TopicOffsets } from 'kafkajs'
import { errorMessage, GroupOfAnotherLog } from '../../../src/async/errors.ts'
import { withTimeout } from '../../../src/async/with-timeout.ts'
import type { BatchHandler } from '../../../src/ports/broker.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { type Binder, textOf } from './binder.ts'
import { createCommits } from './commits.ts'
import { isMembershipLost } from './errors.ts'
import type { Outage } from './log.ts'
import { type BindingDependencies, createMemberBinding } from './member-binding.ts'
import { createPartitionSlices } from './partition-slices.ts'
import type { Timing } from './timing.ts'
import { within } from './within.ts'

/** So often, in seconds, it is checked that the group is still this log's. */
const checkSeconds = 10

export interface MemberDependencies {
  /** Not connected yet; used by this member alone. */
  readonly consumer: Consumer
  /** Full names of the topics, and ours. */
  readonly topics: ReadonlyMap<string, string>
  /** How many partitions the topics have. */
  readonly partitions: number
  readonly batchSize: number
  readonly handler: BatchHandler
  readonly timing: Timing
  readonly clock: Pick<Clock, 'sleep'>
  readonly outage: Outage
  readonly onError: (error: unknown, place: { topic: string; partition: number }) => void
  /** Absent where the group may work for any log. */
  readonly binding?: BindingDependencies
}

/** One kafkajs consumer from its start to its end. */
export interface Member {
  /** Empty until it has joined; may change when it joins again. */
  readonly id: () => string
  readonly joined: Promise<void>
  /** Resolves, with the reason, when it does not work any more: `HandlerHangs` is one, `GroupOfAnotherLog` another. */
  readonly broken: Promise<unknown>
  /** Resolves when no handler is at work. */
  idle(): Promise<void>
  stop(): Promise<void>
}

export class HandlerHangs extends Error {
  override readonly name = 'HandlerHangs'
}

/** Joins the group, handles what is fetched and commits what is finished. */
export const startMember = (deps: MemberDependencies): Member => {
  const { consumer, topics, partitions, batchSize, handler, timing, clock, outage, onError } = deps
  const binder = deps.binding?.binder
  const joined = Promise.withResolvers<void>()
  const broken = Promise.withResolvers<unknown>()
  const stopped = new AbortController()
  let id = ''
  let commitNow: EachBatchPayload['commitOffsetsIfNecessary'] = () => Promise.resolve()

  const binding = createMemberBinding(deps.binding)
  const commits = createCommits((offsets) => commitNow({ topics: marked(offsets, binder) }))
  const commit = async (): Promise<void> => {
    try {
      await commits.flush()
    } catch (error) {
      // kafkajs hears with its next heartbeat that it has to join again.
      if (!isMembershipLost(error)) outage.away(`could not commit offsets: ${errorMessage(error)}`)
    }
  }
  const slices = createPartitionSlices({
    topics,
    batchSize,
    handler,
    clock,
    onError,
    isBound: binding.isBound,
    onProgress: commits.note,
    commit,
    stopped: stopped.signal,
  })

  let seconds = 0
  /** Commits what is finished of a long slice, and what could not be committed before. */
  const ticking = setInterval(() => {
    void commit()
    if (++seconds % checkSeconds === 0 && id !== '') binder?.check().catch(breakIfOtherLog)
    if (slices.isAnyOlderThan(timing.hungMillis)) broken.resolve(new HandlerHangs())
  }, 1000)

  /** What is merely away is tried again by whoever needs it. */
  const breakIfOtherLog = (error: unknown): void => {
    if (error instanceof GroupOfAnotherLog) broken.resolve(error)
  }

  /** From now on only some partitions are ours. What is finished of them, but not committed yet, is not fetched again. */
  const keep = (isOurs: (topic: string, partition: number) => boolean): void => {
    for (const { topic, partitions } of commits.keep(isOurs))
      for (const { partition, offset } of partitions) consumer.seek({ topic, partition, offset })
    slices.abortLost(isOurs)
  }

  // kafkajs joins again at once: what ends quickly can still be committed before others have the partitions.
  consumer.on(consumer.events.REBALANCING, slices.abortAll)
  consumer.on(consumer.events.GROUP_JOIN, ({ payload: { memberId, memberAssignment } }) => {
    // Under another name it was away for a while: others may have been further.
    const isSame = memberId === id
    id = memberId
    keep((topic, partition) => isSame && (memberAssignment[topic]?.includes(partition) ?? false))
    outage.back()
    binding.join(memberId, memberAssignment).then((isBound) => isBound && joined.resolve(), broken.resolve)
  })
  consumer.on(consumer.events.HEARTBEAT, ({ payload }) => {
    outage.back()
    binding.onHeartbeat(payload.groupGenerationId)
  })
  consumer.on(consumer.events.CRASH, ({ payload }) => broken.resolve(payload.error))

  const start = async (): Promise<void> => {
    await binder?.check()
    await consumer.connect()
    await consumer.subscribe({ topics: [...topics.keys()], fromBeginning: true })
    if (stopped.signal.aborted) return
    await consumer.run({
      eachBatchAutoResolve: false,
      autoCommit: false,
      partitionsConsumedConcurrently: partitions,
      eachBatch: (payload) => {
        commitNow = payload.commitOffsetsIfNecessary
        return slices.handle(payload)
      },
    })
  }
  const started = start().catch(broken.resolve)

  return {
    id: () => id,
    joined: joined.promise,
    broken: broken.promise,
    idle: slices.idle,
    stop: async () => {
      stopped.abort()
      binding.end()
      slices.abortAll()
      await withTimeout(slices.idle().then(commit), timing.stopMillis, () => undefined)
      clearInterval(ticking)
      keep(() => false)
      // A consumer that is disconnected while it starts would join all the same, and stay.
      const disconnected = started.then(() => consumer.disconnect())
      await within(timing.callMillis, disconnected).catch(() => {})
    },
  }
}

/** With the newest event that is known when they are sent: the log holds what became of everything before them. */
const marked = (offsets: readonly TopicOffsets[], binder: Binder | undefined): TopicOffsets[] => {
  const metadata = textOf(binder?.mark())
  return offsets.map(({ topic, partitions }) => ({
    topic,
    partitions: partitions.map((place) => (metadata === null ? place : { ...place, metadata })),
  }))
}
