import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Broker, ProducerRecord, RecordPlace } from '../../../src/ports/broker.ts'
import type { BrokerFailure } from '../../../src/ports/broker-failure.ts'
import type { Database } from '../../sqlite/database.ts'
import { query } from '../../sqlite/query.ts'
import { textOf } from '../../utf8.ts'
import { partitionOf } from '../partitioner.ts'
import { tryRead, tryWrite } from './failures.ts'
import type { Topics } from './topics.ts'

/** A record made ready before the transaction, so that the writer's lock is held for writing alone. */
interface ReadyRecord {
  readonly topic: string
  readonly partition: number
  readonly partitionId: number
  readonly key: string | null
  readonly headers: string
  readonly value: string | Uint8Array
}

/** `now`: epoch milliseconds. */
export const createProduce = (
  db: Database,
  topics: Topics,
  now: () => number,
  maxBytes: number,
): Broker['produce'] => {
  const prepare = createPreparer(topics, maxBytes)
  const write = createWriter(db, now)
  return (records) => async () => {
    // Prepared before anything is waited for: the producer may use its buffers again once the call was made.
    const ready = await tryRead(() => prepare(records))()
    return pipe(
      TE.fromEither(E.flatten(ready)),
      TE.chain((some) => (some.length === 0 ? TE.right([]) : tryWrite(db, () => write(some)))),
    )()
  }
}

/** Checks, encodes and chooses the partition; writes nothing. */
const createPreparer = (topics: Topics, maxBytes: number) => {
  let roundRobin = Math.floor(Math.random() * 1024)
  return (records: readonly ProducerRecord[]): E.Either<BrokerFailure, readonly ReadyRecord[]> => {
    const ready: ReadyRecord[] = []
    for (const record of records) {
      const topic = topics.find(record.topic)
      if (!topic) return E.left({ kind: 'UnknownTopic', topic: record.topic })
      if (record.raw) return E.left(textAlone)
      const key = record.key
      const headers = JSON.stringify(record.headers)
      const bytes = sizeOf(record.value) + sizeOf(headers) + (key === null ? 0 : sizeOf(key))
      if (bytes > maxBytes) return E.left({ kind: 'TooLarge', bytes, limit: maxBytes })
      const count = topic.partitionIds.length
      const partition = key === null ? roundRobin++ % count : partitionOf(key, count)
      const partitionId = topic.partitionIds[partition]!
      ready.push({ topic: topic.name, partition, partitionId, key, headers, value: stored(record.value) })
    }
    return E.right(ready)
  }
}

/** Work for a transaction. */
const createWriter = (db: Database, now: () => number) => {
  const advance = query<[number]>(
    db.writer,
    'UPDATE broker_partitions SET end_offset = end_offset + ? WHERE id = ? RETURNING end_offset',
  )
  const insert = db.writer.prepare(
    'INSERT INTO broker_records (partition_id, offset, taken_at, key, headers, value) VALUES (?, ?, ?, ?, ?, ?)',
  )
  return (records: readonly ReadyRecord[]): readonly RecordPlace[] => {
    const takenAt = now()
    const counts = new Map<number, number>()
    for (const { partitionId } of records) counts.set(partitionId, (counts.get(partitionId) ?? 0) + 1)
    const next = new Map<number, number>()
    for (const [partitionId, count] of counts)
      next.set(partitionId, advance.get(count, partitionId)![0] - count)
    return records.map(({ topic, partition, partitionId, key, headers, value }) => {
      const offset = next.get(partitionId)!
      next.set(partitionId, offset + 1)
      insert.run(partitionId, offset, takenAt, key, headers, value)
      return { topic, partition, offset: BigInt(offset) }
    })
  }
}

const textAlone: BrokerFailure = {
  kind: 'Forbidden',
  reason:
    'its key or headers are not text, and the embedded broker stores text only; send it again with keys and headers in UTF-8, each name once, then discard this',
}

const sizeOf = (value: string | Uint8Array): number =>
  typeof value === 'string' ? Buffer.byteLength(value) : value.byteLength

/** SQLite reads text twice as fast as blobs. Other bytes are copied: the producer may use its buffer again. */
const stored = (value: string | Uint8Array): string | Uint8Array =>
  typeof value === 'string' ? value : (textOf(value) ?? value.slice())
