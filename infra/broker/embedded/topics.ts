import type { TopicInfo, TopicSettings } from '../../../src/ports/broker.ts'
import type { Database } from '../../sqlite/database.ts'
import { query } from '../../sqlite/query.ts'

export interface Topic {
  readonly id: number
  readonly name: string
  /** Row id of each partition, by its number. */
  readonly partitionIds: readonly number[]
}

export interface Topics {
  /** Cached once found: topics and their partitions are never deleted. */
  find(name: string): Topic | undefined
  /** Work for a transaction. */
  ensure(settings: readonly TopicSettings[]): void
  list(): readonly TopicInfo[]
}

export const createTopicTables = (db: Database): Topics => {
  const findTopic = query<[number]>(db.reader, 'SELECT id FROM broker_topics WHERE name = ?')
  const partitionsOf = query<[number]>(
    db.reader,
    'SELECT id FROM broker_partitions WHERE topic_id = ? ORDER BY number',
  )
  const addTopic = query<[number]>(
    db.writer,
    `INSERT INTO broker_topics (name, retention_millis) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET retention_millis = excluded.retention_millis RETURNING id`,
  )
  const hasPartitions = query<[number]>(
    db.writer,
    'SELECT 1 FROM broker_partitions WHERE topic_id = ? LIMIT 1',
  )
  const addPartition = db.writer.prepare('INSERT INTO broker_partitions (topic_id, number) VALUES (?, ?)')
  const everything = query<[string, number | null, number, number, number]>(
    db.reader,
    `SELECT t.name, t.retention_millis, p.number, p.start_offset, p.end_offset
     FROM broker_topics t JOIN broker_partitions p ON p.topic_id = t.id ORDER BY t.name, p.number`,
  )

  const known = new Map<string, Topic>()
  return {
    find: (name) => {
      const before = known.get(name)
      if (before) return before
      const id = findTopic.get(name)?.[0]
      if (id === undefined) return undefined
      const topic = { id, name, partitionIds: partitionsOf.all(id).map(([partition]) => partition) }
      known.set(name, topic)
      return topic
    },
    ensure: (settings) => {
      for (const { name, partitions, retentionMillis } of settings) {
        const [id] = addTopic.get(name, retentionMillis ?? null)!
        if (hasPartitions.get(id)) continue
        for (let number = 0; number < partitions; number++) addPartition.run(id, number)
      }
    },
    list: () => {
      const rows = Map.groupBy(everything.all(), ([name]) => name)
      return Array.from(rows, ([name, partitions]) => {
        const retentionMillis = partitions[0]![1]
        return {
          name,
          partitions: partitions.length,
          ...(retentionMillis !== null && { retentionMillis }),
          offsets: partitions.map(([, , partition, start, end]) => ({
            partition,
            start: BigInt(start),
            end: BigInt(end),
          })),
        }
      })
    },
  }
}
