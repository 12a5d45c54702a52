import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import manifest from '../../../package.json' with { type: 'json' }
import type { Clock } from '../../../src/ports/clock.ts'
import type { Database } from '../../sqlite/database.ts'
import { watchMembers } from './departed.ts'
import type { GroupTables, Share } from './group.ts'
import type { MemberLocks } from './member-locks.ts'
import type { Subscription } from './partition-loops.ts'

export interface MembershipDependencies {
  readonly db: Database
  readonly groups: GroupTables
  readonly clock: Clock
  readonly sessionMillis: number
  readonly locks: MemberLocks
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
  deps: MembershipDependencies,
  { group, formerGroup, topics }: Subscription,
): Promise<Membership> => {
  const { db, groups, clock, sessionMillis, locks } = deps
  const now = (): number => Date.parse(clock.now())
  const departed = watchMembers(deps)
  const groupId = await db.commit.submit(() => {
    if (formerGroup !== undefined) groups.takeOver(group, formerGroup, now())
    return groups.ensure(group)
  })
  const member = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}@${manifest.version}`
  let topicIds = topics.map((topic) => topic.id)
  await db.commit.submit(() => locks.put(member))

  const renew = (): Promise<Share> => {
    const departedNow = departed(groupId, member)
    return db.commit.submit(() => {
      const aliveUntil = now() + sessionMillis
      return groups.rebalance({ groupId, member, topicIds, aliveUntil, departed: departedNow })
    })
  }
  return {
    groupId,
    member,
    renew,
    resign: () => {
      topicIds = []
    },
    leave: () =>
      db.commit.submit(() => {
        groups.leave(groupId, member)
        locks.forget(member)
      }),
  }
}
