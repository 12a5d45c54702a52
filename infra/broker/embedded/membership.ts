import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import manifest from '../../../package.json' with { type: 'json' }
import type { Clock } from '../../../src/ports/clock.ts'
import type { Database } from '../../sqlite/database.ts'
import type { GroupTables, Share } from './group.ts'
import type { Subscription } from './partition-loops.ts'

interface MembershipDependencies {
  readonly db: Database
  readonly groups: GroupTables
  readonly clock: Clock
  readonly sessionMillis: number
}

/** One member's row of a group. Rejects where nothing can be written. */
interface Membership {
  readonly groupId: number
  readonly member: string
  /** Stays alive for another session, and says what the member may read. The first call joins the group. */
  renew(): Promise<Share>
  /** From now on `renew` asks for no partitions: those that it holds are surplus. */
  resign(): void
  leave(): Promise<void>
}

export const openMembership = async (
  { db, groups, clock, sessionMillis }: MembershipDependencies,
  { group, formerGroup, topics }: Subscription,
): Promise<Membership> => {
  const now = (): number => Date.parse(clock.now())
  const groupId = await db.commit.submit(() => {
    if (formerGroup !== undefined) groups.takeOver(group, formerGroup, now())
    return groups.ensure(group)
  })
  const member = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}@${manifest.version}`
  let topicIds = topics.map((topic) => topic.id)

  const renew = (): Share => {
    const since = now()
    return groups.rebalance({ groupId, member, topicIds, now: since, aliveUntil: since + sessionMillis })
  }
  return {
    groupId,
    member,
    renew: () => db.commit.submit(renew),
    resign: () => {
      topicIds = []
    },
    leave: () => db.commit.submit(() => groups.leave(groupId, member)),
  }
}
