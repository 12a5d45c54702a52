import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { BatchHandler, Consumption } from '../../../src/ports/broker.ts'
import type { Changes } from './changes.ts'
import type { Share } from './group.ts'
import { createPartitionLoops, type LoopDependencies, type Subscription } from './partition-loops.ts'

interface ConsumerDependencies extends LoopDependencies {
  readonly changes: Changes
  readonly sessionMillis: number
}

/** A member of a group: keeps itself alive, and reads the partitions that are its own. */
export const joinGroup = async (
  deps: ConsumerDependencies,
  subscription: Subscription,
  handler: BatchHandler,
): Promise<Consumption> => {
  const { db, groups, changes, clock, sessionMillis } = deps
  const { group, formerGroup, topics } = subscription
  const groupId = await db.commit.submit(() => {
    if (formerGroup !== undefined) groups.takeOver(group, formerGroup, Date.parse(clock.now()))
    return groups.ensure(group)
  })
  const member = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`
  const gone = new AbortController()
  const report = (error: unknown): void => deps.onError(error, { group })
  let topicIds = topics.map((topic) => topic.id)

  const askForShare = (): Share => {
    const now = Date.parse(clock.now())
    return groups.rebalance({ groupId, member, topicIds, now, aliveUntil: now + sessionMillis })
  }
  const rebalance = oneAtATime(async () => {
    if (gone.signal.aborted) return
    const running = loops.running()
    try {
      loops.apply(await db.commit.submit(askForShare), running)
    } catch (error) {
      report(error)
    }
  })
  const loops = createPartitionLoops(deps, subscription, handler, rebalance)

  /** By a timer, so that a long handler stays a member and a hung process does not. */
  const beat = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(sessionMillis / 3, gone.signal)
      if (gone.signal.aborted) return
      await rebalance()
    }
  }

  const leave = async (): Promise<void> => {
    topicIds = []
    loops.abortAll()
    await rebalance()
    await loops.done()
    gone.abort()
    stopListening()
    await Promise.all([heart, rebalance()])
    await db.commit.submit(() => groups.leave(groupId, member)).catch(report)
  }

  const stopListening = changes.listen({
    grown: loops.wake,
    shifted: (id) => {
      if (id === groupId) void rebalance()
    },
  })
  await rebalance()
  const heart = beat()
  let left: Promise<void> | undefined
  return {
    member,
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
