import type { Broker, Consumption } from '../../../src/ports/broker.ts'
import { checkBatchSize } from '../check-settings.ts'
import { type ConsumerDependencies, joinGroup } from './consumer.ts'
import type { Topic, Topics } from './topics.ts'

interface Consumers extends Pick<Broker, 'consume'> {
  /** Stops all of them; none begins from now on. */
  close(): Promise<void>
}

/** Batches of all partitions are in memory until their common commit: what lives longer than the nursery is collected far later. */
const defaultBatchSize = 250

export const openConsumers = (deps: ConsumerDependencies, topics: Topics): Consumers => {
  const running = new Set<Consumption>()
  let closed = false

  return {
    consume: async ({ topics: names, batchSize = defaultBatchSize, ...named }, handler) => {
      if (closed) throw new Error('the broker is closed: open it again to consume')
      checkBatchSize(named.group, batchSize)
      const wanted = names.map((name) => topicNamed(topics, name))
      const { member, stop } = await joinGroup(deps, { ...named, topics: wanted, batchSize }, handler)
      const consumption: Consumption = {
        member,
        stop: async () => {
          await stop()
          running.delete(consumption)
        },
      }
      running.add(consumption)
      return consumption
    },

    close: async () => {
      closed = true
      await Promise.all(Array.from(running, (one) => one.stop()))
    },
  }
}

const topicNamed = (topics: Topics, name: string): Topic => {
  const topic = topics.find(name)
  if (topic) return topic
  throw new Error(`topic ${name} does not exist: make it with ensureTopics before consuming it`)
}
