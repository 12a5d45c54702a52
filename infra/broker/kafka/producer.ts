import { chain, type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { BrokerFailure, ProducerRecord, RecordPlace } from '../../../src/ports/broker.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { partitionOf } from '../partitioner.ts'
import { deliverLot, type Outgoing } from './deliver.ts'
import type { Outage } from './log.ts'
import { lotSize } from './lot-size.ts'
import { gatherLots, type Lots } from './lots.ts'
import { bytesOf, copyOf, keyAndHeaders } from './records.ts'
import type { Sender } from './sender.ts'
import type { TopicFacts, TopicLookup } from './topic-facts.ts'

type Produced = Either<BrokerFailure, readonly RecordPlace[]>

export interface KafkaProducer {
  produce(records: readonly ProducerRecord[]): Promise<Produced>
  /** Sends what waits, then disconnects. */
  close(): Promise<void>
}

export interface ProducerDependencies {
  readonly sender: Sender
  readonly topics: TopicLookup
  readonly lingerMillis: number
  readonly clock: Pick<Clock, 'sleep'>
  readonly outage: Outage
}

/** A request of so many gains little by waiting for more. */
const worthSending = 200

/**
 * Sends records of many callers together and tells each its own places. What can be refused is refused before
 * anything is sent; a call that fails later may have written some of its records, and is safe to repeat only as far
 * as its readers know a message again.
 */
export const kafkaProducer = (deps: ProducerDependencies): KafkaProducer => {
  const { sender, topics, lingerMillis, clock, outage } = deps
  const lots: Lots<Outgoing> = gatherLots({
    lingerMillis,
    enough: worthSending,
    lotSize,
    send: (lot) => deliverLot(lot, { sender, topics, outage, waiting: () => lots.clear() }),
    clock,
  })
  let turn = Math.floor(Math.random() * 1024)
  let closed = false
  // Calls look their topics up side by side and are made ready one after the other, so that none overtakes another.
  let ready: Promise<unknown> = Promise.resolve()

  const place = (record: ProducerRecord, { partitions }: TopicFacts): number => {
    const { key } = record.raw ?? record
    return key === null ? turn++ % partitions : partitionOf(key, partitions)
  }

  const lookUp = async (
    records: readonly ProducerRecord[],
  ): Promise<Either<BrokerFailure, ReadonlyMap<string, TopicFacts>>> => {
    const facts = new Map<string, TopicFacts>()
    for (const { topic } of records) {
      if (facts.has(topic)) continue
      const found = await topics.find(topic)
      if (isLeft(found)) return found
      facts.set(topic, found.right)
    }
    return right(facts)
  }

  const prepare = (
    records: readonly ProducerRecord[],
    values: readonly (string | Buffer)[],
    facts: ReadonlyMap<string, TopicFacts>,
  ): Either<BrokerFailure, ProduceCall> => {
    const call = openCall(records.length)
    const outgoing: Outgoing[] = []
    for (const [index, record] of records.entries()) {
      const { topic } = record
      const fact = facts.get(topic)!
      const bytes = bytesOf(record)
      if (bytes > fact.maxBytes) return left({ kind: 'TooLarge', bytes, limit: fact.maxBytes })
      const message = { ...keyAndHeaders(record), value: values[index]!, partition: place(record, fact) }
      outgoing.push({ call, index, topic, facts: fact, bytes, message })
    }
    lots.add(outgoing)
    return right(call)
  }

  return {
    produce: async (records) => {
      if (closed)
        return left({ kind: 'Unavailable', reason: 'the broker is closed: open it again to produce' })
      if (records.length === 0) return right([])
      const values = records.map(({ value }) => copyOf(value))
      const found = lookUp(records)
      const preparing = ready.then(() => found).then(chain((facts) => prepare(records, values, facts)))
      ready = preparing.catch(() => {})
      const prepared = await preparing
      return isLeft(prepared) ? prepared : prepared.right.done
    },
    close: async () => {
      closed = true
      await ready
      await lots.flush()
      await sender.renew()
    },
  }
}

type ProduceCall = Outgoing['call'] & { readonly done: Promise<Produced> }

/** Keeps the places of one call's records until it has all of them, or failed. */
const openCall = (count: number): ProduceCall => {
  const { promise, resolve } = Promise.withResolvers<Produced>()
  const places = new Array<RecordPlace>(count)
  let missing = count
  let failed = false
  return {
    done: promise,
    failed: () => failed,
    written: (index, at) => {
      places[index] = at
      if (--missing === 0) resolve(right(places))
    },
    fail: (failure) => {
      failed = true
      resolve(left(failure))
    },
  }
}
