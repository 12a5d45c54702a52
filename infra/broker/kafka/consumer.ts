import type { Kafka } from 'kafkajs'
import { aborted } from '../../../src/async/aborted.ts'
import { GroupOfAnotherLog } from '../../../src/async/errors.ts'
import { keepTrying } from '../../../src/async/keep-trying.ts'
import { DeniedError } from '../../../src/async/unavailable.ts'
import type { BatchHandler, Consumption, StoppedPartition } from '../../../src/ports/broker.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { byNumber } from './assigner.ts'
import type { Binder } from './binder.ts'
import { createBreakdowns } from './breakdowns.ts'
import { createBrokenSpell } from './broken-spell.ts'
import { createConsumer } from './create-consumer.ts'
import { failureOf } from './failure.ts'
import { fetchApart } from './fetch-apart.ts'
import { commitAs } from './group-offsets.ts'
import { HandlerHangs, type Member, type MemberDependencies, startMember } from './member.ts'
import type { BindingDependencies } from './member-binding.ts'
import type { Log } from './settings.ts'
import { createStops, type Stops } from './stops.ts'

export interface ConsumerDependencies
  extends Omit<
    MemberDependencies,
    'consumer' | 'topics' | 'partitions' | 'batchSize' | 'handler' | 'binding' | 'stops' | 'clock'
  > {
  /** A client of its own for each consumer. */
  readonly client: () => Kafka
  readonly clock: Clock
  readonly onFatal: (error: Error) => void
  readonly log: Log
  /** Aborts when the broker is closed: nobody waits for the join any more. */
  readonly closing: AbortSignal
}

interface Subscription extends Pick<MemberDependencies, 'topics' | 'partitions' | 'batchSize'> {
  /** Absent if the group may work for any log. */
  readonly binder?: Binder
  readonly group: string
  /** Kafka's name for the group. */
  readonly fullGroup: string
}

/** A member that worked for so long resets its back-off. */
const soundMillis = 60_000
/** Each join makes the whole group rebalance. */
const backoff = { maxMillis: 30_000 }

/**
 * Joins a group and stays in it: a member that breaks down is replaced by a new one, after a pause that grows. This
 * applies to the first one, too, if its error is temporary; any other error rejects.
 */
export const joinGroup = async (
  deps: ConsumerDependencies,
  subscription: Subscription,
  handler: BatchHandler,
): Promise<Consumption> => {
  const { timing, clock } = deps
  const leaving = new AbortController()
  const left = aborted(leaving.signal)
  const breakdowns = createBreakdowns({ ...deps, ...subscription, hungMillis: timing.hungMillis })
  const joined = Promise.withResolvers<void>()
  let hasJoined = false
  let otherLog: string | undefined
  let member: Member | undefined
  const spell = createBrokenSpell({ now: clock.now, monotonic: clock.monotonic, soundMillis })

  /** One member, from its start to its end. */
  const work = async (succeeded: () => void): Promise<void> => {
    const started = performance.now()
    const own = beginMember(deps, subscription, handler)
    member = own
    void own.joined.then(() => {
      hasJoined = true
      spell.joined()
      otherLog = undefined
      joined.resolve()
    })
    const error = await Promise.race([own.broken, left])
    if (leaving.signal.aborted) return
    spell.broke(breakdowns.reasonOf(error))
    if (error instanceof GroupOfAnotherLog) otherLog = error.message
    if (hasJoined || breakdowns.mayPass(error)) breakdowns.report(error)
    await own.stop()
    if (error instanceof HandlerHangs) await Promise.race([own.idle(), left])
    if (performance.now() - started > soundMillis) succeeded()
    throw error
  }

  const staying = keepTrying(work, {
    clock,
    signal: leaving.signal,
    backoff,
    onFailure: ({ error }) => {
      if (!hasJoined && !deps.closing.aborted && !breakdowns.mayPass(error)) throw error
    },
  })

  try {
    await Promise.race([joined.promise, aborted(deps.closing), staying])
  } catch (error) {
    if (error instanceof GroupOfAnotherLog) throw error
    // Temporary errors were retried above.
    throw new DeniedError(breakdowns.reasonOf(error))
  }

  const leave = async (): Promise<void> => {
    leaving.abort()
    await Promise.all([member?.stop(), staying])
  }
  let hasLeft: Promise<void> | undefined
  return {
    get member() {
      return member?.id() ?? ''
    },
    refused: () => otherLog,
    broken: () => (leaving.signal.aborted ? undefined : spell.now()),
    stopped: () => (leaving.signal.aborted ? [] : (member?.stopped() ?? [])),
    stop: () => {
      hasLeft ??= leave()
      return hasLeft
    },
  }
}

const beginMember = (
  deps: ConsumerDependencies,
  subscription: Subscription,
  handler: BatchHandler,
): Member => {
  const { binder, fullGroup: groupId } = subscription
  const { consumer, cluster } = createConsumer(deps.client(), groupId, byNumber(binder), deps.timing)
  const binding: BindingDependencies | undefined = binder && {
    binder,
    commitAs: (memberId, groupGenerationId, offsets) =>
      commitAs(cluster, { groupId, memberId, groupGenerationId }, offsets),
  }
  const stops = createStops()
  fetchApart(cluster, { stops, clock: deps.clock, onStop: createStopReport(deps, subscription, stops) })
  return startMember({ ...deps, ...subscription, handler, consumer, stops, ...(binding && { binding }) })
}

/** Reports why a partition cannot be read: once, however often it is tried. */
const createStopReport =
  (
    { log, onFatal }: Pick<ConsumerDependencies, 'log' | 'onFatal'>,
    subscription: Subscription,
    stops: Stops,
  ) =>
  (place: Omit<StoppedPartition, 'since' | 'because'>, error: unknown): void => {
    const { topic: full, partition, offset } = place
    const { group, fullGroup, topics } = subscription
    const topic = topics.get(full) ?? full
    const failure = failureOf(error, {
      what: `read topic ${topic}, partition ${partition}, from offset ${offset} on`,
      grant: `READ on group ${fullGroup} and on its topics`,
      reads: true,
    })
    const reason = 'reason' in failure ? failure.reason : failure.kind
    if (!stops.add(place, reason)) return
    log.error({ group, topic, partition, offset, err: error }, `group ${group}: ${reason}`)
    onFatal(new Error(`group ${group}: ${reason}`, { cause: error }))
  }
