import type { Kafka } from 'kafkajs'
import { aborted } from '../../../src/ports/aborted.ts'
import { Away } from '../../../src/ports/away.ts'
import type { BatchHandler, Consumption } from '../../../src/ports/broker.ts'
import { byNumber } from './assigner.ts'
import { mayPass } from './errors.ts'
import { type Call, failureOf } from './failure.ts'
import { type Member, type MemberDependencies, startMember } from './member.ts'
import { pauseAfter } from './pause.ts'
import type { Log } from './settings.ts'

export interface ConsumerDependencies
  extends Omit<
    MemberDependencies,
    'consumer' | 'topics' | 'partitions' | 'batchSize' | 'handler' | 'onHung'
  > {
  /** A client of its own for each consumer. */
  readonly client: () => Kafka
  readonly onFatal: (error: Error) => void
  readonly log: Log
}

export interface Subscription extends Pick<MemberDependencies, 'topics' | 'partitions' | 'batchSize'> {
  readonly group: string
  /** Kafka's name for the group. */
  readonly fullGroup: string
}

/** A member that worked for so long had no lasting fault. */
const soundMillis = 60_000
/** The same fault is told again after so long. */
const remindMillis = 10 * 60_000

/** Joins, and stays: a consumer that breaks down is replaced by a new one, after a pause that grows. */
export const joinGroup = async (
  deps: ConsumerDependencies,
  subscription: Subscription,
  handler: BatchHandler,
): Promise<Consumption> => {
  const { timing, clock, outage, onFatal, log } = deps
  const { group, fullGroup } = subscription
  const leaving = new AbortController()
  const call: Call = {
    what: `consume as group ${group}`,
    grant: `READ on group ${fullGroup} and on its topics`,
  }

  const begin = (): Member =>
    startMember({ ...deps, ...subscription, handler, consumer: newConsumer(), onHung })

  const newConsumer = () =>
    deps.client().consumer({
      groupId: fullGroup,
      sessionTimeout: timing.sessionMillis,
      rebalanceTimeout: timing.rebalanceMillis,
      heartbeatInterval: timing.heartbeatMillis,
      maxWaitTimeInMs: 300,
      allowAutoTopicCreation: false,
      partitionAssigners: [byNumber],
      // Starting again is done here alone: kafkajs does it for some faults only.
      retry: { restartOnFailure: () => Promise.resolve(false) },
    })

  const onHung = (): void => {
    const minutes = Math.round(timing.hungMillis / 6000) / 10
    fatal(
      `group ${group}: no batch was finished for ${minutes} minutes; its partitions are left to other members`,
    )
  }
  const fatal = (message: string, cause?: unknown): void => {
    log.error({ group, err: cause }, message)
    onFatal(new Error(message, { cause }))
  }

  let said = { reason: '', at: 0 }
  const report = (error: unknown): void => {
    const failure = failureOf(error, call)
    const reason = 'reason' in failure ? failure.reason : failure.kind
    if (mayPass(error)) {
      outage.away(reason)
      return
    }
    // What lasts comes again with each new consumer.
    if (reason === said.reason && performance.now() - said.at < remindMillis) return
    said = { reason, at: performance.now() }
    const cause = failure.kind === 'Forbidden' ? undefined : error
    fatal(`group ${group} broke down, a new consumer is started: ${reason}`, cause)
  }

  let member = begin()
  const first = await Promise.race([member.joined, member.broken.then((error) => ({ error }))])
  if (first) {
    await member.stop()
    const failure = failureOf(first.error, call)
    const reason = 'reason' in failure ? failure.reason : failure.kind
    throw failure.kind === 'UnknownTopic' ? new Error(reason) : new Away(reason)
  }

  const stay = async (): Promise<void> => {
    const told = aborted(leaving.signal)
    let attempt = 0
    let started = performance.now()
    for (;;) {
      const error = await Promise.race([member.broken, told])
      if (leaving.signal.aborted) return
      report(error)
      await member.stop()
      if (performance.now() - started > soundMillis) attempt = 0
      await clock.sleep(pauseAfter(attempt++, 500, 30_000), leaving.signal)
      if (leaving.signal.aborted) return
      started = performance.now()
      member = begin()
    }
  }
  const staying = stay()

  const leave = async (): Promise<void> => {
    leaving.abort()
    await Promise.all([member.stop(), staying])
  }
  let left: Promise<void> | undefined
  return {
    get member() {
      return member.id()
    },
    stop: () => {
      left ??= leave()
      return left
    },
  }
}
