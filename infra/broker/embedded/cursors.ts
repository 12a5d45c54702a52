import type { DatabaseSync } from 'node:sqlite'
import { query } from '../../sqlite/query.ts'

/** A partition that a member reads. It may commit there while the partition has this owner and epoch. */
export interface Holding {
  readonly groupId: number
  readonly partitionId: number
  readonly owner: string
  readonly epoch: number
  /** Next offset to handle, when the row was read. */
  readonly committed: number
}

export type CursorRow = [
  partitionId: number,
  topicId: number,
  owner: string | null,
  epoch: number,
  committed: number,
]

export type CursorTable = ReturnType<typeof createCursorTable>

/** How far groups are in partitions, and which members read them. */
export const createCursorTable = (writer: DatabaseSync) => {
  const add = writer.prepare(
    `INSERT OR IGNORE INTO broker_cursors (group_id, partition_id, committed)
     SELECT ?, id, start_offset FROM broker_partitions WHERE topic_id IN (SELECT value FROM json_each(?))`,
  )
  const freeOrphans = writer.prepare(
    `UPDATE broker_cursors SET owner = NULL WHERE group_id = ? AND owner IS NOT NULL
     AND owner NOT IN (SELECT member FROM broker_members WHERE group_id = broker_cursors.group_id)`,
  )
  const ofGroup = query<CursorRow>(
    writer,
    `SELECT c.partition_id, p.topic_id, c.owner, c.epoch, c.committed
     FROM broker_cursors c JOIN broker_partitions p ON p.id = c.partition_id
     WHERE c.group_id = ? ORDER BY c.partition_id`,
  )
  const claim = writer.prepare(
    'UPDATE broker_cursors SET owner = ?, epoch = epoch + 1 WHERE group_id = ? AND partition_id = ?',
  )
  const whileHeld = 'WHERE group_id = ? AND partition_id = ? AND owner = ? AND epoch = ?'
  const drop = writer.prepare('DELETE FROM broker_cursors WHERE group_id = ?')
  const commit = writer.prepare(`UPDATE broker_cursors SET committed = ? ${whileHeld}`)
  const release = writer.prepare(`UPDATE broker_cursors SET owner = NULL ${whileHeld}`)

  return {
    /** For partitions of topics that are new to the group. `topicIds`: a JSON array. */
    add: (groupId: number, topicIds: string): void => {
      add.run(groupId, topicIds)
    },
    /** Frees partitions of owners that are no members any more. */
    freeOrphans: (groupId: number): void => {
      freeOrphans.run(groupId)
    },
    ofGroup: (groupId: number): readonly CursorRow[] => ofGroup.all(groupId),
    claim: (groupId: number, partitionId: number, member: string): void => {
      claim.run(member, groupId, partitionId)
    },
    drop: (groupId: number): void => {
      drop.run(groupId)
    },
    /** False where the partition is no longer held. */
    commit: ({ groupId, partitionId, owner, epoch }: Holding, next: number): boolean =>
      commit.run(next, groupId, partitionId, owner, epoch).changes === 1,
    /** False where the partition is no longer held. */
    release: ({ groupId, partitionId, owner, epoch }: Holding): boolean =>
      release.run(groupId, partitionId, owner, epoch).changes === 1,
  }
}
