import type { DatabaseSync } from 'node:sqlite'
import * as E from 'fp-ts/lib/Either.js'
import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import type { ReadFailure } from '../../../src/ports/event-store.ts'
import { query } from '../../sqlite/query.ts'
import { DamagedEvents, type EventRow, type ToEvent } from './event-row.ts'
import { metastreamOf } from './stream-metadata.ts'
import { createStreamFinder, tombstoned } from './streams.ts'

type ReadStream = (
  name: string,
  from: bigint | 'start' | 'end',
  direction: 'forward' | 'backward',
  limit: number,
) => E.Either<ReadFailure, readonly RecordedEvent[]>

/** Throws `DamagedEvents` where some that should be there are not. */
export const createStreamReader = (db: DatabaseSync, toEvent: ToEvent): ReadStream => {
  const findStream = createStreamFinder(db)
  const ofStream = (order: 'ASC' | 'DESC', bound: '>=' | '<=') =>
    query<EventRow>(
      db,
      `SELECT e.position, ?, e.revision, e.id, e.type, e.recorded_at, e.data, e.metadata, e.encoding FROM events e
       WHERE e.stream_id = ? AND e.revision ${bound} ? AND e.revision >= ? ORDER BY e.revision ${order} LIMIT ?`,
    )
  const forward = ofStream('ASC', '>=')
  const backward = ofStream('DESC', '<=')

  return (name, from, direction, limit) => {
    const stream = findStream(name)
    if (!stream) return E.right([])
    if (stream.state === tombstoned) return E.left({ kind: 'StreamDeleted', stream: name })
    const { id, revision, truncatedBefore, maxCount } = stream
    const start = from === 'start' ? 0 : from === 'end' ? revision : Number(from)
    const rows = (direction === 'forward' ? forward : backward).all(name, id, start, truncatedBefore, limit)
    const [first, step, there] =
      direction === 'forward'
        ? [Math.max(start, truncatedBefore), 1, revision - Math.max(start, truncatedBefore) + 1]
        : [Math.min(start, revision), -1, Math.min(start, revision) - truncatedBefore + 1]
    const isWhole =
      rows.length >= Math.min(limit, there) && rows.every((row, i) => row[2] === first + i * step)
    // Where only the newest are kept, or were once, the oldest have gone.
    if (!isWhole && maxCount === null && !findStream(metastreamOf(name)))
      throw new DamagedEvents(`events of stream ${name} are missing`)
    return E.right(rows.map(toEvent))
  }
}
