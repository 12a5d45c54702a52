import type { DatabaseSync } from 'node:sqlite'
import { query } from '../../sqlite/query.ts'
import type { Subscriber } from './assignment.ts'
import type { Departed } from './departed.ts'

export const createMemberTable = (writer: DatabaseSync) => {
  const topicsOf = query<[topicIds: string]>(
    writer,
    'SELECT topic_ids FROM broker_members WHERE group_id = ? AND member = ?',
  )
  const stayAlive = writer.prepare(
    `INSERT INTO broker_members (group_id, member, topic_ids, alive_until) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET topic_ids = excluded.topic_ids, alive_until = excluded.alive_until`,
  )
  const removeExpired = writer.prepare('DELETE FROM broker_members WHERE group_id = ? AND alive_until <= ?')
  const removeSilent = writer.prepare(
    'DELETE FROM broker_members WHERE group_id = ? AND member = ? AND alive_until = ?',
  )
  const remove = writer.prepare('DELETE FROM broker_members WHERE group_id = ? AND member = ?')
  const ofGroup = query<[member: string, topicIds: string]>(
    writer,
    'SELECT member, topic_ids FROM broker_members WHERE group_id = ? ORDER BY member',
  )
  return {
    /** False where the member was there with the same topics. `topicIds`: a JSON array. */
    stayAlive: (groupId: number, member: string, topicIds: string, aliveUntil: number): boolean => {
      const before = topicsOf.get(groupId, member)?.[0]
      stayAlive.run(groupId, member, topicIds, aliveUntil)
      return before !== topicIds
    },
    /** False where there were none. */
    removeExpired: (groupId: number, now: number): boolean => removeExpired.run(groupId, now).changes > 0,
    /** False where all have spoken since. */
    removeDeparted: (groupId: number, departed: readonly Departed[]): boolean =>
      departed
        .map(({ member, aliveUntil }) => removeSilent.run(groupId, member, aliveUntil).changes > 0)
        .includes(true),
    remove: (groupId: number, member: string): void => {
      remove.run(groupId, member)
    },
    ofGroup: (groupId: number): readonly Subscriber[] =>
      ofGroup.all(groupId).map(([member, topicIds]) => ({
        member,
        topics: new Set(JSON.parse(topicIds) as number[]),
      })),
  }
}
