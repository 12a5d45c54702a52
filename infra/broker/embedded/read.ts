import type { BrokerRecord } from '../../../src/ports/broker.ts'
import type { Database } from '../../sqlite/database.ts'
import { query } from '../../sqlite/query.ts'
import type { Topic } from './topics.ts'

/** Ends a batch early, so that large records keep memory flat. Characters or bytes. */
const maxBatchSize = 4 * 1024 * 1024

/** Records of a partition from an offset on, in order: at most `limit` of them, and at least one if there is any. */
export type ReadRecords = (topic: Topic, partition: number, from: number, limit: number) => BrokerRecord[]

export const createRecordReader = (db: Database): ReadRecords => {
  // The writer's own connection keeps the pages in memory that it has written.
  const select = query<[number, number, string | null, string, string | Uint8Array]>(
    db.writer,
    `SELECT offset, taken_at, key, headers, value FROM broker_records
     WHERE partition_id = ? AND offset >= ? ORDER BY offset LIMIT ?`,
  )
  // Records of one transaction share their time: most conversions are the last one again.
  let millis = -1
  let timestamp = ''

  return (topic, partition, from, limit) => {
    const records: BrokerRecord[] = []
    let size = 0
    for (const [offset, takenAt, key, headers, value] of select.iterate(
      topic.partitionIds[partition]!,
      from,
      limit,
    )) {
      if (takenAt !== millis) {
        millis = takenAt
        timestamp = new Date(takenAt).toISOString()
      }
      records.push({
        topic: topic.name,
        partition,
        offset: BigInt(offset),
        key,
        headers: headers === '{}' ? noHeaders : JSON.parse(headers),
        value,
        timestamp,
      })
      size += value.length
      if (size >= maxBatchSize) break
    }
    return records
  }
}

const noHeaders: Readonly<Record<string, string>> = Object.freeze({})
