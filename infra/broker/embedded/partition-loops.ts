import type { BatchHandler, ConsumeOptions } from '../../../src/ports/broker.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Database } from '../../sqlite/database.ts'
import type { Holding } from './cursors.ts'
import type { GroupTables, Share } from './group.ts'
import { type PartitionLoop, runPartition } from './partition-loop.ts'
import type { ReadRecords } from './read.ts'
import type { Topic } from './topics.ts'

/** Where an error came from; without a partition, from the membership. */
export interface ConsumerErrorPlace {
  readonly group: string
  readonly topic?: string
  readonly partition?: number
}

export interface LoopDependencies {
  readonly db: Database
  readonly groups: GroupTables
  readonly read: ReadRecords
  readonly clock: Clock
  readonly onError: (error: unknown, place: ConsumerErrorPlace) => void
}

export interface Subscription extends Pick<ConsumeOptions, 'group' | 'formerGroup'> {
  readonly topics: readonly Topic[]
  readonly batchSize: number
}

/** One loop for each partition that a member reads. */
interface PartitionLoops {
  running(): ReadonlySet<number>
  /**
   * Starts and ends loops, so that they are the member's share. `running`: the partitions that had a loop when the share was
   * asked for. They get no other one: the end of a loop brings the next rebalance.
   */
  apply(share: Share, running: ReadonlySet<number>): void
  wake(partitionId: number): void
  abortAll(): void
  /** Resolves when every loop has ended. */
  done(): Promise<void>
}

export const createPartitionLoops = (
  { db, groups, read, clock, onError }: LoopDependencies,
  { group, topics, batchSize }: Subscription,
  handler: BatchHandler,
  onEnded: () => void,
): PartitionLoops => {
  const byId = new Map(
    topics.flatMap((topic) => topic.partitionIds.map((id, partition) => [id, { topic, partition }])),
  )
  const loops = new Map<number, PartitionLoop & { readonly epoch: number }>()

  const release = (holding: Holding): Promise<void> => db.commit.submit(() => groups.release(holding))

  const start = (holding: Holding): void => {
    const { partitionId, epoch } = holding
    const { topic, partition } = byId.get(partitionId)!
    const loop = runPartition({
      topic: topic.name,
      partition,
      from: holding.committed,
      read: (from) => read(topic, partition, from, batchSize),
      handler,
      commit: (next) => db.commit.submit(() => groups.commit(holding, next)),
      release: () => release(holding),
      clock,
      onError: (error) => onError(error, { group, topic: topic.name, partition }),
    })
    loops.set(partitionId, { ...loop, epoch })
    void loop.done.then(() => {
      loops.delete(partitionId)
      onEnded()
    })
  }

  return {
    running: () => new Set(loops.keys()),
    apply: ({ holdings, surplus }, running) => {
      const held = new Map(holdings.map((holding) => [holding.partitionId, holding]))
      for (const [partitionId, loop] of loops)
        if (held.get(partitionId)?.epoch !== loop.epoch) loop.abort()
        else if (surplus.has(partitionId)) loop.finish()
      for (const holding of holdings) {
        if (running.has(holding.partitionId)) continue
        if (surplus.has(holding.partitionId))
          release(holding).catch((error: unknown) => onError(error, { group }))
        else start(holding)
      }
    },
    wake: (partitionId) => loops.get(partitionId)?.wake(),
    abortAll: () => {
      for (const loop of loops.values()) loop.abort()
    },
    done: async () => {
      await Promise.all(Array.from(loops.values(), (loop) => loop.done))
    },
  }
}
