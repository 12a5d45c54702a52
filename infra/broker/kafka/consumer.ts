import type { Consumer, Kafka, Cluster as KafkaCluster } from 'kafkajs'
import { aborted } from '../../../src/ports/aborted.ts'
import { Away } from '../../../src/ports/away.ts'
import type { BatchHandler, Consumption } from '../../../src/ports/broker.ts'
import { GroupOfAnotherLog } from '../../../src/ports/group-binding.ts'
import { byNumber } from './assigner.ts'
import type { Binder } from './binder.ts'
import { isTopicMissing, mayPass } from './errors.ts'
import { type Call, failureOf } from './failure.ts'
import { commitAs } from './group-places.ts'
import { HandlerHangs, type Member, type MemberDependencies, startMember } from './member.ts'
import { pauseAfter } from './pause.ts'
import type { Log } from './settings.ts'

export interface ConsumerDependencies
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

export interface Subscription extends Pick<MemberDependencies, 'topics' | 'partitions' | 'batchSize'> {
  /** Absent where the group may work for any log. */
  readonly binder?: Binder
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
  const { timing, clock, outage, onFatal, log, closing } = deps
  const { group, fullGroup, topics, binder } = subscription
  const leaving = new AbortController()
  const call: Call = {
    what: `consume as group ${group}`,
    grant: `READ on group ${fullGroup} and on its topics`,
  }

  const reasonOf = (error: unknown): string => {
    if (error instanceof GroupOfAnotherLog || error instanceof Away) return error.message
    if (isTopicMissing(error))
      return `Kafka does not know all of its topics (${[...topics.values()].join(', ')}); starting Fonds anew makes those that are missing`
    const failure = failureOf(error, call)
    return 'reason' in failure ? failure.reason : failure.kind
  }

  const begin = (): Member => {
    const { consumer, cluster } = newConsumer()
    const binding = binder && {
      binder,
      commitAs: (memberId: string, groupGenerationId: number, offsets: Parameters<typeof commitAs>[2]) =>
        commitAs(cluster, { groupId: fullGroup, memberId, groupGenerationId }, offsets),
    }
    const member = startMember({ ...deps, ...subscription, handler, consumer, ...(binding && { binding }) })
    void member.joined.then(() => {
      refusal = undefined
    })
    return member
  }

  /** kafkajs hands the cluster of a consumer to its assigners alone. */
  const newConsumer = (): { readonly consumer: Consumer; readonly cluster: KafkaCluster } => {
    let cluster: KafkaCluster
    const assigner = byNumber(binder)
    const consumer = deps.client().consumer({
      groupId: fullGroup,
      sessionTimeout: timing.sessionMillis,
      rebalanceTimeout: timing.rebalanceMillis,
      heartbeatInterval: timing.heartbeatMillis,
      maxWaitTimeInMs: 300,
      allowAutoTopicCreation: false,
      partitionAssigners: [
        (config) => {
          cluster = config.cluster
          return assigner(config)
        },
      ],
      // Starting again is done here alone: kafkajs does it for some faults only.
      retry: { restartOnFailure: () => Promise.resolve(false) },
    })
    return { consumer, cluster: cluster! }
  }

  const fatal = (message: string, cause?: unknown): void => {
    log.error({ group, err: cause }, message)
    onFatal(new Error(message, { cause }))
  }

  let refusal: string | undefined
  let said = { reason: '', at: 0 }
  const report = (error: unknown): void => {
    if (error instanceof HandlerHangs) {
      const minutes = Math.round(timing.hungMillis / 6000) / 10
      fatal(
        `group ${group}: a batch was not finished for ${minutes} minutes; the partitions are left to other members until it is`,
      )
      return
    }
    const reason = reasonOf(error)
    if (error instanceof GroupOfAnotherLog) refusal = reason
    if (mayPass(error) || error instanceof Away) {
      outage.away(reason)
      return
    }
    // What lasts comes again with each new consumer.
    if (reason === said.reason && performance.now() - said.at < remindMillis) return
    said = { reason, at: performance.now() }
    if (error instanceof GroupOfAnotherLog) {
      fatal(reason)
      return
    }
    const cause = failureOf(error, call).kind === 'Forbidden' ? undefined : error
    fatal(`group ${group} broke down, a new consumer is started: ${reason}`, cause)
  }

  let member = begin()
  const first = await Promise.race([
    member.joined,
    aborted(closing),
    member.broken.then((error) => ({ error })),
  ])
  if (first) {
    await member.stop()
    if (first.error instanceof GroupOfAnotherLog) throw first.error
    throw new Away(reasonOf(first.error))
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
      if (error instanceof HandlerHangs) await Promise.race([member.idle(), told])
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
    refused: () => refusal,
    stop: () => {
      left ??= leave()
      return left
    },
  }
}
