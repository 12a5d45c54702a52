import type { Database } from '../../sqlite/database.ts'
import { query } from '../../sqlite/query.ts'
import { assign, type Subscriber } from './assignment.ts'

/** A partition that a member may read: what it commits there counts while it owns this epoch. */
export interface Holding {
  readonly groupId: number
  readonly partitionId: number
  readonly owner: string
  readonly epoch: number
  /** Next offset to handle, when the holding was looked up. */
  readonly committed: number
}

/** One member's view of itself, for `takeTurn`. Times are epoch milliseconds. */
export interface Membership {
  readonly groupId: number
  readonly member: string
  /** None: it is leaving and hands over what it holds. */
  readonly topicIds: readonly number[]
  readonly now: number
  readonly aliveUntil: number
}

export interface Share {
  readonly holdings: readonly Holding[]
  /** Partition ids among the holdings that others are waiting for. */
  readonly surplus: ReadonlySet<number>
}

/** What happens in a group. All of it is work for a transaction: whoever looks next sees all of it or nothing. */
export interface GroupTables {
  /** Id of the group, made if need be. */
  open(name: string): number
  /** Joins or stays alive, buries the dead, takes what is free and due to it, and says what it holds. */
  takeTurn(membership: Membership): Share
  /** False when the partition is no longer held: somebody else goes on from what was committed before. */
  commit(holding: Holding, next: number): boolean
  release(holding: Holding): void
  leave(groupId: number, member: string): void
}

export const groupTables = ({ writer }: Database): GroupTables => {
  const findGroup = query<[number]>(writer, 'SELECT id FROM broker_groups WHERE name = ?')
  const addGroup = query<[number]>(writer, 'INSERT INTO broker_groups (name) VALUES (?) RETURNING id')
  const shift = writer.prepare('UPDATE broker_groups SET generation = generation + 1 WHERE id = ?')

  const subscription = query<[string]>(
    writer,
    'SELECT topic_ids FROM broker_members WHERE group_id = ? AND member = ?',
  )
  const stayAlive = writer.prepare(
    `INSERT INTO broker_members (group_id, member, topic_ids, alive_until) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET topic_ids = excluded.topic_ids, alive_until = excluded.alive_until`,
  )
  const bury = writer.prepare('DELETE FROM broker_members WHERE group_id = ? AND alive_until <= ?')
  const remove = writer.prepare('DELETE FROM broker_members WHERE group_id = ? AND member = ?')
  const membersOf = query<[string, string]>(
    writer,
    'SELECT member, topic_ids FROM broker_members WHERE group_id = ? ORDER BY member',
  )

  const addCursors = writer.prepare(
    `INSERT OR IGNORE INTO broker_cursors (group_id, partition_id, committed)
     SELECT ?, id, start_offset FROM broker_partitions WHERE topic_id IN (SELECT value FROM json_each(?))`,
  )
  const freeOrphans = writer.prepare(
    `UPDATE broker_cursors SET owner = NULL WHERE group_id = ? AND owner IS NOT NULL
     AND owner NOT IN (SELECT member FROM broker_members WHERE group_id = broker_cursors.group_id)`,
  )
  const cursorsOf = query<[number, number, string | null, number, number]>(
    writer,
    `SELECT c.partition_id, p.topic_id, c.owner, c.epoch, c.committed
     FROM broker_cursors c JOIN broker_partitions p ON p.id = c.partition_id
     WHERE c.group_id = ? ORDER BY c.partition_id`,
  )
  const claim = writer.prepare(
    'UPDATE broker_cursors SET owner = ?, epoch = epoch + 1 WHERE group_id = ? AND partition_id = ?',
  )
  const whileHeld = 'WHERE group_id = ? AND partition_id = ? AND owner = ? AND epoch = ?'
  const moveOn = writer.prepare(`UPDATE broker_cursors SET committed = ? ${whileHeld}`)
  const free = writer.prepare(`UPDATE broker_cursors SET owner = NULL ${whileHeld}`)

  const present = ({ groupId, member, topicIds, now, aliveUntil }: Membership): void => {
    const topics = JSON.stringify(topicIds)
    const before = subscription.get(groupId, member)?.[0]
    stayAlive.run(groupId, member, topics, aliveUntil)
    const died = bury.run(groupId, now).changes > 0
    if (before === topics && !died) return
    addCursors.run(groupId, topics)
    freeOrphans.run(groupId)
    shift.run(groupId)
  }

  return {
    open: (name) => (findGroup.get(name) ?? addGroup.get(name)!)[0],

    takeTurn: (membership) => {
      const { groupId, member } = membership
      present(membership)
      const cursors = cursorsOf.all(groupId)
      const target = assign(
        cursors.map(([partition, topic, owner]) => ({ partition, topic, owner })),
        membersOf.all(groupId).map(subscriber),
      )
      const holdings: Holding[] = []
      const surplus = new Set<number>()
      for (const [partitionId, , owner, epoch, committed] of cursors) {
        const due = target.get(partitionId) === member
        if (owner === member) {
          holdings.push({ groupId, partitionId, owner, epoch, committed })
          if (!due) surplus.add(partitionId)
        } else if (due && owner === null) {
          claim.run(member, groupId, partitionId)
          holdings.push({ groupId, partitionId, owner: member, epoch: epoch + 1, committed })
        }
      }
      return { holdings, surplus }
    },

    commit: ({ groupId, partitionId, owner, epoch }, next) =>
      moveOn.run(next, groupId, partitionId, owner, epoch).changes === 1,

    release: ({ groupId, partitionId, owner, epoch }) => {
      if (free.run(groupId, partitionId, owner, epoch).changes === 1) shift.run(groupId)
    },

    leave: (groupId, member) => {
      remove.run(groupId, member)
      freeOrphans.run(groupId)
      shift.run(groupId)
    },
  }
}

const subscriber = ([member, topicIds]: [string, string]): Subscriber => ({
  member,
  topics: new Set(JSON.parse(topicIds) as number[]),
})
