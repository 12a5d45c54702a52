import type { Consumer, EachBatchPayload, TopicOffsets } from 'kafkajs'
import { aborted } from '../../../src/ports/aborted.ts'
import type { BatchHandler } from '../../../src/ports/broker.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { GroupOfAnotherLog } from '../../../src/ports/group-binding.ts'
import { type Binder, type Share, textOf } from './binder.ts'
import { noteCommits } from './commits.ts'
import { isMembershipLost, messageOf } from './errors.ts'
import type { MarkedOffsets } from './group-places.ts'
import type { Outage } from './log.ts'
import { pauseAfter } from './pause.ts'
import type { Timing } from './timing.ts'
import { takeTurn } from './turn.ts'
import { within } from './within.ts'

/** Longest that kafkajs waits for a partition, and so also about the time between commits. */
const turnMillis = 1000
/** So often, in seconds, it is looked whether the group is still this log's. */
const checkSeconds = 10
/** A partition whose turn came too early is left alone for so long. */
const unboundMillis = 500

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
  readonly binding?: {
    readonly binder: Binder
    /** A commit of this member's in a generation of the group, and in no later one. */
    readonly commitAs: (memberId: string, generation: number, offsets: MarkedOffsets) => Promise<void>
  }
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

interface RunningTurn {
  readonly topic: string
  readonly partition: number
  readonly began: number
  readonly abort: AbortController
  /** Another member has the partition. */
  taken: boolean
  /** Resolves to how long the partition is to be left alone then, in milliseconds. */
  ended: Promise<number>
}

/**
 * kafkajs fetches from a broker again, and beats its heart, only when it has all partitions of its last fetch back. So it
 * waits a moment for a partition and gets it back paused after that, while the handler goes on: a slow one holds up
 * neither the other partitions nor the group. A partition has at most one fetched piece in memory.
 */
