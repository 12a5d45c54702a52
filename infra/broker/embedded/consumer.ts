import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { BatchHandler, Consumption } from '../../../src/ports/broker.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Database } from '../../sqlite/database.ts'
import type { Changes } from './changes.ts'
import type { GroupTables, Holding, Share } from './group.ts'
import { type PartitionLoop, runPartition } from './partition-loop.ts'
import type { ReadRecords } from './read.ts'
import type { Topic } from './topics.ts'

/** Where something went wrong; without a partition it was the membership. */
export interface ConsumerErrorPlace {
  readonly group: string
  readonly topic?: string
  readonly partition?: number
}

export interface ConsumerDependencies {
  readonly db: Database
  readonly groups: GroupTables
  readonly changes: Changes
  readonly read: ReadRecords
  readonly clock: Clock
  readonly sessionMillis: number
  readonly onError: (error: unknown, place: ConsumerErrorPlace) => void
}

export interface Subscription {
  readonly group: string
  readonly topics: readonly Topic[]
  readonly batchSize: number
}

/** A member of a group: keeps itself alive, and runs one loop for each partition that is its to read. */
export const joinGroup = async (
  deps: ConsumerDependencies,
  { group, topics, batchSize }: Subscription,
  handler: BatchHandler,
): Promise<Consumption> => {
  const { db, groups, changes, clock, sessionMillis } = deps
  const groupId = await db.commit.submit(() => groups.open(group))
  const member = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`
  const places = placesOf(topics)
  const loops = new Map<number, PartitionLoop & { readonly epoch: number }>()
  const gone = new AbortController()
  const report = (error: unknown): void => deps.onError(error, { group })
  let topicIds = topics.map((topic) => topic.id)

  const takeTurn = oneAtATime(async () => {
    if (gone.signal.aborted) return
    const running = new Set(loops.keys())
    try {
      settle(await db.commit.submit(turn), running)
    } catch (error) {
      report(error)
    }
  })

  const turn = (): Share => {
    const now = Date.parse(clock.now())
    return groups.takeTurn({ groupId, member, topicIds, now, aliveUntil: now + sessionMillis })
  }

  /** Partitions with a loop when the turn began are left to it: when it has ended there is another turn. */
  const settle = ({ holdings, surplus }: Share, running: ReadonlySet<number>): void => {
    const held = new Map(holdings.map((holding) => [holding.partitionId, holding]))
    for (const [partitionId, loop] of loops)
      if (held.get(partitionId)?.epoch !== loop.epoch) loop.abort()
      else if (surplus.has(partitionId)) loop.finish()
    for (const holding of holdings) {
      if (running.has(holding.partitionId)) continue
      if (surplus.has(holding.partitionId)) release(holding).catch(report)
      else start(holding)
    }
  }

  const release = (holding: Holding): Promise<void> => db.commit.submit(() => groups.release(holding))

  const start = (holding: Holding): void => {
    const { partitionId } = holding
    const { topic, partition } = places.get(partitionId)!
    const loop = runPartition({
      topic: topic.name,
      partition,
      from: holding.committed,
      read: (from) => deps.read(topic, partition, from, batchSize),
      handler,
      commit: (next) => db.commit.submit(() => groups.commit(holding, next)),
      release: () => release(holding),
      clock,
      onError: (error) => deps.onError(error, { group, topic: topic.name, partition }),
    })
    loops.set(partitionId, { ...loop, epoch: holding.epoch })
    loop.done.then(() => {
      loops.delete(partitionId)
      return takeTurn()
    })
  }

  /** By a timer, so that a long handler stays a member and a hung process does not. */
  const beat = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(sessionMillis / 3, gone.signal)
      if (gone.signal.aborted) return
      await takeTurn()
    }
  }

  const leave = async (): Promise<void> => {
    topicIds = []
    for (const loop of loops.values()) loop.abort()
    await takeTurn()
    await Promise.all(Array.from(loops.values(), (loop) => loop.done))
    gone.abort()
    stopListening()
    await Promise.all([heart, takeTurn()])
    await db.commit.submit(() => groups.leave(groupId, member)).catch(report)
  }

  const stopListening = changes.listen({
    grown: (partitionId) => loops.get(partitionId)?.wake(),
    shifted: (id) => {
      if (id === groupId) void takeTurn()
    },
  })
  await takeTurn()
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

const placesOf = (topics: readonly Topic[]): ReadonlyMap<number, { topic: Topic; partition: number }> =>
  new Map(topics.flatMap((topic) => topic.partitionIds.map((id, partition) => [id, { topic, partition }])))

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
