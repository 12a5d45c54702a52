import { watchSilence } from '../../../src/async/silence.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Database } from '../../sqlite/database.ts'
import { query } from '../../sqlite/query.ts'
import type { MemberLocks } from './member-locks.ts'

/** A member that is there no more, with what it last said: one that has spoken since stays. */
export interface Departed {
  readonly member: string
  readonly aliveUntil: number
}

interface DepartedDependencies {
  readonly db: Database
  readonly locks: Pick<MemberLocks, 'hasEnded'>
  readonly clock: Pick<Clock, 'monotonic'>
  readonly sessionMillis: number
}

/**
 * Members of a group that `alive_until` may not show as gone, being of a clock that ran ahead: those whose process has ended, and
 * those that said nothing for a session by the monotonic clock.
 */
export const watchMembers = ({ db, locks, clock, sessionMillis }: DepartedDependencies) => {
  const others = query<[member: string, aliveUntil: number]>(
    db.reader,
    'SELECT member, alive_until FROM broker_members WHERE group_id = ? AND member <> ?',
  )
  const silenceOf = watchSilence(clock)
  return (groupId: number, self: string): readonly Departed[] => {
    const rows = others.all(groupId, self).map(([member, aliveUntil]) => ({ member, aliveUntil }))
    return silenceOf(rows, ({ member, aliveUntil }) => [member, String(aliveUntil)]).flatMap(
      ([one, millis]) => (millis >= sessionMillis || locks.hasEnded(one.member) ? [one] : []),
    )
  }
}
