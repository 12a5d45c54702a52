import type { BrokerRecord } from '../../../src/ports/broker.ts'
import type { Database } from '../../sqlite/database.ts'
import { takePages } from '../../sqlite/pages.ts'
import { query } from '../../sqlite/query.ts'
import type { Topic } from './topics.ts'

/** Ends a batch early, so that large records keep memory flat. Characters or bytes. */
const maxBatchSize = 4 * 1024 * 1024

/** Records of a partition from an offset on, in order: at most `limit` of them, and at least one if there is any. */
export type ReadRecords = (topic: Topic, partition: number, from: number, limit: number) => BrokerRecord[]

type Stored = [
  offset: number,
  takenAt: number,
  key: string | null,
  headers: string,
  value: string | Uint8Array,
]

export const createRecordReader = (db: Database): ReadRecords => {
  // The writer's own connection keeps the pages in memory that it has written.
  const select = query<Stored>(
    db.writer,
    `SELECT offset, taken_at, key, headers, value FROM broker_records
     WHERE partition_id = ? AND offset >= ? ORDER BY offset LIMIT ?`,
  )
  // Records of one transaction share their time: most conversions are the last one again.
  let millis = -1
  let timestamp = ''

  return (topic, partition, from, limit) => {
    const partitionId = topic.partitionIds[partition]!
    const records: BrokerRecord[] = []
    const read = (behind: Stored | undefined, rows: number) =>
      select.all(partitionId, behind ? behind[0] + 1 : from, rows)
    const take = ([offset, takenAt, key, headers, value]: Stored): number => {
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
      return value.length
    }
    takePages(read, take, { limit, maxSize: maxBatchSize })
    return records
  }
}

const noHeaders: Readonly<Record<string, string>> = Object.freeze({})
