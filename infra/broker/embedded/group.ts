import type { Database } from '../../sqlite/database.ts'
import { query } from '../../sqlite/query.ts'
import { assign } from './assignment.ts'
import { createCursorTable, type Holding } from './cursors.ts'
import { createMemberTable } from './members.ts'

/** What a member says of itself. Times are epoch milliseconds. */
interface Membership {
  readonly groupId: number
  readonly member: string
  /** None where it leaves and hands over what it holds. */
  readonly topicIds: readonly number[]
  readonly now: number
  readonly aliveUntil: number
}

export interface Share {
  readonly holdings: readonly Holding[]
  /** Partition ids among the holdings that others are waiting for. */
  readonly surplus: ReadonlySet<number>
}

/** Who reads what in a group. Everything here is work for a transaction. */
export interface GroupTables {
  /** Id of the group, created if need be. */
  ensure(name: string): number
  /** Unless the group is there, the one that it was before becomes it, with its members and where it stands. */
  takeOver(name: string, former: string, now: number): void
  /** Joins or stays alive, removes members whose session ran out, claims what is free and due to it, and says what it holds. */
  rebalance(membership: Membership): Share
  /** False where the partition is no longer held: another member goes on from the offset committed before. */
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

  const present = ({ groupId, member, topicIds, now, aliveUntil }: Membership): void => {
    const topics = JSON.stringify(topicIds)
    const isNew = members.stayAlive(groupId, member, topics, aliveUntil)
    const anyExpired = members.removeExpired(groupId, now)
    if (!isNew && !anyExpired) return
    cursors.add(groupId, topics)
    cursors.freeOrphans(groupId)
    raiseGeneration.run(groupId)
  }

  /** A process of an older version made it anew: it would keep records from being dropped. */
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
      const { groupId, member } = membership
      present(membership)
      const rows = cursors.ofGroup(groupId)
      const target = assign(
        rows.map(([partition, topic, owner]) => ({ partition, topic, owner })),
        members.ofGroup(groupId),
      )
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
