import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { parseJson } from '../domain/kernel/json-text.ts'
import type { Broker, BrokerRecord } from '../ports/broker.ts'
import type { BrokerFailure } from '../ports/broker-failure.ts'
import { textOrBytes } from '../processors/runtime/text-or-bytes.ts'

/* Reading a topic without a group: nothing is committed, the reader keeps its offsets. */

/** The next offset to read, by partition. A partition that is absent is read from its first record on. */
type Offsets = ReadonlyMap<number, bigint>

/** Where reading begins. */
export type From = 'start' | 'end' | Offsets

interface TopicPage {
  /** One partition after the other, each in its order. */
  readonly records: readonly BrokerRecord[]
  readonly next: Offsets
  /** No more records are there now. */
  readonly caughtUp: boolean
}

/** At most `limit` records, some of each partition. A topic that is not made yet reads as empty. */
export const readTopic = async (
  broker: Broker,
  topic: string,
  from: From,
  limit: number,
): Promise<Either<BrokerFailure, TopicPage>> => {
  const topics = await broker.topics()()
  if (isLeft(topics)) return topics
  const partitions = topics.right.find(({ name }) => name === topic)?.offsets ?? []
  const places = partitions.map(({ partition, start, end }) => {
    const wanted = from === 'start' ? start : from === 'end' ? end : (from.get(partition) ?? start)
    // Retention may have dropped the wanted record.
    return { partition, end, at: wanted < start ? start : wanted }
  })
  const records: BrokerRecord[] = []
  const next = new Map(places.map(({ partition, at }) => [partition, at]))
  const behind = new Set<number>()
  // Partitions with few records come first: what they leave of their share goes to the others.
  const waiting = places
    .filter(({ at, end }) => at < end)
    .toSorted((one, other) => Number(one.end - one.at - (other.end - other.at)))
  for (const [i, { partition, at, end }] of waiting.entries()) {
    const share = Math.ceil((limit - records.length) / (waiting.length - i))
    behind.add(partition)
    if (share === 0) continue
    const read = await broker.peek(topic, partition, at, share)()
    if (isLeft(read)) return read
    records.push(...read.right)
    const reached = read.right.at(-1)?.offset
    if (reached !== undefined) next.set(partition, reached + 1n)
    // No record before the end: what stands there are Kafka's marks of transactions.
    if (reached === undefined || reached + 1n >= end) behind.delete(partition)
  }
  return right({ records, next, caughtUp: behind.size === 0 })
}

/** `0:12,1:40`: partition and offset. */
export const offsetsText = (offsets: Offsets): string =>
  [...offsets].map(([partition, offset]) => `${partition}:${offset}`).join()

/** Left: what is wrong, in one sentence. */
export const fromText = (text: string): Either<string, From> => {
  if (text === 'start' || text === 'end') return right(text)
  const pairs = text.split(',').map((pair) => /^(\d{1,6}):(\d{1,18})$/.exec(pair.trim()))
  if (pairs.some((pair) => pair === null))
    return left('wants start, end, or offsets of partitions such as 0:12,1:40')
  return right(new Map(pairs.map((pair) => [Number(pair![1]), BigInt(pair![2]!)])))
}

/** A record as other programs read it: the value as JSON where it is JSON, else as text; bytes that are none in base64. */
interface TopicMessage {
  readonly partition: number
  readonly offset: bigint
  /** When the broker took it: ISO 8601 UTC. */
  readonly timestamp: string
  readonly key: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly value?: unknown
  readonly valueBase64?: string
}

export const messageOf = ({
  partition,
  offset,
  timestamp,
  key,
  headers,
  value,
}: BrokerRecord): TopicMessage => ({
  partition,
  offset,
  timestamp,
  key,
  headers,
  ...readable(value),
})

const readable = (bytes: string | Uint8Array): Pick<TopicMessage, 'value' | 'valueBase64'> => {
  const { value, encoding } = textOrBytes(bytes)
  if (encoding === 'base64') return { valueBase64: value }
  const json = parseJson(value)
  return { value: isLeft(json) ? value : json.right }
}
