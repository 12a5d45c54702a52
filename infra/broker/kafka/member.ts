import type { Consumer, EachBatchPayload } from 'kafkajs'
import { GroupOfAnotherLog } from '../../../src/async/errors.ts'
import { withTimeout } from '../../../src/async/with-timeout.ts'
import type { BatchHandler, StoppedPartition } from '../../../src/ports/broker.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { createCommitter } from './committer.ts'
import type { Outage } from './log.ts'
import { type BindingDependencies, createMemberBinding } from './member-binding.ts'
import { createPartitionSlices } from './partition-slices.ts'
import type { Stops } from './stops.ts'
import type { Timing } from './timing.ts'
import { within } from './within.ts'

/** Seconds between checks that the group is still this log's. */
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
  readonly stops: Stops
}

/** One kafkajs consumer from its start to its end. */
export interface Member {
  /** Empty until it has joined; may change when it joins again. */
  readonly id: () => string
  readonly joined: Promise<void>
  /** Resolves with the reason when it has broken down, such as `HandlerHangs` or `GroupOfAnotherLog`. */
  readonly broken: Promise<unknown>
  /** Resolves when no handler is at work. */
  idle(): Promise<void>
  stopped(): readonly StoppedPartition[]
  stop(): Promise<void>
}

export class HandlerHangs extends Error {
  override readonly name = 'HandlerHangs'
}

/** Joins the group, handles what is fetched and commits what is finished. */
export const startMember = (deps: MemberDependencies): Member => {
  const { consumer, timing, outage, topics, stops } = deps
  const binder = deps.binding?.binder
  const joined = Promise.withResolvers<void>()
  const broken = Promise.withResolvers<unknown>()
  const stopped = new AbortController()
  const binding = createMemberBinding(deps.binding)
  const committer = createCommitter(consumer, binder, outage)
  const { note, commit } = committer
  const slices = createPartitionSlices({
    ...deps,
    isBound: binding.isBound,
    onProgress: note,
    commit,
    stopped: stopped.signal,
  })

  /** After a rebalance: finished records of our partitions that are not committed yet are not fetched again. */
  const keep = (isOurs: IsOurs): void => {
    for (const { topic, partitions } of committer.keep(isOurs))
      for (const { partition, offset } of partitions) consumer.seek({ topic, partition, offset })
    slices.abortLost(isOurs)
    stops.keep(isOurs)
  }
  const onRebalancing = slices.abortAll
  const share = followShare({
    ...{ consumer, outage, binding, joined, broken, keep, note, onRebalancing },
    stopped: stopped.signal,
  })

  /** Whatever else the check rejects with is tried again by the calls that need it. */
  const breakIfOtherLog = (error: unknown): void => {
    if (error instanceof GroupOfAnotherLog) broken.resolve(error)
  }
  let seconds = 0
  /** Also commits what is finished of a slice that takes long, and what could not be committed before. */
  const ticking = setInterval(() => {
    void commit()
    if (++seconds % checkSeconds === 0 && share.id() !== '') binder?.check().catch(breakIfOtherLog)
    if (slices.isAnyOlderThan(timing.hungMillis)) broken.resolve(new HandlerHangs())
  }, 1000)

  const start = async (): Promise<void> => {
    await binder?.check()
    await fetchBatches(deps, stopped.signal, (payload) => {
      committer.commitThrough(payload)
      return slices.handle(payload)
    })
  }
  const started = start().catch(broken.resolve)

  return {
    id: share.id,
    joined: joined.promise,
    broken: broken.promise,
    idle: slices.idle,
    stopped: () => stops.all().map((one) => ({ ...one, topic: topics.get(one.topic) ?? one.topic })),
    stop: async () => {
      stopped.abort()
      binding.end()
      slices.abortAll()
      await withTimeout(slices.idle().then(commit), timing.stopMillis, () => undefined)
      clearInterval(ticking)
      keep(() => false)
      // A consumer that is disconnected while it starts would join all the same, and never leave.
      const disconnected = started.then(() => consumer.disconnect())
      await within(timing.callMillis, disconnected).catch(() => {})
    },
  }
}

type IsOurs = (topic: string, partition: number) => boolean

interface ShareParts {
  readonly consumer: Consumer
  readonly outage: Outage
  readonly binding: ReturnType<typeof createMemberBinding>
  readonly joined: PromiseWithResolvers<void>
  readonly broken: PromiseWithResolvers<unknown>
  readonly stopped: AbortSignal
  readonly onRebalancing: () => void
  /** Keeps what is known of our partitions, and drops the rest. */
  readonly keep: (isOurs: IsOurs) => void
  /** To be committed: all before `next` is finished. */
  readonly note: (topic: string, partition: number, next: bigint) => void
}

/** Follows which partitions the member has, by the events of its consumer. */
const followShare = (parts: ShareParts) => {
  const { consumer, outage, binding, joined, broken, stopped, onRebalancing, keep, note } = parts
  let id = ''
  let generation = 0
  /** Nothing is committed of a group that may be another log's, nor of an earlier share. */
  const passed = async (topic: string, partition: number, next: bigint): Promise<void> => {
    const began = generation
    if ((await binding.isBound()) && began === generation && !stopped.aborted) note(topic, partition, next)
  }

  // kafkajs joins again at once. Batches that end quickly are still committed before others have the partitions.
  consumer.on(consumer.events.REBALANCING, onRebalancing)
  consumer.on(consumer.events.GROUP_JOIN, ({ payload: { memberId, memberAssignment } }) => {
    // A new id means that the group went on without us: other members may have handled more.
    const isSame = memberId === id
    id = memberId
    generation++
    keep((topic, partition) => isSame && (memberAssignment[topic]?.includes(partition) ?? false))
    outage.back()
    binding.join(memberId, memberAssignment).then((isBound) => isBound && joined.resolve(), broken.resolve)
  })
  consumer.on(consumer.events.HEARTBEAT, ({ payload }) => {
    outage.back()
    binding.onHeartbeat(payload.groupGenerationId)
  })
  // Control records and aborted ones alone: kafkajs goes on behind them, and leaves it to us to say so to Kafka.
  consumer.on(
    consumer.events.END_BATCH_PROCESS,
    ({ payload: { topic, partition, batchSize, lastOffset } }) => {
      if (batchSize === 0) void passed(topic, partition, BigInt(lastOffset) + 1n)
    },
  )
  consumer.on(consumer.events.CRASH, ({ payload }) => broken.resolve(payload.error))
  return { id: (): string => id }
}

/** Joins the group and goes on in the background, until the consumer is disconnected. */
const fetchBatches = async (
  { consumer, topics, partitions }: Pick<MemberDependencies, 'consumer' | 'topics' | 'partitions'>,
  stopped: AbortSignal,
  eachBatch: (payload: EachBatchPayload) => Promise<void>,
): Promise<void> => {
  await consumer.connect()
  await consumer.subscribe({ topics: [...topics.keys()], fromBeginning: true })
  if (stopped.aborted) return
  await consumer.run({
    eachBatchAutoResolve: false,
    autoCommit: false,
    partitionsConsumedConcurrently: partitions,
    eachBatch,
  })
}
