import type { BatchHandler, Consumption } from '../../../src/ports/broker.ts'
import type { Changes } from './changes.ts'
import { type MembershipDependencies, openMembership } from './membership.ts'
import { createPartitionLoops, type LoopDependencies, type Subscription } from './partition-loops.ts'

export interface ConsumerDependencies extends LoopDependencies, MembershipDependencies {
  readonly changes: Changes
}

/** Joins a group as a member that stays alive, and reads the partitions that are its own. */
export const joinGroup = async (
  deps: ConsumerDependencies,
  subscription: Subscription,
  handler: BatchHandler,
): Promise<Consumption> => {
  const { changes, clock, sessionMillis } = deps
  const membership = await openMembership(deps, subscription)
  const ended = new AbortController()
  const report = (error: unknown): void => deps.onError(error, { group: subscription.group })

  const rebalance = oneAtATime(async () => {
    if (ended.signal.aborted) return
    const running = loops.running()
    try {
      loops.apply(await membership.renew(), running)
    } catch (error) {
      report(error)
    }
  })
  const loops = createPartitionLoops(deps, subscription, handler, rebalance)

  /** By a timer, so that a long handler stays a member and a hung process does not. */
  const beat = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(sessionMillis / 3, ended.signal)
      if (ended.signal.aborted) return
      await rebalance()
    }
  }

  const leave = async (): Promise<void> => {
    membership.resign()
    loops.abortAll()
    await rebalance()
    await loops.done()
    ended.abort()
    stopListening()
    await Promise.all([heart, rebalance()])
    await membership.leave().catch(report)
  }

  const stopListening = changes.listen({
    grown: loops.wake,
    shifted: (id) => {
      if (id === membership.groupId) void rebalance()
    },
  })
  await rebalance()
  const heart = beat()
  let left: Promise<void> | undefined
  return {
    member: membership.member,
    stop: () => {
      left ??= leave()
      return left
    },
  }
}

/** Calls made while the work runs share one more run behind it. The work must not reject. */
const oneAtATime = (work: () => Promise<void>): (() => Promise<void>) => {
  let current = Promise.resolve()
  let next: Promise<void> | undefined
  return () => {
    next ??= current = current.then(() => {
      next = undefined
      return work()
    })
    return next
  }
}
