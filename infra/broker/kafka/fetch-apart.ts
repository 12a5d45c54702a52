import type { Broker, Cluster as KafkaCluster } from 'kafkajs'
import type { Clock } from '../../../src/ports/clock.ts'
import { type FetchedPartition, hideAborted } from './aborted-records.ts'
import { withinBytes } from './codecs/codecs.ts'
import { isOfOnePartition } from './errors.ts'
import type { Stops } from './stops.ts'

type Wanted = Parameters<Broker['fetch']>[0]['topics']
type FetchOptions = Parameters<Broker['fetch']>[0]
/** The result of `Broker.fetch`. */
interface Fetched {
  readonly responses: readonly {
    readonly topicName: string
    readonly partitions: readonly FetchedPartition[]
  }[]
}
type Fetch = (options: FetchOptions) => Promise<Fetched>

interface Place {
  readonly topic: string
  readonly partition: number
  /** Next offset to read. */
  readonly offset: bigint
  readonly maxBytes: number
}

interface FetchDependencies {
  readonly stops: Stops
  /** Called with each failure of a partition. */
  readonly onStop: (place: Pick<Place, 'topic' | 'partition' | 'offset'>, error: unknown) => void
  readonly clock: Pick<Clock, 'sleep'>
}

/**
 * In kafkajs one partition that cannot be read fails every fetch as a whole. Here the partitions of such a fetch are then
 * fetched one by one, a batch each, and those that fail are left out until they are tried again: the others continue.
 */
export const fetchApart = (cluster: Pick<KafkaCluster, 'findBroker'>, deps: FetchDependencies): void => {
  const findBroker = cluster.findBroker.bind(cluster)
  const changed = new WeakSet<Broker>()
  cluster.findBroker = async (node) => {
    const broker = await findBroker(node)
    if (!changed.has(broker)) {
      changed.add(broker)
      broker.fetch = fetchingApart(broker.fetch.bind(broker), deps)
    }
    return broker
  }
}

const fetchingApart = (fetch: Fetch, { stops, onStop, clock }: FetchDependencies) => {
  const attempt = async (options: FetchOptions, places: readonly Place[]): Promise<Fetched> => {
    const fetched = await withinBytes(() => fetch({ ...options, topics: topicsOf(places) }))
    for (const { topicName, partitions } of fetched.responses)
      for (const one of partitions)
        note(
          one,
          places.find(({ topic, partition }) => topic === topicName && partition === one.partition),
        )
    return fetched
  }

  const note = (fetched: FetchedPartition, place: Place | undefined): void => {
    hideAborted(fetched)
    if (!place) return
    const { lastStableOffset: stable, highWatermark: end, messages } = fetched
    if (messages.length > 0 || place.offset >= BigInt(end)) stops.clear(place.topic, place.partition)
    else stops.held(place, place.offset < BigInt(stable ?? end) ? nothingCame : openTransaction)
  }

  /** Fetches a batch of each, so that records before an unreadable one are read. */
  const oneByOne = async (options: FetchOptions, places: readonly Place[]): Promise<Fetched['responses']> => {
    const responses: Fetched['responses'][number][] = []
    for (const place of places)
      try {
        const fetched = await attempt({ ...options, maxWaitTime: 0 }, [{ ...place, maxBytes: 1 }])
        responses.push(...fetched.responses)
      } catch (error) {
        if (!isOfOnePartition(error)) throw error
        onStop(place, error)
      }
    return responses
  }

  return async (options: FetchOptions): Promise<Fetched> => {
    const { well = [], due = [] } = Object.groupBy(placesOf(options.topics), ({ topic, partition }) =>
      stops.stateOf(topic, partition),
    )
    const apart = await oneByOne(options, due)
    if (well.length === 0) {
      if (apart.length === 0) await clock.sleep(options.maxWaitTime ?? 0)
      return { responses: apart }
    }
    try {
      const fetched = await attempt(options, well)
      return { ...fetched, responses: [...apart, ...fetched.responses] }
    } catch (error) {
      if (!isOfOnePartition(error)) throw error
      return { responses: [...apart, ...(await oneByOne(options, well))] }
    }
  }
}

const openTransaction =
  'an open transaction holds back the records there; its producer ends it, or Kafka after transaction.timeout.ms; `kafka-transactions.sh find-hanging` finds one that hangs'
const nothingCame = 'Kafka returns no record there, though more follow'

const placesOf = (topics: Wanted): readonly Place[] =>
  topics.flatMap(({ topic, partitions }) =>
    partitions.map(({ partition, fetchOffset, maxBytes }) => ({
      topic,
      partition,
      offset: BigInt(fetchOffset),
      maxBytes,
    })),
  )

const topicsOf = (places: readonly Place[]): Wanted =>
  Array.from(
    Map.groupBy(places, ({ topic }) => topic),
    ([topic, some]) => ({
      topic,
      partitions: some.map(({ partition, offset, maxBytes }) => ({
        partition,
        fetchOffset: String(offset),
        maxBytes,
      })),
    }),
  )
