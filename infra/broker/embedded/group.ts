import type { Database } from '../../sqlite/database.ts'
import { query } from '../../sqlite/query.ts'
import { assign } from './assignment.ts'
import { type CursorRow, type CursorTable, createCursorTable, type Holding } from './cursors.ts'
import type { Departed } from './departed.ts'
import { createMemberTable } from './members.ts'

/** A member's report of itself and of others. Times are epoch milliseconds. */
interface Membership {
  readonly groupId: number
  readonly member: string
  /** Empty if it is about to leave. */
  readonly topicIds: readonly number[]
  readonly aliveUntil: number
  /** Other members that have ended. The times in their rows are of clocks that may be wrong, as this one may be. */
  readonly departed?: readonly Departed[]
}

export interface Share {
  readonly holdings: readonly Holding[]
  /** Partition ids among the holdings that are due to other members. */
  readonly surplus: ReadonlySet<number>
}

/** Assigns the partitions of a group to its members. All calls must run in a transaction. */
export interface GroupTables {
  /** Returns the id of the group, created if need be. */
  ensure(name: string): number
  /** Renames the former group if the group does not exist: its members and offsets stay. */
  takeOver(name: string, former: string, now: number): void
  /** Joins or stays alive, removes members that have ended, and claims free partitions that are due to the member. */
  rebalance(membership: Membership): Share
  /** Returns false if the partition is no longer held: its new owner begins at the offset that was committed before. */
  commit(holding: Holding, next: number): boolean
  release(holding: Holding): void
  leave(groupId: number, member: string): void
}

export const createGroupTables = ({ writer }: Database): GroupTables => {
  const findGroup = query<[number]>(writer, 'SELECT id FROM broker_groups WHERE name = ?')
  const addGroup = query<[number]>(writer, 'INSERT INTO broker_groups (name) VALUES (?) RETURNING id')
  const rename = writer.prepare('UPDATE broker_groups SET name = ? WHERE name = ?')
  const drop = writer.prepare('DELETE FROM broker_groups WHERE id = ?')
  const raiseGeneration = writer.prepare('UPDATE broker_groups SET generation = generation + 1 WHERE id = ?')
  const members = createMemberTable(writer)
  const cursors = createCursorTable(writer)

  const present = ({ groupId, member, topicIds, aliveUntil, departed = [] }: Membership): void => {
    const topics = JSON.stringify(topicIds)
    const isNew = members.stayAlive(groupId, member, topics, aliveUntil)
    const anyDeparted = members.removeDeparted(groupId, departed)
    if (!isNew && !anyDeparted) return
    cursors.add(groupId, topics)
    cursors.freeOrphans(groupId)
    raiseGeneration.run(groupId)
  }

  /**
   * Drops the former group, which a process of an older version may have created again. Without members it would keep
   * records from being dropped.
   */
  const dropUnlessAlive = (name: string, now: number): void => {
    const groupId = findGroup.get(name)?.[0]
    if (groupId === undefined) return
    members.removeExpired(groupId, now)
    if (members.ofGroup(groupId).length > 0) return
    cursors.drop(groupId)
    drop.run(groupId)
  }

  return {
    ensure: (name) => (findGroup.get(name) ?? addGroup.get(name)!)[0],

    takeOver: (name, former, now) => {
      if (findGroup.get(name)) dropUnlessAlive(former, now)
      else rename.run(name, former)
    },

    rebalance: (membership) => {
      const { groupId } = membership
      present(membership)
      const rows = cursors.ofGroup(groupId)
      const owners = rows.map(([partition, topic, owner]) => ({ partition, topic, owner }))
      return takeShare(cursors, membership, rows, assign(owners, members.ofGroup(groupId)))
    },

    commit: cursors.commit,

    release: (holding) => {
      if (cursors.release(holding)) raiseGeneration.run(holding.groupId)
    },

    leave: (groupId, member) => {
      members.remove(groupId, member)
      cursors.freeOrphans(groupId)
      raiseGeneration.run(groupId)
    },
  }
}

/**
 * Claims free partitions that are due to the member, and returns those that it then holds. `target`: the member of each
 * partition.
 */
const takeShare = (
  cursors: CursorTable,
  { groupId, member }: Membership,
  rows: readonly CursorRow[],
  target: ReadonlyMap<number, string>,
): Share => {
  const holdings: Holding[] = []
  const surplus = new Set<number>()
  for (const [partitionId, , owner, epoch, committed] of rows) {
    const isDue = target.get(partitionId) === member
    if (owner === member) {
      holdings.push({ groupId, partitionId, owner, epoch, committed })
      if (!isDue) surplus.add(partitionId)
    } else if (isDue && owner === null) {
      cursors.claim(groupId, partitionId, member)
      holdings.push({ groupId, partitionId, owner: member, epoch: epoch + 1, committed })
    }
  }
  return { holdings, surplus }
}
