import type { DatabaseSync } from 'node:sqlite'
import type { StreamPart } from '../../../src/ports/event-store.ts'
import type { GroupCommit } from '../../sqlite/group-commit.ts'
import { query } from '../../sqlite/query.ts'
import { keepsAll } from './streams.ts'

/** Rows that are moved to another page, as the file grows, leave no copy behind that a later deletion would not find. */
export const overwriteMoved = 'PRAGMA secure_delete = FAST'

/** Events that are deleted in one transaction: other writers wait for some milliseconds. */
const portion = 1000

/**
 * Deletes the events below a revision that streams no longer show, some at a time, and overwrites them in the file. Streams that lost
 * some are marked as those are that keep only their newest: what is missing at their beginning is no damage.
 */
export const createScavenger = (db: DatabaseSync, commit: Pick<GroupCommit, 'submit'>) => {
  const hidden = query<[id: number, first: number | null, before: number]>(
    db,
    `SELECT s.id, (SELECT min(e.revision) FROM events e WHERE e.stream_id = s.id AND e.revision < s.truncated_before),
       min(s.truncated_before, s.revision + 1)
     FROM streams s WHERE s.name = ?`,
  )
  const mark = db.prepare('UPDATE streams SET max_count = coalesce(max_count, ?) WHERE id = ?')
  const drop = db.prepare('DELETE FROM events WHERE stream_id = ? AND revision < ?')

  /** Returns how many of the parts are done. */
  const dropSome = (parts: readonly StreamPart[]): number => {
    let left = portion
    for (const [i, { stream, before: named }] of parts.entries()) {
      const [id, first = null, end = 0] = hidden.get(stream) ?? []
      const before = Math.min(end, Number(named))
      if (id === undefined || first === null || first >= before) continue
      if (left <= 0) return i
      const until = Math.min(before, first + left)
      mark.run(keepsAll, id)
      left -= Number(drop.run(id, until).changes)
      if (until < before) return i
    }
    return parts.length
  }

  const overwriting = (work: () => number) => (): number => {
    db.exec('PRAGMA secure_delete = ON')
    try {
      return work()
    } finally {
      db.exec(overwriteMoved)
    }
  }

  return async (parts: readonly StreamPart[]): Promise<void> => {
    for (let rest = parts; rest.length > 0; ) {
      const done = await commit.submit(overwriting(() => dropSome(rest)))
      rest = rest.slice(done)
    }
  }
}
