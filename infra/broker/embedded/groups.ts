import type { GroupInfo } from '../../../src/ports/broker.ts'
import type { Database } from '../../sqlite/database.ts'
import { query } from '../../sqlite/query.ts'

type CursorRow = [group: string, topic: string, number: number, committed: number, end: number, owner: string]
type MemberRow = [group: string, member: string, aliveUntil: number]

/** The offsets of every group, and its members that are alive at `now` (epoch milliseconds), as far as their processes live. */
export const createGroupLister = (
  db: Database,
  hasEnded: (member: string) => boolean,
): ((now: number) => readonly GroupInfo[]) => {
  const cursors = query<CursorRow>(
    db.reader,
    `SELECT g.name, t.name, p.number, c.committed, p.end_offset, c.owner
     FROM broker_cursors c
     JOIN broker_groups g ON g.id = c.group_id
     JOIN broker_partitions p ON p.id = c.partition_id
     JOIN broker_topics t ON t.id = p.topic_id
     ORDER BY g.name, t.name, p.number`,
  )
  const members = query<MemberRow>(
    db.reader,
    `SELECT g.name, m.member, m.alive_until FROM broker_members m
     JOIN broker_groups g ON g.id = m.group_id WHERE m.alive_until > ? ORDER BY m.member`,
  )
  return (now) => {
    const ended = new Map<string, boolean>()
    const lives = ([, member]: MemberRow): boolean => {
      const known = ended.get(member) ?? hasEnded(member)
      ended.set(member, known)
      return !known
    }
    const alive = Map.groupBy(members.all(now).filter(lives), ([group]) => group)
    return Array.from(
      Map.groupBy(cursors.all(), ([group]) => group),
      ([group, rows]) => describe(group, rows, alive.get(group) ?? []),
    )
  }
}

const describe = (group: string, rows: readonly CursorRow[], alive: readonly MemberRow[]): GroupInfo => {
  const names = new Set(alive.map(([, member]) => member))
  const partitions = rows.map(([, topic, partition, committed, end, owner]) => ({
    topic,
    partition,
    committed: BigInt(committed),
    end: BigInt(end),
    lag: BigInt(end - committed),
    member: names.has(owner) ? owner : null,
  }))
  const members = alive.map(([, member, aliveUntil]) => ({
    member,
    partitions: partitions
      .filter((one) => one.member === member)
      .map((one) => `${one.topic}-${one.partition}`),
    aliveUntil: new Date(aliveUntil).toISOString(),
  }))
  return { group, members, partitions }
}
