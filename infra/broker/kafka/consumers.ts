import * as E from 'fp-ts/lib/Either.js'
import { orThrow, unavailable } from '../../../src/async/unavailable.ts'
import type { Broker, Consumption } from '../../../src/ports/broker.ts'
import type { OwnLog } from '../../../src/ports/group-binding.ts'
import { checkBatchSize } from '../check-settings.ts'
import { createGroupBinder } from './binder.ts'
import type { Cluster } from './cluster.ts'
import { type ConsumerDependencies, joinGroup } from './consumer.ts'
import type { GroupOffsets } from './group-offsets.ts'
import type { Names } from './names.ts'
import { patiently } from './patiently.ts'
import { findTopics, type TopicLookup } from './topic-facts.ts'

const defaultBatchSize = 500

interface ConsumersDependencies {
  /** For each member. */
  readonly joining: Omit<ConsumerDependencies, 'closing'>
  readonly cluster: Cluster
  readonly names: Names
  readonly topics: TopicLookup
  readonly binding: Pick<GroupOffsets, 'checkRights' | 'takeOver'>
  readonly ownLog: OwnLog | undefined
}

interface Consumers extends Pick<Broker, 'consume'> {
  /** Stops all of them; none begins from now on. */
  close(): Promise<void>
}

export const openConsumers = (deps: ConsumersDependencies): Consumers => {
  const { joining, cluster, names, topics, binding, ownLog } = deps
  const { clock, outage } = joining
  const closing = new AbortController()
  // A cluster that was never reached may not exist: then a start fails at once.
  const patience = { clock, mayWait: () => cluster.id() !== undefined, closing: closing.signal }
  const consumptions = new Set<Promise<Consumption>>()

  const join: Broker['consume'] = async (options, handler) => {
    const { group, formerGroup, topics: wanted, batchSize = defaultBatchSize } = options
    const found = await topicsToConsume(patiently(findTopics(topics, wanted), patience))
    const named = { ...found, group, fullGroup: names.full(group) }
    const groups = formerGroup === undefined ? [group] : [group, formerGroup]
    await orThrow(patiently(binding.checkRights(groups), patience))
    if (formerGroup !== undefined) await orThrow(patiently(binding.takeOver(group, formerGroup), patience))
    const binder = ownLog && createGroupBinder({ ...named, cluster, ownLog, clock, outage })
    const subscription = { ...named, batchSize, ...(binder && { binder }) }
    return joinGroup({ ...joining, closing: closing.signal }, subscription, handler)
  }

  return {
    consume: async (options, handler) => {
      if (closing.signal.aborted) throw new Error('the broker is closed: open it again to consume')
      checkBatchSize(options.group, options.batchSize ?? defaultBatchSize)
      const consumption = join(options, handler)
      consumptions.add(consumption)
      try {
        return await consumption
      } catch (error) {
        consumptions.delete(consumption)
        throw error
      }
    },
    close: async () => {
      closing.abort()
      await Promise.allSettled(Array.from(consumptions, async (one) => (await one).stop()))
    },
  }
}

/** `topics`: ours, by full name. `partitions`: how many they have together. Throws `UnavailableError`. */
const topicsToConsume = async (finding: ReturnType<typeof findTopics>) => {
  const found = await finding()
  if (E.isRight(found)) {
    const facts = [...found.right.values()]
    return {
      topics: new Map(Array.from(found.right, ([topic, { full }]) => [full, topic])),
      partitions: facts.reduce((sum, { partitions }) => sum + partitions, 0),
    }
  }
  const failure = found.left
  if (failure.kind === 'UnknownTopic')
    throw new Error(`topic ${failure.topic} does not exist: make it with ensureTopics before consuming it`)
  throw unavailable(failure)
}