export const startMember = (deps: MemberDependencies): Member => {
  const { consumer, topics, partitions, batchSize, handler, timing, clock, outage, onError, binding } = deps
  const now = (): number => performance.now()
  const joined = Promise.withResolvers<void>()
  const broken = Promise.withResolvers<unknown>()
  const stopped = new AbortController()
  const turns = new Map<string, RunningTurn>()
  const failures = new Map<string, number>()
  let id = ''
  let commitNow: EachBatchPayload['commitOffsetsIfNecessary'] = () => Promise.resolve()

  /** The generation of the group that this member is in: kafkajs tells it with its heartbeats alone. */
  let generation = Promise.withResolvers<number>()
  let joining = new AbortController()
  /** Whether the group is this log's. */
  let bound: Promise<boolean> | true = true

  const commits = noteCommits((offsets) => commitNow({ topics: marked(offsets, binding?.binder) }))
  const commit = async (): Promise<void> => {
    try {
      await commits.flush()
    } catch (error) {
      // kafkajs hears with its next heartbeat that it has to join again.
      if (!isMembershipLost(error)) outage.away(`could not commit offsets: ${messageOf(error)}`)
    }
  }
  let seconds = 0
  /** What is finished of a long turn, and what could not be committed before. */
  const ticking = setInterval(() => {
    void commit()
    if (++seconds % checkSeconds === 0 && id !== '') binding?.binder.check().catch(refuse)
    for (const { began } of turns.values())
      if (now() - began > timing.hungMillis) broken.resolve(new HandlerHangs())
  }, 1000)

  const eachBatch = async (payload: EachBatchPayload): Promise<void> => {
    const { topic, partition, messages } = payload.batch
    const place = `${topic}-${partition}`
    if (messages.length === 0 || turns.has(place)) return
    // Without a pause, kafkajs would fetch the same again and again until it has stopped.
    if (stopped.signal.aborted) {
      payload.pause()
      return
    }
    commitNow = payload.commitOffsetsIfNecessary
    const abort = new AbortController()
    const turn = { topic, partition, began: now(), abort, taken: false, ended: Promise.resolve(0) }
    turns.set(place, turn)
    turn.ended = take(payload, turn, place).finally(() => turns.delete(place))
    if ((await firstOf(turn.ended, turnMillis)) === 0) return
    const resume = payload.pause()
    void turn.ended.then((millis) => clock.sleep(millis, stopped.signal)).then(resume)
  }

  const take = async (
    { batch, resolveOffset }: EachBatchPayload,
    turn: RunningTurn,
    place: string,
  ): Promise<number> => {
    const topic = topics.get(turn.topic)!
    const { partition } = turn
    const { signal } = turn.abort
    if (bound !== true && !(await bound)) return unboundMillis
    const finished = (next: bigint): void => {
      failures.delete(place)
      if (turn.taken) return
      resolveOffset(String(next - 1n))
      commits.note(turn.topic, partition, next)
    }
    const end = await takeTurn({
      topic,
      partition,
      messages: batch.messages,
      batchSize,
      handler,
      signal,
      isOver: () => now() - turn.began > turnMillis,
      onProgress: finished,
    })
    // Behind the last record there may be marks of transactions, which nobody handles.
    if (end.complete) finished(BigInt(batch.lastOffset()) + 1n)
    await commit()
    if (!end.fault || signal.aborted) return 0
    if (end.fault !== 'standstill') onError(end.fault.thrown, { topic, partition })
    const before = failures.get(place) ?? 0
    failures.set(place, before + 1)
    return pauseAfter(before)
  }

  const abortAll = (): void => {
    for (const { abort } of turns.values()) abort.abort()
  }
  /** From now on only some partitions are ours. What is finished of them, but not committed yet, is not fetched again. */
  const keep = (isOurs: (topic: string, partition: number) => boolean): void => {
    for (const { topic, partitions } of commits.keep(isOurs))
      for (const { partition, offset } of partitions) consumer.seek({ topic, partition, offset })
    for (const turn of turns.values()) {
      if (isOurs(turn.topic, turn.partition)) continue
      turn.taken = true
      turn.abort.abort()
    }
  }

  /** What is merely away is tried again by whoever needs it. */
  const refuse = (error: unknown): void => {
    if (error instanceof GroupOfAnotherLog) broken.resolve(error)
  }
  const bindTo = async (
    { binder, commitAs }: NonNullable<typeof binding>,
    share: Share,
  ): Promise<boolean> => {
    joining = new AbortController()
    generation = Promise.withResolvers()
    const { signal } = joining
    const beat = generation.promise
    const commitShare = async (offsets: MarkedOffsets): Promise<void> => {
      const number = await Promise.race([beat, aborted(signal)])
      if (number !== undefined && !signal.aborted) await commitAs(id, number, offsets)
    }
    try {
      return await binder.bind(share, commitShare, signal)
    } catch (error) {
      broken.resolve(error)
      return false
    }
  }

  // kafkajs joins again at once: what ends quickly can still be committed before others have the partitions.
  consumer.on(consumer.events.REBALANCING, abortAll)
  consumer.on(consumer.events.GROUP_JOIN, ({ payload: { memberId, memberAssignment } }) => {
    // Under another name it was away for a while: others may have been further.
    const isSame = memberId === id
    id = memberId
    keep((topic, partition) => isSame && (memberAssignment[topic]?.includes(partition) ?? false))
    outage.back()
    joining.abort()
    if (!binding) joined.resolve()
    else {
      bound = bindTo(binding, memberAssignment)
      void bound.then((isBound) => isBound && joined.resolve())
    }
  })
  consumer.on(consumer.events.HEARTBEAT, ({ payload }) => {
    outage.back()
    generation.resolve(payload.groupGenerationId)
  })
  consumer.on(consumer.events.CRASH, ({ payload }) => broken.resolve(payload.error))

  const start = async (): Promise<void> => {
    await binding?.binder.check()
    await consumer.connect()
    await consumer.subscribe({ topics: [...topics.keys()], fromBeginning: true })
    if (stopped.signal.aborted) return
    await consumer.run({
      eachBatchAutoResolve: false,
      autoCommit: false,
      partitionsConsumedConcurrently: partitions,
      eachBatch,
    })
  }
  const started = start().catch(broken.resolve)
  const idle = async (): Promise<void> => {
    await Promise.all(Array.from(turns.values(), ({ ended }) => ended))
  }

  return {
    id: () => id,
    joined: joined.promise,
    broken: broken.promise,
    idle,
    stop: async () => {
      stopped.abort()
      joining.abort()
      abortAll()
      await firstOf(idle().then(commit), timing.stopMillis)
      clearInterval(ticking)
      keep(() => false)
      // A consumer that is disconnected while it starts would join all the same, and stay.
      const disconnected = started.then(() => consumer.disconnect())
      await within(timing.callMillis, disconnected).catch(() => {})
    },
  }
}

/** With what is known of the log's end when they are sent: it holds what became of everything before them. */
const marked = (offsets: readonly TopicOffsets[], binder: Binder | undefined): TopicOffsets[] => {
  const metadata = textOf(binder?.mark())
  return offsets.map(({ topic, partitions }) => ({
    topic,
    partitions: partitions.map((place) => (metadata === null ? place : { ...place, metadata })),
  }))
}

/** What the work comes to, or undefined where it takes longer; it goes on then. */
const firstOf = async <A>(work: Promise<A>, millis: number): Promise<A | undefined> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), millis)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
