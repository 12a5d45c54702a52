import type { Database } from '../../sqlite/database.ts'
import { query } from '../../sqlite/query.ts'

/** Bounds how long one deletion keeps other writers waiting. */
const slice = 1000

/**
 * Drops records that are older than their topic's retention and that every group has committed, a slice a transaction.
 * Takes the present in epoch milliseconds; resolves with how many were dropped.
 */
export const createRetention = (
  db: Database,
  mustOverwrite: () => boolean,
): ((now: number) => Promise<number>) => {
  const kept = query<[partitionId: number, retentionMillis: number]>(
    db.reader,
    `SELECT p.id, t.retention_millis FROM broker_topics t JOIN broker_partitions p ON p.topic_id = t.id
     WHERE t.retention_millis IS NOT NULL AND p.start_offset < p.end_offset`,
  )
  /** Offset of the first record of the next slice that is young enough to be kept; else the one behind the slice. */
  const boundary = query<[number | null]>(
    db.writer,
    `SELECT coalesce(min(CASE WHEN taken_at >= ? THEN offset END), max(offset) + 1) FROM (
       SELECT offset, taken_at FROM broker_records
       WHERE partition_id = ? AND offset < (
         SELECT coalesce(
           (SELECT min(committed) FROM broker_cursors WHERE partition_id = p.id), p.end_offset)
         FROM broker_partitions p WHERE p.id = ?)
       ORDER BY offset LIMIT ${slice})`,
  )
  const drop = db.writer.prepare('DELETE FROM broker_records WHERE partition_id = ? AND offset < ?')
  const moveStart = db.writer.prepare('UPDATE broker_partitions SET start_offset = ? WHERE id = ?')

  const dropSlice = (partitionId: number, before: number, dropping: typeof plainly): number => {
    const keepFrom = boundary.get(before, partitionId, partitionId)![0]
    if (keepFrom === null) return 0
    const dropped = dropping(db.writer, () => Number(drop.run(partitionId, keepFrom).changes))
    if (dropped > 0) moveStart.run(keepFrom, partitionId)
    return dropped
  }

  return async (now) => {
    // Loaded where it is needed: most archives keep nothing that is erased.
    const dropping = mustOverwrite() ? (await import('../../sqlite/overwriting.ts')).overwriting : plainly
    let total = 0
    for (const [partitionId, retentionMillis] of kept.all())
      for (let dropped = slice; dropped === slice; total += dropped)
        dropped = await db.commit.submit(() => dropSlice(partitionId, now - retentionMillis, dropping))
    return total
  }
}

const plainly = <A>(_: Database['writer'], work: () => A): A => work()
