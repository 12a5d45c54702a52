import { LockMark } from '../../../src/domain/kernel/leader-lease.ts'
import type { ProcessLock } from '../../../src/ports/process-lock.ts'
import type { Database } from '../../sqlite/database.ts'
import { query } from '../../sqlite/query.ts'
import { ensureSchema } from '../../sqlite/schema.ts'

/* Beside the members' table, which programs of before know as it is. */

const ddl = `
  CREATE TABLE broker_member_locks (
    member TEXT PRIMARY KEY,
    lock TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`

/**
 * The locks of the processes that members belong to: they tell for certain that a process has ended. Without `processLock`
 * nothing is certain. `put` and `forget` are work for a transaction.
 */
export const createMemberLocks = (
  { writer, reader }: Database,
  processLock?: Pick<ProcessLock, 'mark' | 'hasEnded'>,
) => {
  ensureSchema(writer, 'broker-member-locks', 1, ddl)
  const put = writer.prepare('INSERT OR REPLACE INTO broker_member_locks (member, lock) VALUES (?, ?)')
  // Those of members that older programs removed go, too.
  const forget = writer.prepare(
    'DELETE FROM broker_member_locks WHERE member = ? OR member NOT IN (SELECT member FROM broker_members)',
  )
  const find = query<[lock: string]>(reader, 'SELECT lock FROM broker_member_locks WHERE member = ?')

  const lockOf = (member: string): LockMark | undefined => {
    const text = find.get(member)?.[0]
    const lock: unknown = text === undefined ? undefined : JSON.parse(text)
    return LockMark.is(lock) ? lock : undefined
  }
  return {
    put: (member: string): void => {
      const lock = processLock?.mark()
      if (lock) put.run(member, JSON.stringify(lock))
    },
    forget: (member: string): void => {
      forget.run(member)
    },
    hasEnded: (member: string): boolean => {
      const lock = processLock && lockOf(member)
      return lock !== undefined && processLock?.hasEnded(lock) === true
    },
  }
}

export type MemberLocks = ReturnType<typeof createMemberLocks>
