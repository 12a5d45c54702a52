import type { Consumer, EachBatchPayload } from 'kafkajs'
import type { BatchHandler } from '../../../src/ports/broker.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { noteCommits } from './commits.ts'
import { isMembershipLost, messageOf } from './errors.ts'
import { heartbeats } from './heartbeats.ts'
import type { Outage } from './log.ts'
import { pauseAfter } from './pause.ts'
import type { Timing } from './timing.ts'
import { takeTurn } from './turn.ts'
import { watchdog } from './watchdog.ts'
import { within } from './within.ts'

/** Longest that a partition's turn goes on while others may wait, and so also the time between commits. */
const turnMillis = 1000

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
  readonly onHung: () => void
}

/** One kafkajs consumer from its start to its end. */
export interface Member {
  /** Empty until it has joined; may change when it joins again. */
  readonly id: () => string
  readonly joined: Promise<void>
  /** Resolves, with the reason, when it does not work any more. */
  readonly broken: Promise<unknown>
  stop(): Promise<void>
}

interface RunningTurn {
  readonly topic: string
  readonly partition: number
  readonly abort: AbortController
  /** Another member has the partition. */
  taken: boolean
}

export const startMember = (deps: MemberDependencies): Member => {
  const { consumer, topics, partitions, batchSize, handler, timing, clock, outage, onError, onHung } = deps
  const now = (): number => performance.now()
  const joined = Promise.withResolvers<void>()
  const broken = Promise.withResolvers<unknown>()
  const stopped = new AbortController()
  const turns = new Set<RunningTurn>()
  const failures = new Map<string, number>()
  const dog = watchdog(timing.hungMillis, now)
  let id = ''
  let lost: unknown
  let commitNow: EachBatchPayload['commitOffsetsIfNecessary'] = () => Promise.resolve()

  const abortAll = (): void => {
    for (const { abort } of turns) abort.abort()
  }
  const heart = heartbeats({
    intervalMillis: timing.heartbeatMillis / 2,
    sessionMillis: timing.sessionMillis,
    watchdog: dog,
    now,
    onLost: (error) => {
      lost = error
      abortAll()
    },
    onHung: () => {
      abortAll()
      onHung()
    },
  })
  const commits = noteCommits((offsets) => commitNow({ topics: offsets }))

  /** Every second as well: what is finished of a long turn, and what could not be committed before. */
  const commit = async (): Promise<void> => {
    try {
      await commits.flush()
    } catch (error) {
      if (isMembershipLost(error)) throw error
      outage.away(`could not commit offsets: ${messageOf(error)}`)
    }
  }
  const committing = setInterval(() => commit().catch(() => {}), 1000)

  const eachBatch = async (payload: EachBatchPayload): Promise<void> => {
    const { batch, resolveOffset, heartbeat, commitOffsetsIfNecessary, pause } = payload
    if (batch.messages.length === 0 || stopped.signal.aborted || lost) return
    const topic = topics.get(batch.topic)!
    const { partition } = batch
    const turn: RunningTurn = { topic: batch.topic, partition, abort: new AbortController(), taken: false }
    const { signal } = turn.abort
    const place = `${topic}-${partition}`
    const began = now()
    const finished = (next: bigint): void => {
      dog.progress()
      failures.delete(place)
      if (turn.taken) return
      resolveOffset(String(next - 1n))
      commits.note(batch.topic, partition, next)
    }
    commitNow = commitOffsetsIfNecessary
    let gone: unknown
    turns.add(turn)
    heart.begin(heartbeat)
    try {
      const end = await takeTurn({
        topic,
        partition,
        messages: batch.messages,
        batchSize,
        handler,
        signal,
        isOver: () => now() - began > turnMillis,
        onProgress: finished,
      })
      // Behind the last record there may be marks of transactions, which nobody handles.
      if (end.complete) finished(BigInt(batch.lastOffset()) + 1n)
      await commit()
      if (end.fault && !signal.aborted) {
        if (end.fault !== 'standstill') onError(end.fault.thrown, { topic, partition })
        rest(place, pause())
      }
    } finally {
      turns.delete(turn)
      heart.end()
      gone = lost
      if (turns.size === 0) lost = undefined
    }
    // kafkajs joins again when it sees this.
    if (gone) throw gone
  }

  /** Leaves the partition alone for a while; others go on. */
  const rest = (place: string, resume: () => void): void => {
    const before = failures.get(place) ?? 0
    failures.set(place, before + 1)
    void clock.sleep(pauseAfter(before), stopped.signal).then(() => {
      if (!stopped.signal.aborted) resume()
    })
  }

  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    const isOurs = (topic: string, partition: number): boolean =>
      payload.memberAssignment[topic]?.includes(partition) ?? false
    id = payload.memberId
    commits.keep(isOurs)
    for (const turn of turns) {
      if (isOurs(turn.topic, turn.partition)) continue
      turn.taken = true
      turn.abort.abort()
    }
    outage.back()
    joined.resolve()
  })
  consumer.on(consumer.events.HEARTBEAT, outage.back)
  consumer.on(consumer.events.CRASH, ({ payload }) => broken.resolve(payload.error))

  const start = async (): Promise<void> => {
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

  return {
    id: () => id,
    joined: joined.promise,
    broken: broken.promise,
    stop: async () => {
      stopped.abort()
      abortAll()
      // A consumer that is disconnected while it starts would join all the same, and stay.
      const disconnected = started.then(() => consumer.disconnect())
      await within(timing.stopMillis, disconnected).catch(() => {})
      clearInterval(committing)
      heart.stop()
    },
  }
}
