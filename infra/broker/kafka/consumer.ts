import type { Kafka } from 'kafkajs'
import { aborted } from '../../../src/async/aborted.ts'
import { GroupOfAnotherLog } from '../../../src/async/errors.ts'
import { keepTrying } from '../../../src/async/keep-trying.ts'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import type { BatchHandler, Consumption } from '../../../src/ports/broker.ts'
import { byNumber } from './assigner.ts'
import type { Binder } from './binder.ts'
import { createBreakdowns } from './breakdowns.ts'
import { createConsumer } from './create-consumer.ts'
import { commitAs } from './group-offsets.ts'
import { HandlerHangs, type Member, type MemberDependencies, startMember } from './member.ts'
import type { BindingDependencies } from './member-binding.ts'
import type { Log } from './settings.ts'

interface ConsumerDependencies
  extends Omit<
    MemberDependencies,
    'consumer' | 'topics' | 'partitions' | 'batchSize' | 'handler' | 'binding'
  > {
  /** A client of its own for each consumer. */
  readonly client: () => Kafka
  readonly onFatal: (error: Error) => void
  readonly log: Log
  /** Aborts when the broker is closed: nobody waits to have joined any more. */
  readonly closing: AbortSignal
}

interface Subscription extends Pick<MemberDependencies, 'topics' | 'partitions' | 'batchSize'> {
  /** Absent where the group may work for any log. */
  readonly binder?: Binder
  readonly group: string
  /** Kafka's name for the group. */
  readonly fullGroup: string
}

/** A member that worked for so long starts its back-off anew. */
const soundMillis = 60_000
/** Each joining has the whole group rebalance. */
const backoff = { maxMillis: 30_000 }

/** Joins, and stays: a member that breaks down is replaced by a new one, after a pause that grows. */
export const joinGroup = async (
  deps: ConsumerDependencies,
  subscription: Subscription,
  handler: BatchHandler,
): Promise<Consumption> => {
  const { timing, clock } = deps
  const leaving = new AbortController()
  const breakdowns = createBreakdowns({ ...deps, ...subscription, hungMillis: timing.hungMillis })
  let otherLog: string | undefined

  const begin = (): Member => {
    const member = beginMember(deps, subscription, handler)
    void member.joined.then(() => {
      otherLog = undefined
    })
    return member
  }

  let member = begin()
  const first = await Promise.race([
    member.joined,
    aborted(deps.closing),
    member.broken.then((error) => ({ error })),
  ])
  if (first) {
    await member.stop()
    if (first.error instanceof GroupOfAnotherLog) throw first.error
    throw new UnavailableError(breakdowns.reasonOf(first.error))
  }

  const left = aborted(leaving.signal)
  let isGone = false
  /** One member after the other: throws why it broke down. */
  const serve = async (succeeded: () => void): Promise<void> => {
    if (isGone) member = begin()
    isGone = false
    const started = performance.now()
    const error = await Promise.race([member.broken, left])
    if (leaving.signal.aborted) return
    if (error instanceof GroupOfAnotherLog) otherLog = error.message
    breakdowns.report(error)
    await member.stop()
    if (error instanceof HandlerHangs) await Promise.race([member.idle(), left])
    if (performance.now() - started > soundMillis) succeeded()
    isGone = true
    throw error
  }
  // It was reported before its member was stopped, which may take long.
  const onFailure = () => {}
  const staying = keepTrying(serve, { clock, signal: leaving.signal, backoff, onFailure })

  const leave = async (): Promise<void> => {
    leaving.abort()
    await Promise.all([member.stop(), staying])
  }
  let hasLeft: Promise<void> | undefined
  return {
    get member() {
      return member.id()
    },
    refused: () => otherLog,
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
  return startMember({ ...deps, ...subscription, handler, consumer, ...(binding && { binding }) })
}
